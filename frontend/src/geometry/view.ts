/** Where the photograph lies on the screen, and the only way between screen pixels and image pixels. */

import type { Edges } from "../api/types";
import {
  between,
  inImage,
  onScreen,
  screenSize,
  type ImagePx,
  type Point,
  type ScreenPx,
  type Size,
} from "./units";

export interface View {
  /** Screen pixels for each image pixel. */
  readonly scale: number;
  /** Where the image's upper left corner lies, in screen pixels. */
  readonly x: ScreenPx;
  readonly y: ScreenPx;
}

/** A rectangle on the screen, in screen pixels. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the rectangle, wider by so many pixels on each side. Lines round a box must not hide what is in it. */
export const around = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** Returns the area that two rectangles share. */
export function shared(a: Rect, b: Rect): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * The room round a fitted picture, in screen pixels, so that a box that ends at its edge can still be grabbed
 * there.
 */
export const MARGIN = 12;
/** The most screen pixels for each image pixel. At this size, a single pixel is easy to hit. */
export const CLOSEST = 16;

export function toScreen(view: View, at: Point<ImagePx>): Point<ScreenPx> {
  return onScreen(view.x + at.x * view.scale, view.y + at.y * view.scale);
}

export function toImage(view: View, at: Point<ScreenPx>): Point<ImagePx> {
  return inImage((at.x - view.x) / view.scale, (at.y - view.y) / view.scale);
}

export function rectOf(view: View, [left, top, right, bottom]: Edges): Rect {
  const corner = toScreen(view, inImage(left, top));
  return {
    x: corner.x,
    y: corner.y,
    width: (right - left) * view.scale,
    height: (bottom - top) * view.scale,
  };
}

/**
 * Returns the whole photograph as large as possible, in the middle. Small photographs are enlarged too, since
 * there is room.
 */
export function fit(image: Size<ImagePx>, screen: Size<ScreenPx>): View {
  const scale = fittingScale(image, screen);
  const corner = onScreen(
    (screen.width - image.width * scale) / 2,
    (screen.height - image.height * scale) / 2,
  );
  return { scale, ...corner };
}

export function isFitted(view: View, image: Size<ImagePx>, screen: Size<ScreenPx>): boolean {
  return view.scale <= fittingScale(image, screen) * 1.0001;
}

function fittingScale(image: Size<ImagePx>, screen: Size<ScreenPx>): number {
  const across = (screen.width - 2 * MARGIN) / image.width;
  const down = (screen.height - 2 * MARGIN) / image.height;
  // If a surface has no size yet (hidden, being laid out), coordinates must not become infinite.
  return Math.max(Math.min(across, down), 0.001);
}

/**
 * Returns how much of a surface to leave free so that something of this size lies beside the photograph: at its right
 * side or below, where the photograph stays larger. It may reach into the margin.
 */
export function aside(
  image: Size<ImagePx>,
  width: number,
  height: number,
  size: number,
): { x: number; y: number } {
  const room = Math.max(size - MARGIN / 2, 0);
  const right = fittingScale(image, screenSize(width - room, height));
  return right > fittingScale(image, screenSize(width, height - room))
    ? { x: room, y: 0 }
    : { x: 0, y: room };
}

/**
 * Returns the view magnified by `factor`. What lies under `anchor` stays there as far as the picture's edges
 * allow it.
 */
export function zoomAt(
  view: View,
  factor: number,
  anchor: Point<ScreenPx>,
  image: Size<ImagePx>,
  screen: Size<ScreenPx>,
): View {
  const least = fittingScale(image, screen);
  const scale = between(least, view.scale * factor, Math.max(CLOSEST, least));
  const still = toImage(view, anchor);
  return keepInside(
    { scale, ...onScreen(anchor.x - still.x * scale, anchor.y - still.y * scale) },
    image,
    screen,
  );
}

export function pan(view: View, by: Point<ScreenPx>, image: Size<ImagePx>, screen: Size<ScreenPx>): View {
  return keepInside({ scale: view.scale, ...onScreen(view.x + by.x, view.y + by.y) }, image, screen);
}

/** Leaves no empty space where there could be picture. If the picture is shorter than the surface, it is centred. */
export function keepInside(view: View, image: Size<ImagePx>, screen: Size<ScreenPx>): View {
  const axis = (at: number, length: number, room: number): number =>
    length <= room - 2 * MARGIN ? (room - length) / 2 : between(room - MARGIN - length, at, MARGIN);
  return {
    scale: view.scale,
    ...onScreen(
      axis(view.x, image.width * view.scale, screen.width),
      axis(view.y, image.height * view.scale, screen.height),
    ),
  };
}

/**
 * Returns the view after the surface changed its size. A fitted picture stays fitted. Otherwise the middle
 * stays in the middle.
 */
export function resized(
  view: View,
  image: Size<ImagePx>,
  before: Size<ScreenPx>,
  after: Size<ScreenPx>,
): View {
  if (isFitted(view, image, before)) return fit(image, after);
  const centre = toImage(view, onScreen(before.width / 2, before.height / 2));
  const scale = Math.max(view.scale, fittingScale(image, after));
  const moved = {
    scale,
    ...onScreen(after.width / 2 - centre.x * scale, after.height / 2 - centre.y * scale),
  };
  return keepInside(moved, image, after);
}

/** Returns the visible part of the photograph, in image pixels. */
export function visible(view: View, image: Size<ImagePx>, screen: Size<ScreenPx>): Edges {
  const from = toImage(view, onScreen(0, 0));
  const to = toImage(view, onScreen(screen.width, screen.height));
  return [
    between(0, from.x, image.width),
    between(0, from.y, image.height),
    between(0, to.x, image.width),
    between(0, to.y, image.height),
  ];
}
