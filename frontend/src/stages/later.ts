import { withRest } from "../texts/index.svelte";

/** What a stage needs only to ask once more. It is fetched ahead after the first item. */
export const CONFIRMED = {
  unusable: () => withRest(import("./Unusable.svelte")),
};
