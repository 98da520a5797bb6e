import { language, readRest } from "../texts/index.svelte";

/** Parts of the workbench that the first item does not need: loaded once it is there, or when they are wanted. */

export const LATER = {
  overview: () => import("./Overview.svelte"),
  phases: () => import("./Phases.svelte"),
  giveBack: () => import("./GiveBack.svelte"),
};

/** The ways out of a page: the list of tasks with its words, and the instructions in the language in use. */
const WAYS_OUT = {
  home: () => import("./Home.svelte"),
  words: readRest,
  instructions: () => import("../stages/Instructions.svelte"),
  guide: async () => (await import("../stages/guide")).guideIn(language()),
  // Into the browser's cache: it keeps them for a year.
  pictures: async () => {
    const { IMAGES } = await import("../sample/scenes");
    await Promise.all(Object.values(IMAGES).map(async ({ url }) => (await fetch(url)).blob()));
  },
};

/** Milliseconds after which nothing the first item needs is on its way any more. */
const SETTLED = 1500;

/** Fetches them ahead, so that a page can be finished, and left, without a network. Answers what calls it off. */
export function fetchAhead(): () => void {
  const timer = setTimeout(() => {
    // What does not come now is asked for again when it is wanted, and said then.
    if (navigator.onLine)
      void Promise.allSettled(Object.values({ ...LATER, ...WAYS_OUT }).map((load) => load()));
  }, SETTLED);
  return () => clearTimeout(timer);
}
