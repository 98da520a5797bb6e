/** Looking closer by keyboard: the same keys wherever there is a photograph. */

import { ownKey } from "../parts/shortcuts.svelte";
import { STEP, type Canvas } from "./canvas.svelte";

const ARROWS: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The way an arrow key points, or null for another key. */
export const arrow = (key: string): readonly [x: number, y: number] | null => ARROWS[key] ?? null;

/** Zooms with + and -, shows all with f, pans with the arrows once zoomed. Whether the key was one of them. */
export function lookKey(event: KeyboardEvent, canvas: Canvas): boolean {
  const key = ownKey(event, { held: true });
  if (key === null) return false;
  const way = arrow(key);
  if (key === "+" || key === "=") canvas.zoom(STEP);
  else if (key === "-") canvas.zoom(1 / STEP);
  else if (key.toLowerCase() === "f") canvas.fit();
  else if (way && !canvas.fitted && !event.shiftKey) canvas.step(...way);
  else return false;
  return true;
}
