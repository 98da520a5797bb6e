/** The view that comes closer by itself to a box that is too small to be drawn well. */

import type { Edges } from "../api/types";
import { MIN_DRAWN } from "./box";
import { onScreen, type ImagePx, type ScreenPx, type Size } from "./units";
import { CLOSEST, keepInside, type View } from "./view";

/** How long the shorter side of a small box becomes, in screen pixels, and how much of the surface a side may take. */
const COMFORTABLE = 120;
const MAX_SCREEN_SHARE = 0.6;
/**
 * By how much it must come closer, because less would only confuse, and by how much it may. What was aimed at
 * from far away may be beside the box, and must not leave the surface.
 */
const CLOSER = { least: 1.2, most: 8 } as const;

/**
 * Returns a closer view with the box in its middle, or null if the box is large enough in this view or cannot
 * be shown much larger.
 */
export function closeUp(
  view: View,
  [left, top, right, bottom]: Edges,
  image: Size<ImagePx>,
  screen: Size<ScreenPx>,
): View | null {
  const shorter = Math.min(right - left, bottom - top);
  if (shorter * view.scale >= MIN_DRAWN) return null;
  const scale = Math.min(
    COMFORTABLE / shorter,
    (screen.width * MAX_SCREEN_SHARE) / (right - left),
    (screen.height * MAX_SCREEN_SHARE) / (bottom - top),
    view.scale * CLOSER.most,
    CLOSEST,
  );
  if (!(scale >= view.scale * CLOSER.least)) return null;
  const x = screen.width / 2 - ((left + right) / 2) * scale;
  const y = screen.height / 2 - ((top + bottom) / 2) * scale;
  return keepInside({ scale, ...onScreen(x, y) }, image, screen);
}
