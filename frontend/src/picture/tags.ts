/** Where the numbers of boxes lie: outside their boxes, and off other boxes and numbers where there is room. */

import type { ScreenPx, Size } from "../geometry/units";
import { shared, type Rect } from "../geometry/view";

/** Beside a box with a side shorter than this, in screen pixels, a small number is enough. */
const SMALL = 40;
const LARGE_TAG = { width: 18, height: 16 } as const;
const SMALL_TAG = { width: 15, height: 13 } as const;
/** The line of a box is outside of it and so wide, in screen pixels. */
const LINE = 3;
/** How much worse it is to lie outside of the picture than to hide something. */
const OUTSIDE = 10;

/**
 * Returns the place of each box's tag, in screen pixels. A tag takes the first of its places that hides nothing,
 * or the one that hides least. `hidden` are further rectangles that tags keep off.
 */
export function tagsAt(
  rects: readonly Rect[],
  screen: Size<ScreenPx>,
  hidden: readonly Rect[] = [],
): readonly Rect[] {
  const tags: Rect[] = [];
  for (const rect of rects) {
    let best: Rect | null = null;
    let least = Infinity;
    for (const tag of places(rect)) {
      const area = tag.width * tag.height;
      const inside = shared(tag, { x: 0, y: 0, ...screen });
      let cost = (area - inside) * OUTSIDE;
      // To hide a small box is as bad as to hide as much of a large one as the tag can.
      for (const other of [...rects, ...hidden, ...tags]) {
        cost += (shared(tag, other) / Math.min(other.width * other.height, area)) * area;
      }
      if (cost < least) [best, least] = [tag, cost];
    }
    if (best) tags.push(best);
  }
  return tags;
}

function places({ x, y, width, height }: Rect): Rect[] {
  const size = Math.min(width, height) < SMALL ? SMALL_TAG : LARGE_TAG;
  const [left, right] = [x - LINE, x + width + LINE - size.width];
  const [above, below] = [y - LINE - size.height, y + height + LINE];
  const [before, after] = [x - LINE - size.width, x + width + LINE];
  return [
    { x: left, y: above, ...size },
    { x: right, y: above, ...size },
    { x: left, y: below, ...size },
    { x: right, y: below, ...size },
    { x: before, y, ...size },
    { x: after, y, ...size },
    // A box as large as the picture leaves no room beside it.
    { x, y, ...size },
  ];
}
