/**
 * A box by few keys. The picture has 4 × 4 cells, and a key chooses the one with a corner of the box: by turns the
 * upper left and the lower right one. Then the cell has 4 × 4 cells itself. A pure state machine, in image pixels.
 */

import type { Edges } from "../api/types";
import { height, tooSmall, whole, width } from "./box";
import { between, type ImagePx, type Size } from "./units";

/** The cells in a row and in a column: two keys of 16 tell more than three of 9. */
export const ACROSS = 4;

export interface Search {
  /** Where the two corners are: the upper left one and the lower right one. */
  readonly corners: readonly [Edges, Edges];
  /** How often a cell was chosen. */
  readonly chosen: number;
}

/** Which corner a key chooses a cell for. */
export const turn = ({ chosen }: Search): 0 | 1 => (chosen % 2 === 0 ? 0 : 1);

/** The part of the picture whose cells are chosen from. */
export const region = (search: Search): Edges => search.corners[turn(search)];

export function search(image: Size<ImagePx>): Search {
  const all: Edges = [0, 0, image.width, image.height];
  return { corners: [all, all], chosen: 0 };
}

/** Returns a cell of a region, counted row by row from 0. */
export function cellOf(within: Edges, cell: number): Edges {
  const [across, down] = [width(within) / ACROSS, height(within) / ACROSS];
  const left = within[0] + (cell % ACROSS) * across;
  const top = within[1] + Math.floor(cell / ACROSS) * down;
  return [left, top, left + across, top + down];
}

/** Chooses the cell with the corner whose turn it is. */
export function choose(now: Search, cell: number): Search {
  const made = cellOf(region(now), cell);
  const [first, last] = now.corners;
  const chosen = now.chosen + 1;
  if (turn(now) === 1) return { corners: [first, made], chosen };
  // The lower right corner is never left of the upper left one.
  return { corners: [made, now.chosen === 0 ? [made[0], made[1], last[2], last[3]] : last], chosen };
}

/** Moves the region by half of its size, or by one pixel of the image if that is more: a corner may lie beside it. */
export function shift(now: Search, dx: number, dy: number, image: Size<ImagePx>): Search {
  const [left, top, right, bottom] = region(now);
  const by = (way: number, low: number, high: number, end: number): number =>
    between(-low, way * Math.max((high - low) / 2, 1), end - high);
  const [x, y] = [by(dx, left, right, image.width), by(dy, top, bottom, image.height)];
  const moved: Edges = [left + x, top + y, right + x, bottom + y];
  const [first, last] = now.corners;
  return { ...now, corners: turn(now) === 0 ? [moved, last] : [first, moved] };
}

/**
 * Returns the box so far, in whole pixels, or null before both corners have a cell. A corner is in the middle of its
 * cell. Where the cell touches the edge of the picture, it is on that edge, as many objects are cut there.
 */
export function boxOf({ corners, chosen }: Search, image: Size<ImagePx>, minimumSide: number): Edges | null {
  if (chosen < 2) return null;
  const [[l, t, r, b], [left, top, right, bottom]] = corners;
  const made = whole(
    [
      l <= 0 ? 0 : (l + r) / 2,
      t <= 0 ? 0 : (t + b) / 2,
      right >= image.width ? image.width : (left + right) / 2,
      bottom >= image.height ? image.height : (top + bottom) / 2,
    ],
    image,
  );
  return made === null || tooSmall(made, minimumSide) ? null : made;
}
