import { withRest } from "../texts/index.svelte";

/** What a remark needs only where it is asked. It is fetched ahead after the first item. */
export const ASKED = {
  unrelated: () => withRest(import("./UnrelatedChoice.svelte")),
};
