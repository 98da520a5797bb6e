/** One view a stage. Each shows one item whole; what is round it (progress, back, help) is the page's. */

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
