/** The views in which captions are written and matched with a photograph. They are loaded on demand. */

import type { Component } from "svelte";
import type { StageProps } from "../stages/props";
import Match from "./Match.svelte";
import Write from "./Write.svelte";

export const CAPTION_VIEWS: Record<"writing" | "relevance", Component<StageProps>> = {
  writing: Write,
  relevance: Match,
};
