/** What a pointer takes hold of: a corner, an edge, the inside, or nothing. In screen pixels, as fingers are. */

import type { Handle } from "./box";
import type { Point, ScreenPx } from "./units";
import type { Rect } from "./view";

export type Grip = Handle | "inside" | null;

/** Within so many screen pixels a handle is hit. A finger covers what it aims at. */
export const REACH = { mouse: 8, touch: 22 } as const;

/**
 * The grip of the rectangle at a point. Corners before edges, the nearer before the other; along an edge all of it
 * can be grabbed. On a rectangle too small for both, the middle third still moves it.
 */
export function gripAt(rect: Rect, at: Point<ScreenPx>, reach: number): Grip {
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  const inside = at.x >= rect.x && at.x <= right && at.y >= rect.y && at.y <= bottom;
  if (at.x < rect.x - reach || at.x > right + reach || at.y < rect.y - reach || at.y > bottom + reach) {
    return null;
  }
  // Inwards no more than a third, or a small box could not be moved at all.
  const across = Math.min(reach, rect.width / 3);
  const down = Math.min(reach, rect.height / 3);
  const x = side(at.x, rect.x, right, across, reach);
  const y = side(at.y, rect.y, bottom, down, reach);
  const handle = `${y === "low" ? "n" : y === "high" ? "s" : ""}${x === "low" ? "w" : x === "high" ? "e" : ""}`;
  return handle === "" ? (inside ? "inside" : null) : (handle as Handle);
}

/** Which of two parallel edges lies within reach: inwards of it less far than outwards. */
function side(
  at: number,
  low: number,
  high: number,
  inwards: number,
  outwards: number,
): "low" | "high" | null {
  const near = at - low >= -outwards && at - low <= inwards;
  const far = high - at >= -outwards && high - at <= inwards;
  if (near && far) return at - low <= high - at ? "low" : "high";
  return near ? "low" : far ? "high" : null;
}

export const CURSORS: Record<Handle | "inside", string> = {
  n: "ns-resize",
  s: "ns-resize",
  e: "ew-resize",
  w: "ew-resize",
  ne: "nesw-resize",
  sw: "nesw-resize",
  nw: "nwse-resize",
  se: "nwse-resize",
  inside: "move",
};
