/** The boxes of an answer, for pages that show answers again. */

import type { Answer, Edges } from "../api/types";

/** Returns the boxes that somebody drew, or null if the answer is not about drawing. */
export function boxesIn(answer: Answer | null | undefined): Edges[] | null {
  if (answer && "boxes" in answer && !("missing" in answer))
    return answer.boxes.flatMap(({ box }) => (box ? [box] : []));
  return answer && "box" in answer ? (answer.box ? [answer.box] : []) : null;
}
