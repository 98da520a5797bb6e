/** Boxes to look at: which chains they belong to, and which of them is under a pointer. */

import type { Edges } from "../../api/types";
import type { Chain } from "./setup";

export interface Shown {
  box: Edges;
  /** The chains that use the box. After merging, they may be several. */
  letters: string[];
  /** The colour and the line of the first of these chains. */
  look: string;
}

/** What merging leaves, in the form of the server's JSON. */
export interface Merged {
  boxes: { box: Edges; letters: string[]; from: { letter: string; box: Edges }[] }[];
  joined: string[][];
  boxes_raw: number;
  chains_raw: number;
  chains: number;
}

export const rawBoxes = (chains: readonly Chain[]): Shown[] =>
  chains.flatMap(({ letter, look, boxes }) => boxes.map((box) => ({ box, letters: [letter], look })));

export function mergedBoxes(merged: Merged, chains: readonly Chain[]): Shown[] {
  const looks = new Map(chains.map(({ letter, look }) => [letter, look]));
  return merged.boxes.map(({ box, letters }) => ({ box, letters, look: looks.get(letters[0] ?? "") ?? "" }));
}

/**
 * Returns the chains whose box is under this point of the image. Of several boxes it takes the smallest, which
 * the others hide.
 */
export function under(boxes: readonly Shown[], x: number, y: number): string[] {
  let best: Shown | null = null;
  for (const shown of boxes) {
    const [left, top, right, bottom] = shown.box;
    if (x < left || x >= right || y < top || y >= bottom) continue;
    if (best === null || area(shown.box) < area(best.box)) best = shown;
  }
  return best?.letters ?? [];
}

const area = ([left, top, right, bottom]: Edges): number => (right - left) * (bottom - top);

interface Tagged {
  rect: { x: number; y: number };
  letters: readonly string[];
}

/** The size of a box's tag in screen pixels. */
export const tagWidth = ({ letters }: Pick<Tagged, "letters">): number => 8 + 9 * letters.join("").length;
/** If corners are nearer than this, their tags would cover one another. */
const NEAR = 12;

/**
 * Returns for each box how far its tag is moved to the right, in pixels: tags of boxes with the same corner
 * stand in a row.
 */
export function tagOffsets(boxes: readonly Tagged[]): number[] {
  return boxes.map(({ rect }, place) =>
    boxes
      .slice(0, place)
      .filter((other) => Math.abs(other.rect.x - rect.x) < NEAR && Math.abs(other.rect.y - rect.y) < NEAR)
      .reduce((sum, other) => sum + tagWidth(other) + 1, 0),
  );
}

/** Describes what merging does in a sentence. */
export function sayMerged({ boxes, boxes_raw, chains, chains_raw }: Merged): string {
  const fewer = (before: number, after: number, one: string, many: string): string => {
    const gone = before - after;
    return gone === 0 ? `no ${one}` : `${String(gone)} of ${String(before)} ${before === 1 ? one : many}`;
  };
  return `Merging removes ${fewer(boxes_raw, boxes.length, "box", "boxes")} and ${fewer(chains_raw, chains, "chain", "chains")}.`;
}

/** Returns each box that is left of several, with the boxes that it was made of. */
export function sayOrigins({ boxes }: Merged): string[] {
  return boxes
    .filter(({ from }) => from.length > 1)
    .map(({ from, box }) => {
      const parts = from.map((one) => `${one.letter} ${one.box.join(" ")}`).join("; ");
      return `${box.join(" ")} is the median of ${String(from.length)}: ${parts}`;
    });
}
