/** Keys to look closer, which are the same wherever there is a photograph. */

import { ownKey } from "../parts/shortcuts.svelte";
import { STEP, type Canvas } from "./canvas.svelte";

const ARROWS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns the direction of an arrow key, or null for another key. */
export const arrow = (key: string): readonly [x: number, y: number] | null => ARROWS[key] ?? null;

/**
 * Zooms with + and -, shows all with f, hides the boxes while h is held, and pans with the arrows if zoomed.
 * Returns whether the key was one of them.
 */
export function lookKey(event: KeyboardEvent, canvas: Canvas): boolean {
  const key = ownKey(event, { held: true });
  if (key === null) return false;
  const way = arrow(key);
  if (key === "+" || key === "=") canvas.zoom(STEP);
  else if (key === "-") canvas.zoom(1 / STEP);
  else if (key.toLowerCase() === "f") canvas.fit();
  else if (key.toLowerCase() === "h") canvas.bare = true;
  else if (way && !canvas.fitted && !event.shiftKey) canvas.step(...way);
  else return false;
  return true;
}
