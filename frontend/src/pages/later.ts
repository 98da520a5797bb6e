/** Parts of the workbench that the first item does not need: loaded once it is there, or when they are wanted. */

export const LATER = {
  overview: () => import("./Overview.svelte"),
  phases: () => import("./Phases.svelte"),
  giveBack: () => import("./GiveBack.svelte"),
};

/** Milliseconds after which nothing the first item needs is on its way any more. */
const SETTLED = 1500;

/** Fetches them ahead, so that a page can be finished without a network. Answers what calls it off. */
export function fetchAhead(): () => void {
  const timer = setTimeout(() => {
    // What does not come now is asked for again when it is wanted, and said then.
    if (navigator.onLine) void Promise.allSettled(Object.values(LATER).map((load) => load()));
  }, SETTLED);
  return () => clearTimeout(timer);
}
