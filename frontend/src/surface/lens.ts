/** Where the magnifier lies and what it shows. Pure. */

import { between, onScreen, type Point, type ScreenPx, type Size } from "../geometry/units";
import { toImage, type View } from "../geometry/view";

/** The side of the magnifier, in screen pixels. */
export const SIDE = 132;
/** The distance from the pointer to the magnifier, which must not be hidden by a mouse pointer or a finger. */
const APART = { mouse: 28, touch: 64 } as const;

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

/** Returns the square of the photograph that the magnifier shows, in image pixels: its corner and its side. */
export function sourceOf(view: View, pointer: Point<ScreenPx>): { x: number; y: number; side: number } {
  const side = SIDE / magnification(view.scale);
  const at = toImage(view, pointer);
  return { x: at.x - side / 2, y: at.y - side / 2, side };
}
