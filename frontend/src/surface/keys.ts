/** The keys of the drawing surface. Enter, 0, m and the like belong to the page. */

import { arrow } from "../picture/keys";

export type Command =
  | { kind: "nudge"; dx: number; dy: number }
  | { kind: "grow"; dx: number; dy: number }
  | { kind: "new" | "remove" | "undo" | "redo" };

export interface Chord {
  key: string;
  shift: boolean;
  alt: boolean;
  /** Ctrl, or the Mac's command key. */
  ctrl: boolean;
}

/** The image pixels by which an arrow moves the box, alone and with Shift. */
const STEPS = { plain: 1, shift: 10 } as const;

/** Returns the command of a combination of keys, or null if it is none of the surface's. */
export function commandOf({ key, shift, alt, ctrl }: Chord): Command | null {
  const letter = key.toLowerCase();
  if (ctrl) {
    if (alt || (letter !== "z" && letter !== "y")) return null;
    return { kind: letter === "y" || shift ? "redo" : "undo" };
  }
  const way = arrow(key);
  if (way) {
    const step = shift ? STEPS.shift : STEPS.plain;
    return { kind: alt ? "grow" : "nudge", dx: way[0] * step, dy: way[1] * step };
  }
  if (alt) return null;
  if (letter === "n") return { kind: "new" };
  if (letter === "z") return { kind: shift ? "redo" : "undo" };
  if (key === "Delete" || key === "Escape") return { kind: "remove" };
  return null;
}
