/** The pages, each loaded when it is first wanted. */

import type { Route } from "../route";

export const PAGES = {
  home: () => import("./Home.svelte"),
  stage: () => import("./StagePage.svelte"),
  preview: () => import("./Preview.svelte"),
  me: () => import("./Me.svelte"),
  unknown: () => import("./Unknown.svelte"),
} satisfies Record<Route["page"], () => Promise<unknown>>;
