/** Fetches what a page needs to be finished, and left, without a network. */

import type { Stage } from "../api/types";
import { language } from "../texts/index.svelte";

/** The ways out of a page: the list of tasks, and the instructions. */
const home = () => import("./Home.svelte");
const instructions = () => import("../stages/Instructions.svelte");

/** Puts the files into the browser's cache, where they are kept for a year. */
const pictures = async () => {
  const { pictures } = await instructions();
  await Promise.all(Object.values(pictures).map(async ({ url }) => (await fetch(url)).blob()));
};

/** From then on, texts that change survive the translation of a browser. */
const texts = () => import("../parts/translated").then(({ keepAllTexts }) => keepAllTexts());

/** Keeps all of it for a reload without a network. */
const kept = () => import("./offline").then(({ keepPages }) => keepPages());

/** `more`: what loads the other parts. */
export async function fetchAll(stage: Stage, more: Record<string, () => Promise<unknown>>): Promise<void> {
  const guide = async () => (await instructions()).guideAhead(language(), stage);
  const parts = { ...more, guide, home, pictures, texts };
  await Promise.allSettled(Object.values(parts).map((load) => load()));
  await kept();
}
