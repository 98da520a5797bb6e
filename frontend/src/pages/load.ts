/**
 * The pages, each of which is loaded when it is first wanted. The work is there at once, since most people come
 * for it.
 */

import type { Route } from "../route";
import { withRest } from "../texts/index.svelte";
import * as StagePage from "./StagePage.svelte";

export const PAGES = {
  home: () => withRest(import("./Home.svelte")),
  stage: async () => StagePage,
  preview: () => withRest(import("./Preview.svelte")),
  crowd: () => withRest(import("../crowd/Crowd.svelte")),
  me: () => withRest(import("./Me.svelte")),
  join: () => withRest(import("./Join.svelte")),
  unknown: () => withRest(import("./Unknown.svelte")),
} satisfies Record<Route["page"], () => Promise<unknown>>;
