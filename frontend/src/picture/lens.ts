/** Where the magnifier and the inset lie, and what they show. Pure. */

import type { Edges } from "../api/types";
import { height, width } from "../geometry/box";
import type { Gesture } from "../geometry/gestures";
import {
  between,
  inImage,
  onScreen,
  type ImagePx,
  type Point,
  type ScreenPx,
  type Size,
} from "../geometry/units";
import { shared, toImage, type Rect, type View } from "../geometry/view";

/** The side of the magnifier, in screen pixels. */
export const SIDE = 132;
/** The distance from the pointer to the magnifier, which must not be hidden by a mouse pointer or a finger. */
const APART = { mouse: 28, touch: 64 } as const;

/** A square of the photograph, in image pixels: its corner and its side. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Returns the screen pixels for each image pixel in the magnifier: four times the view's, but at least two. */
export function magnification(scale: number): number {
  return Math.max(2, scale * 4);
}

/**
 * Returns the magnifier's upper left corner. It is above and to the right of the pointer or, if there is no
 * room, on the other side.
 */
export function lensAt(pointer: Point<ScreenPx>, screen: Size<ScreenPx>, touch: boolean): Point<ScreenPx> {
  const apart = touch ? APART.touch : APART.mouse;
  const right = pointer.x + apart + SIDE <= screen.width;
  const above = pointer.y - apart - SIDE >= 0;
  const x = right ? pointer.x + apart : pointer.x - apart - SIDE;
  const y = above ? pointer.y - apart - SIDE : pointer.y + apart;
  return onScreen(between(0, x, screen.width - SIDE), between(0, y, screen.height - SIDE));
}

/** Returns the square round a point that the magnifier shows. */
export function squareAt(at: Point<ImagePx>, scale: number): Square {
  const side = SIDE / magnification(scale);
  return { x: at.x - side / 2, y: at.y - side / 2, side };
}

/** The distance of the inset from the edges of the picture, in screen pixels. */
const EDGE = 8;
/** How many times a side of the box the inset shows, so that what is round the box is seen, too. */
const AROUND = 1.8;
/** The fewest image pixels on each side of a box. Without surroundings, nobody can tell what a few pixels are. */
const SURROUNDINGS = 6;
/** By how much the inset must enlarge. Otherwise it would only hide a part of the photograph. */
const WORTH = 1.5;

/** Returns where the enlarged box lies and what is shown of it, or null if it is large enough on the screen. */
export function insetOf(
  box: Edges,
  view: View,
  screen: Size<ScreenPx>,
  others: readonly Rect[],
): { corner: Point<ScreenPx>; side: number; square: Square } | null {
  const side = Math.min(SIDE, screen.width * 0.4, screen.height * 0.4);
  const longer = Math.max(width(box), height(box));
  const shown = Math.max(longer * AROUND, longer + 2 * SURROUNDINGS);
  if (side / shown < view.scale * WORTH) return null;
  const square = {
    x: (box[0] + box[2] - shown) / 2,
    y: (box[1] + box[3] - shown) / 2,
    side: shown,
  };
  const far = { x: screen.width - EDGE - side, y: screen.height - EDGE - side };
  // The buttons for zooming are in the fourth corner.
  const corners = [onScreen(EDGE, EDGE), onScreen(far.x, EDGE), onScreen(EDGE, far.y)];
  const hides = ({ x, y }: Point<ScreenPx>): number =>
    others.reduce(
      (sum, rect) => sum + shared({ x, y, width: side, height: side }, rect) / (rect.width * rect.height),
      0,
    );
  const corner = corners.reduce((best, next) => (hides(next) < hides(best) ? next : best));
  return { corner, side, square };
}

/**
 * Returns what a pointer puts in place: the edge or the corner that it resizes, which it may have taken hold of
 * from beside, and otherwise the point under it.
 */
export function aimOf(gesture: Gesture, view: View, pointer: Point<ScreenPx>): Point<ImagePx> {
  const { x, y } = toImage(view, pointer);
  if (gesture.kind !== "resize") return inImage(x, y);
  const { handle, offset } = gesture;
  return inImage(/[ew]/.test(handle) ? x + offset.x : x, /[ns]/.test(handle) ? y + offset.y : y);
}
