/** Where the magnifier lies beside what aims, and what it shows. */

import type { Square } from "../geometry/box";
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
import { toImage, type View } from "../geometry/view";
import { SIDE, type paint } from "../picture/lens";

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

/** Returns the square round a point that the magnifier shows. */
export function squareAt(at: Point<ImagePx>, scale: number): Square {
  const side = SIDE / magnification(scale);
  return { x: at.x - side / 2, y: at.y - side / 2, side };
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

/** Draws a crosshair in the middle of what `paint` has painted. */
export function cross(painted: ReturnType<typeof paint>): void {
  if (!painted) return;
  const { context, sharpness } = painted;
  const { width, height } = context.canvas;
  context.strokeStyle = "rgb(255 255 255 / 85%)";
  context.lineWidth = sharpness;
  context.beginPath();
  context.moveTo(width / 2, 0);
  context.lineTo(width / 2, height);
  context.moveTo(0, height / 2);
  context.lineTo(width, height / 2);
  context.stroke();
}
