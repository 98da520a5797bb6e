/**
 * Two kinds of pixels that must never be mixed. A screen pixel is a CSS pixel, counted from the corner of the
 * drawing surface. An image pixel is a pixel of the stored photograph. Only `view.ts` turns one into the other.
 */

declare const kind: unique symbol;
export type ScreenPx = number & { readonly [kind]: "screen" };
export type ImagePx = number & { readonly [kind]: "image" };

export interface Point<U extends number> {
  readonly x: U;
  readonly y: U;
}

export interface Size<U extends number> {
  readonly width: U;
  readonly height: U;
}

export const onScreen = (x: number, y: number): Point<ScreenPx> => ({ x: x as ScreenPx, y: y as ScreenPx });
export const inImage = (x: number, y: number): Point<ImagePx> => ({ x: x as ImagePx, y: y as ImagePx });

export const screenSize = (width: number, height: number): Size<ScreenPx> => ({
  width: width as ScreenPx,
  height: height as ScreenPx,
});
export const imageSize = (width: number, height: number): Size<ImagePx> => ({
  width: width as ImagePx,
  height: height as ImagePx,
});

export function distance<U extends number>(a: Point<U>, b: Point<U>): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

export function middle<U extends number>(a: Point<U>, b: Point<U>): Point<U> {
  return { x: ((a.x + b.x) / 2) as U, y: ((a.y + b.y) / 2) as U };
}

/** Returns the number, or the nearer bound. If the bounds cross, it is the lower one. */
export function between(low: number, value: number, high: number): number {
  return Math.max(low, Math.min(value, high));
}
