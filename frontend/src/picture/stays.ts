/**
 * The photograph that is on the screen. If the next item is about the same one, it is seen at once, as large as
 * the worker left it: another view takes the place of the one before, and nobody should notice.
 */

import type { ImageInfo } from "../api/types";
import type { Canvas } from "./canvas.svelte";
import type { Source } from "./sources";

interface Shown {
  image: ImageInfo;
  canvas: Canvas;
  source: () => Source | null;
}

let shown: Shown | null = null;

/**
 * Notes that the photograph is shown from now on. If it was shown just before, its place on the canvas is as it
 * was; returns the file that was seen then, or null.
 */
export function stays(
  image: ImageInfo,
  canvas: Canvas,
  source: () => Source | null,
  atEnd: (end: () => void) => void,
): Source | null {
  const before = shown;
  const own = (shown = { image, canvas, source });
  // The next view may be made before or after this one ends, but at the same moment.
  atEnd(() => {
    const last = source();
    own.source = () => last;
    queueMicrotask(() => {
      if (shown === own) shown = null;
    });
  });
  const there = before?.source();
  if (!before || !there || before.image.id !== image.id || before.image.url !== image.url) return null;
  canvas.screen = before.canvas.screen;
  canvas.view = before.canvas.chosen;
  return there;
}
