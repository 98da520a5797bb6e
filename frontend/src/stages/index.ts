/**
 * The views, one for each stage. A view shows the whole of one item. What surrounds it (progress, back, help)
 * belongs to the page.
 */

import type { Component } from "svelte";
import type { JointStage, Stage } from "../api/types";
import { withRest } from "../texts/index.svelte";
import Coverage from "./Coverage.svelte";
import Drawing from "./Drawing.svelte";
import Link from "./Link.svelte";
import type { StageProps } from "./props";
import Quality from "./Quality.svelte";
import Requirement from "./Requirement.svelte";
import Verification from "./Verification.svelte";

export type { StageProps } from "./props";
export { answerOf } from "./choices";

type View = Component<StageProps>;

const VIEWS: Record<Exclude<Stage, JointStage>, View> & Partial<Record<Stage, View>> = {
  link: Link,
  verification: Verification,
  requirement: Requirement,
  drawing: Drawing,
  quality: Quality,
  coverage: Coverage,
};

/** Returns the view of a stage. Those of the joint stages are loaded when one of them is first wanted. */
export const viewOf = (stage: Stage): View | Promise<View> =>
  VIEWS[stage] ??
  withRest(import("../joint")).then(({ JOINT_VIEWS }) => Object.assign(VIEWS, JOINT_VIEWS)[stage]);
