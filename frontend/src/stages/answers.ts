/** Answers in words, for the overview before submitting. Pure. */

import type { Answer, Stage } from "../api/types";
import type { Catalogue } from "../texts/index.svelte";
import { chosen, isUnsure, isUnusable } from "./choices";

/** Puts an answer into words. `texts` is the catalogue in use, so that a change of language takes effect. */
export function answerText(stage: Stage, answer: Answer | null, texts: Catalogue): string {
  const { choices, drawing, unanswered, unsure, unusable } = texts.stages;
  if (isUnusable(answer)) return unusable.label;
  if (isUnsure(answer)) return unsure.label;
  if (answer !== null && "box" in answer && answer.box !== null) {
    const [left, top, right, bottom] = answer.box;
    return drawing.drawn(Math.round(right - left), Math.round(bottom - top));
  }
  const name = chosen(stage, answer);
  return name === null ? unanswered : choices[name].label;
}
