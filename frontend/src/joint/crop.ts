/** Which part of the photograph shows a box enlarged. Pure. */

import type { Edges } from "../api/types";
import { height, width } from "../geometry/box";

/** How much is shown round the box on each side, as a share of its longer side. */
const ROUND = 0.15;
/** The fewest image pixels on each side. Without surroundings, nobody can tell what a few pixels are. */
const LEAST = 6;

export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Returns the square round a box, in image pixels. It may reach over the edge of the photograph. */
export function cropOf(box: Edges): Square {
  const longer = Math.max(width(box), height(box));
  const side = longer + 2 * Math.max(longer * ROUND, LEAST);
  return { x: (box[0] + box[2] - side) / 2, y: (box[1] + box[3] - side) / 2, side };
}

/** Returns the place of the smallest box that a point is in, or beside by at most `reach`, or null. */
export function boxAt(boxes: readonly Edges[], x: number, y: number, reach: number): number | null {
  const hit = boxes
    .map((box, place) => ({ box, place }))
    .filter(
      ({ box: [left, top, right, bottom] }) =>
        x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach,
    )
    .sort((a, b) => width(a.box) * height(a.box) - width(b.box) * height(b.box));
  return hit[0]?.place ?? null;
}
