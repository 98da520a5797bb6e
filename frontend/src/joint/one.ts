/** Suggestions where the answer is one box, or none. Pure. */

import type { Edges } from "../api/types";
import { isEdges } from "../api/shape";
import { height, width } from "../geometry/box";
import type { Entry } from "../work/draft";
import type { Box, Work } from "./drawn";
import { workOf } from "./drawn";

/** How the box of an answer came about. */
export type Making = Pick<Box, "suggestion"> & Pick<Entry, "drawnBy">;

/** Returns the box that is the answer, or null if there is none. */
export const boxIn = ({ answer }: Pick<Entry, "answer">): Box | null =>
  answer !== null && "box" in answer && isEdges(answer.box) ? { ...answer, box: answer.box } : null;

/** Returns the work as the list of suggestions shows it: with the box of the answer if a model suggested it. */
export function oneWorkOf(entry: Entry): Work {
  const box = boxIn(entry);
  const drawn = box?.suggestion === undefined ? [] : [box];
  return { ...workOf({ ...entry, answer: null }), drawn };
}

/**
 * Whether a box is another one that was moved, or changed at an edge or a corner, and not one that was drawn
 * anew.
 */
export function isChanged(before: Edges, after: Edges): boolean {
  const same = (place: 0 | 1 | 2 | 3): boolean => before[place] === after[place];
  const moved = width(before) === width(after) && height(before) === height(after);
  return moved || ((same(0) || same(2)) && (same(1) || same(3)));
}

/** Returns how a box came about that takes the place of another one. A suggestion that is changed stays one. */
export const makingOf = ({ box }: Box, before: Box | null, drawnBy: Entry["drawnBy"]): Making =>
  before?.suggestion !== undefined && isChanged(before.box, box)
    ? { suggestion: before.suggestion, drawnBy }
    : { drawnBy };
