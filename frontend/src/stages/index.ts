/**
 * The views, one for each stage. A view shows the whole of one item. What surrounds it (progress, back, help)
 * belongs to the page.
 */

import type { Component } from "svelte";
import type { JointStage, Stage } from "../api/types";
import { withRest } from "../texts/index.svelte";
import Drawing from "./Drawing.svelte";
import Judgment from "./Judgment.svelte";
import type { StageProps } from "./props";

export type { StageProps } from "./props";
export { answerOf } from "./choices";

type View = Component<StageProps>;

/** It knows five stages, and no page shows it for another one. */
const Choosing = Judgment as View;

/** Those of the joint stages come later. */
export const VIEWS: Record<Exclude<Stage, JointStage>, View> & Partial<Record<Stage, View>> = {
  link: Choosing,
  verification: Choosing,
  requirement: Choosing,
  drawing: Drawing,
  quality: Choosing,
  coverage: Choosing,
};

/** Returns the view of a stage. Those of the joint stages are loaded when one of them is first wanted. */
export const viewOf = (stage: Stage): View | Promise<View> =>
  VIEWS[stage] ??
  withRest(import("../joint")).then(({ JOINT_VIEWS }) => Object.assign(VIEWS, JOINT_VIEWS)[stage]);
