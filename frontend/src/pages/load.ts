/**
 * The pages, each of which is loaded when it is first wanted. The work is there at once, since most people come
 * for it.
 */

import type { Route } from "../route";
import { readRest } from "../texts/index.svelte";
import * as StagePage from "./StagePage.svelte";

async function withWords<T>(page: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([page, readRest()]);
  return loaded;
}

export const PAGES = {
  home: () => withWords(import("./Home.svelte")),
  stage: async () => StagePage,
  preview: () => withWords(import("./Preview.svelte")),
  crowd: () => withWords(import("../crowd/Crowd.svelte")),
  me: () => withWords(import("./Me.svelte")),
  join: () => withWords(import("./Join.svelte")),
  unknown: () => withWords(import("./Unknown.svelte")),
} satisfies Record<Route["page"], () => Promise<unknown>>;
