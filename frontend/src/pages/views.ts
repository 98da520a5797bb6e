/**
 * The views, one for each stage. A view shows the whole of one item. What surrounds it (progress, back, help)
 * belongs to the page.
 */

import type { Component } from "svelte";
import type { Stage } from "../api/types";
import { withRest } from "../texts/index.svelte";
import type { Choosing as Chosen } from "../stages/choices";
import Drawing from "../stages/Drawing.svelte";
import Judgment from "../stages/Judgment.svelte";
import type { StageProps } from "../stages/props";

type View = Component<StageProps>;

/** It knows the stages with a few answers, and no page shows it for another one. */
const Choosing = Judgment as View;

/** The others come later. */
export const VIEWS: Record<Chosen, View> & Partial<Record<Stage, View>> = {
  link: Choosing,
  verification: Choosing,
  requirement: Choosing,
  drawing: Drawing,
  quality: Choosing,
  coverage: Choosing,
  caption_check: Choosing,
  grading: Choosing,
};

const ofBoxes = () => import("../joint").then(({ JOINT_VIEWS }) => JOINT_VIEWS);
const ofCaptions = () => import("../captions").then(({ CAPTION_VIEWS }) => CAPTION_VIEWS);

/** Returns the view of a stage. Those that have a view of their own are loaded when they are first wanted. */
export const viewOf = (stage: Stage): View | Promise<View> =>
  VIEWS[stage] ??
  withRest<Partial<Record<Stage, View>>>(
    stage === "writing" || stage === "relevance" ? ofCaptions() : ofBoxes(),
  ).then((views) => Object.assign(VIEWS, views)[stage] as View);
