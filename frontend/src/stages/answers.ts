/** Answers in words, for the overview before submitting. Pure. */

import type { Answer, Stage } from "../api/types";
import type { Catalogue, Rest } from "../texts/catalogue";
import { chosen, isUnsure, isUnusable, wordsFor } from "./choices";

/**
 * Puts an answer into words. `texts` and `rest` are the catalogues in use, so that a change of language takes effect.
 * `boxes` is how many boxes the question shows.
 */
export function answerText(
  stage: Stage,
  answer: Answer | null,
  texts: Catalogue,
  rest: Rest,
  boxes = 0,
): string {
  const { choices, drawing, unanswered, unsure, unusable } = texts.stages;
  if (isUnusable(answer)) return unusable.label;
  if (isUnsure(answer)) return unsure.label;
  if (answer !== null && "box" in answer && answer.box !== null) {
    const [left, top, right, bottom] = answer.box;
    return drawing.drawn(Math.round(right - left), Math.round(bottom - top));
  }
  if (stage === "boxes" || stage === "check") return jointText(answer, rest.joint) ?? unanswered;
  if (stage === "relevance")
    return answer !== null && "describes" in answer ? rest.captions.matched(answer.describes) : unanswered;
  if (stage === "writing") return answer !== null && "caption" in answer ? answer.caption : unanswered;
  const name = chosen(stage, answer);
  return name === null ? unanswered : choices[wordsFor(name, boxes)].label;
}

/** Puts an answer about all boxes of a chain into words. */
function jointText(answer: Answer | null, { boxes, check }: Rest["joint"]): string | null {
  if (answer === null) return null;
  if ("none" in answer) return boxes.reasons[answer.none];
  if ("missing" in answer) {
    const bad = answer.boxes.flatMap((one, place) =>
      one === "good" ? [] : `${check.one(place + 1)}: ${check.judgments[one]}`,
    );
    const said = check.confirm(answer.boxes.length, bad.length, answer.missing);
    return bad.length > 0 ? `${said} (${bad.join(", ")})` : said;
  }
  return "boxes" in answer ? boxes.drawn(answer.boxes.length) : null;
}
