/**
 * The pages, each of which is loaded when it is first wanted. The work is there at once, since most people come
 * for it.
 */

import type { Route } from "./pages/route";
import { withRest } from "./texts/index.svelte";
import * as StagePage from "./qualification/StagePage.svelte";

export const PAGES = {
  home: () => withRest(import("./pages/Home.svelte")),
  stage: async () => StagePage,
  preview: () => withRest(import("./pages/Preview.svelte")),
  crowd: () => withRest(import("./crowd/Crowd.svelte")),
  me: () => withRest(import("./pages/Me.svelte")),
  join: () => withRest(import("./pages/Join.svelte")),
  unknown: () => withRest(import("./pages/Unknown.svelte")),
} satisfies Record<Route["page"], () => Promise<unknown>>;
