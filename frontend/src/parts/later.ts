import { withRest } from "../texts/index.svelte";

/** What is needed only where it is asked. It is fetched ahead after the first item. */
export const ASKED = {
  unrelated: () => withRest(import("./UnrelatedChoice.svelte")),
  unusable: () => withRest(import("../stages/Unusable.svelte")),
};
