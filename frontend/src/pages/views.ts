/**
 * The views, one for each stage. A view shows the whole of one item. What surrounds it (progress, back, help)
 * belongs to the page.
 */

import type { Component } from "svelte";
import type { Question, Stage } from "../api/types";
import { withRest } from "../texts/index.svelte";
import { CHOICES } from "../stages/choices";
import Drawing from "../stages/Drawing.svelte";
import Judgment from "../stages/Judgment.svelte";
import type { StageProps } from "../stages/props";

type View = Component<StageProps>;

/** It knows the stages with a few answers, and no page shows it for another one. */
const Choosing = Judgment as View;

/** The views that are there, besides that one. The others come later. */
export const VIEWS: Partial<Record<Stage | "one", View>> = { drawing: Drawing };

const joint = () => import("../joint");

/**
 * Returns the view of a stage. Those that have a view of their own are loaded when they are first wanted.
 * `suggestions`: those of the question.
 */
export const viewOf = (stage: Stage, suggestions?: Question["suggestions"]): View | Promise<View> => {
  const there = VIEWS[stage] ?? (stage in CHOICES ? Choosing : null);
  if (there === Drawing && suggestions?.[0])
    return (
      VIEWS.one ??
      joint()
        .then(({ drawOne }) => drawOne())
        .catch(() => there) // until the page is loaded again, boxes are drawn without them
        .then((view) => (VIEWS.one = view))
    );
  if (there) return there;
  const views: Promise<typeof VIEWS> =
    stage === "writing" || stage === "relevance" ? import("../captions") : joint();
  return withRest(views).then((loaded) => Object.assign(VIEWS, loaded)[stage] as View);
};
