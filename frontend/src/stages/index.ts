/**
 * The views, one for each stage. A view shows the whole of one item. What surrounds it (progress, back, help)
 * belongs to the page.
 */

import type { Component } from "svelte";
import type { Stage } from "../api/types";
import Coverage from "./Coverage.svelte";
import Drawing from "./Drawing.svelte";
import Link from "./Link.svelte";
import type { StageProps } from "./props";
import Quality from "./Quality.svelte";
import Requirement from "./Requirement.svelte";
import Verification from "./Verification.svelte";

export type { StageProps } from "./props";
export { answerText } from "./answers";
export { answerOf } from "./choices";

export const STAGE_VIEWS: Record<Stage, Component<StageProps>> = {
  link: Link,
  verification: Verification,
  requirement: Requirement,
  drawing: Drawing,
  quality: Quality,
  coverage: Coverage,
};
