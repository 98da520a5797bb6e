/** The pages, each loaded when it is first wanted; the work, which most come for, is there at once. */

import type { Route } from "../route";
import * as StagePage from "./StagePage.svelte";

export const PAGES = {
  home: () => import("./Home.svelte"),
  stage: async () => StagePage,
  preview: () => import("./Preview.svelte"),
  me: () => import("./Me.svelte"),
  unknown: () => import("./Unknown.svelte"),
} satisfies Record<Route["page"], () => Promise<unknown>>;
