import type { Stage } from "../api/types";
import { ASKED } from "../parts/later";
import { ENLARGED } from "../picture/later";
import { CONFIRMED } from "../stages/later";
import { AIMED } from "../surface/later";
import { language, withRest } from "../texts/index.svelte";

/** Parts of the workbench that the first item does not need. They are loaded after it, or when they are wanted. */

export const LATER = {
  overview: () => withRest(import("./Overview.svelte")),
  phases: () => withRest(import("./Phases.svelte")),
  giveBack: () => withRest(import("./GiveBack.svelte")),
  aside: () => withRest(import("./Aside.svelte")),
  settings: () => withRest(import("./Settings.svelte")),
};

/** The ways out of a page: the list of tasks, and the instructions. */
const WAYS_OUT = {
  home: () => import("./Home.svelte"),
  instructions: () => import("../stages/Instructions.svelte"),
  // This puts the file into the browser's cache, where it is kept for a year.
  pictures: async () => {
    const { IMAGES } = await import("../sample/scenes");
    await Promise.all(Object.values(IMAGES).map(async ({ url }) => (await fetch(url)).blob()));
  },
};

/** From then on, texts that change survive the translation of a browser. */
const texts = () => import("../parts/translated").then(({ keepAllTexts }) => keepAllTexts());

/** Keeps all of it for a reload without a network. */
const kept = () => import("./offline").then(({ keepPages }) => keepPages()).catch(() => undefined);

/** Milliseconds after which everything that the first item needs has been loaded. */
const SETTLED = 1500;

/**
 * Fetches them ahead, so that a page can be finished, and left, without a network. Returns a function that
 * cancels this.
 */
export function fetchAhead(stage: Stage): () => void {
  const guide = async () => (await WAYS_OUT.instructions()).guideAhead(language(), stage);
  const timer = setTimeout(() => {
    // If one cannot be fetched now, it is fetched again when it is wanted, and a failure is shown then.
    if (navigator.onLine)
      void Promise.allSettled(
        Object.values({
          ...LATER,
          ...ASKED,
          ...CONFIRMED,
          ...ENLARGED,
          ...AIMED,
          ...WAYS_OUT,
          guide,
          texts,
        }).map((load) => load()),
      ).then(kept);
  }, SETTLED);
  return () => clearTimeout(timer);
}
