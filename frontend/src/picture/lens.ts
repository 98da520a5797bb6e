/** A square of the photograph, shown larger on a canvas of its own. Viewer.svelte has its styles. */

import type { Edges } from "../api/types";
import type { Square } from "../geometry/box";
import type { Point, ScreenPx } from "../geometry/units";

/** The side of the magnifier, in screen pixels. */
export const SIDE = 132;

export interface Lens {
  /** Where it lies on the screen, and the length of its sides there. */
  readonly corner: Point<ScreenPx>;
  readonly side: number;
  readonly square: Square;
}

/** The photograph as it was fetched. The file may be larger or smaller than the image. */
export interface Photo {
  readonly photo: CanvasImageSource;
  /** How many pixels of it make one of the image. */
  readonly ratio: number;
}

/**
 * Shows the square with the edges of the box. Returns the context in which more can be drawn, and the pixels
 * of the canvas for each screen pixel. It is null if the browser cannot draw.
 */
export function paint(
  canvas: HTMLCanvasElement,
  { photo, ratio }: Photo,
  { corner, side, square }: Lens,
  box: Edges | null,
): { context: CanvasRenderingContext2D; sharpness: number } | null {
  const sharpness = Math.min(globalThis.devicePixelRatio || 1, 2);
  const pixels = Math.round(side * sharpness);
  // A length that is set anew takes new memory, even if it is the same.
  if (canvas.width !== pixels || canvas.height !== pixels) canvas.width = canvas.height = pixels;
  canvas.style.width = canvas.style.height = `${side}px`;
  canvas.style.transform = `translate(${corner.x}px, ${corner.y}px)`;
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) return null;
  const scale = pixels / square.side;
  context.imageSmoothingEnabled = side / square.side < 4;
  context.fillStyle = "#bbb"; // as behind the photograph
  context.fillRect(0, 0, pixels, pixels);
  const from = square.side * ratio;
  context.drawImage(photo, square.x * ratio, square.y * ratio, from, from, 0, 0, pixels, pixels);
  if (box) {
    const [left, top, right, bottom] = box;
    // The lines are outside of the box, as in the picture.
    for (const [colour, width] of [
      ["rgb(11 16 15 / 80%)", 4],
      ["#ffc21a", 2],
    ] as const) {
      const line = width * sharpness;
      context.strokeStyle = colour;
      context.lineWidth = line;
      context.strokeRect(
        (left - square.x) * scale - line / 2,
        (top - square.y) * scale - line / 2,
        (right - left) * scale + line,
        (bottom - top) * scale + line,
      );
    }
  }
  return { context, sharpness };
}
