/**
 * The pages, each of which is loaded when it is first wanted. The work is there at once, since most people come
 * for it.
 */

import type { Component } from "svelte";
import type { Stage } from "./api/types";
import type { ANY, Route } from "./pages/route";
import * as StagePage from "./qualification/StagePage.svelte";
import { withRest } from "./texts/index.svelte";

const PAGES = {
  home: () => withRest(import("./pages/Home.svelte")),
  // A whole module: so the helper that makes modules of files is in the first file, and is not loaded by itself.
  stage: async () => StagePage,
  preview: () => withRest(import("./pages/Preview.svelte")),
  crowd: () => withRest(import("./crowd/Crowd.svelte")),
  me: () => withRest(import("./pages/Me.svelte")),
  join: () => withRest(import("./pages/Join.svelte")),
  unknown: () => withRest(import("./pages/Unknown.svelte")),
} satisfies Record<Route["page"], () => Promise<unknown>>;

/** What addresses name. A page takes those of them that its own address has. */
export interface Named {
  stage?: Stage | typeof ANY | undefined;
  token?: string | undefined;
}

export const load = async (page: Route["page"]): Promise<Component<Named>> =>
  (await PAGES[page]()).default as Component<Named>;
