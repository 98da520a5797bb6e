import type { Stage } from "../api/types";
import { ASKED } from "../parts/later";
import { ENLARGED } from "../picture/later";
import { CONFIRMED } from "../stages/later";
import { AIMED } from "../surface/later";
import { withRest } from "../texts/index.svelte";

/** Parts of the workbench that the first item does not need. They are loaded after it, or when they are wanted. */

export const LATER = {
  overview: () => withRest(import("./Overview.svelte")),
  phases: () => withRest(import("./Phases.svelte")),
  giveBack: () => withRest(import("./GiveBack.svelte")),
  aside: () => withRest(import("./Aside.svelte")),
  ways: () => withRest(import("./Ways.svelte")),
};

/** Milliseconds after which everything that the first item needs has been loaded. */
const SETTLED = 1500;

/**
 * Fetches them ahead, so that a page can be finished, and left, without a network. Returns a function that
 * cancels this.
 */
export function fetchAhead(stage: Stage): () => void {
  const timer = setTimeout(() => {
    // If one cannot be fetched now, it is fetched again when it is wanted, and a failure is shown then.
    if (navigator.onLine)
      void import("./ahead")
        .then(({ fetchAll }) => fetchAll(stage, { ...LATER, ...ASKED, ...CONFIRMED, ...ENLARGED, ...AIMED }))
        .catch(() => undefined);
  }, SETTLED);
  return () => clearTimeout(timer);
}
