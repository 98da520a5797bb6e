/**
 * What a pointer takes hold of: a corner, an edge, the inside, or nothing. Distances are in screen pixels, like
 * fingers.
 */

import type { Handle } from "./box";
import type { Point, ScreenPx } from "./units";
import type { Rect } from "./view";

export type Grip = Handle | "inside" | null;

/**
 * The distance in screen pixels at which a handle is hit. It is larger for a finger, which covers what it aims
 * at.
 */
export const REACH = { mouse: 8, touch: 22 } as const;

/**
 * Returns the grip of the rectangle at a point. Corners come before edges, and the nearer one before the other.
 * An edge can be grabbed along its whole length. If a rectangle is too small for all this, its middle half
 * still moves it.
 */
export function gripAt(rect: Rect, at: Point<ScreenPx>, reach: number): Grip {
  const right = rect.x + rect.width;
  const bottom = rect.y + rect.height;
  const inside = at.x >= rect.x && at.x <= right && at.y >= rect.y && at.y <= bottom;
  if (at.x < rect.x - reach || at.x > right + reach || at.y < rect.y - reach || at.y > bottom + reach) {
    return null;
  }
  // A handle reaches inwards by no more than a quarter, or a finger could hardly move a small box.
  const across = Math.min(reach, rect.width / 4);
  const down = Math.min(reach, rect.height / 4);
  const x = side(at.x, rect.x, right, across, reach);
  const y = side(at.y, rect.y, bottom, down, reach);
  const handle = `${y === "low" ? "n" : y === "high" ? "s" : ""}${x === "low" ? "w" : x === "high" ? "e" : ""}`;
  return handle === "" ? (inside ? "inside" : null) : (handle as Handle);
}

/** Returns which of two parallel edges is within reach. An edge reaches less far inwards than outwards. */
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
