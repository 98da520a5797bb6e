/** The boxes of a form field, one a line, as somebody without a pointer types them: `left top right bottom`. */

import type { Edges } from "../api/types";

/** Returns the boxes in a text, or null if a line is not a box. Commas, brackets and empty lines are ignored. */
export function readBoxes(text: string): Edges[] | null {
  const boxes: Edges[] = [];
  for (const line of text.split("\n")) {
    const words = line.split(/[\s,;[\]()]+/).filter((word) => word !== "");
    if (words.length === 0) continue;
    const [left, top, right, bottom, ...more] = words.map(Number);
    if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
    if (more.length > 0 || ![left, top, right, bottom].every(Number.isInteger)) return null;
    if (left < 0 || top < 0 || left >= right || top >= bottom) return null;
    boxes.push([left, top, right, bottom]);
  }
  return boxes;
}

export function writeBoxes(boxes: readonly Edges[]): string {
  return boxes.map((box) => box.join(" ")).join("\n");
}
