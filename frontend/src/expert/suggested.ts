/** A model's suggestions on the expert screen: which are offered, and which box is from which. */

import type { Edges } from "../api/types";
import { isChanged } from "../joint/one";
import { chainOf, letters, phrases, type Doc, type Place } from "./annotation";
import type { Setup } from "./setup";

type Known = NonNullable<Setup["suggested"]>["boxes"][number];

/** At most so many are shown at once. */
const MAX_OFFERED = 20;

/** A suggestion that is offered. `place`, from 0, is its number on the photograph less one. */
export interface Offered {
  readonly id: number;
  readonly place: number;
  readonly box: Edges;
}

/**
 * Returns what is suggested for the phrases of a chain, or for the phrase at the cursor if `held` is empty. Boxes
 * that the chain has are left out, and the others keep their numbers.
 */
export function offered(all: readonly Known[], doc: Doc, held: string, cursor: Place): Offered[] {
  const own = phrases(doc).filter(({ at, chain }) =>
    held === "" ? at.caption === cursor.caption && at.start === cursor.start : chain === held,
  );
  const spans = own.map(({ at, start, end }) => String([at.caption, start, end]));
  const found = all
    .filter(({ at }) => spans.includes(String(at)))
    .filter((one, place, those) => those.findIndex(({ box }) => String(box) === String(one.box)) === place);
  const { boxes } = chainOf(doc, held);
  return found
    .slice(0, MAX_OFFERED)
    .map(({ id, box }, place) => ({ id, place, box }))
    .filter(({ id, box }) =>
      boxes.every((other) => doc.taken?.[String(other)] !== id && String(other) !== String(box)),
    );
}

/** Returns the document with the suggestion that a box is from: that of the box before, if it was changed. */
export function madeFrom(doc: Doc, before: Edges | null, box: Edges | null, id?: number): Doc {
  if (box === null) return doc;
  const changed = before !== null && isChanged(before, box);
  const from = id ?? (changed ? doc.taken?.[String(before)] : undefined);
  return from === undefined ? doc : { ...doc, taken: { ...doc.taken, [String(box)]: from } };
}

/** Returns the boxes of all chains that are from a suggestion, as they are sent. */
export const takenIn = (doc: Doc): { box: Edges; suggestion: number }[] =>
  letters(doc)
    .flatMap((letter) => chainOf(doc, letter).boxes)
    .flatMap((box) => {
      const suggestion = doc.taken?.[String(box)];
      return suggestion === undefined ? [] : [{ box, suggestion }];
    });

const SWITCH = "groundcrew-expert-suggestions";

/** Whether this browser has turned suggestions off. */
export function turnedOff(): boolean {
  try {
    return localStorage.getItem(SWITCH) === "off";
  } catch {
    return false;
  }
}

export function keepTurned(off: boolean): void {
  try {
    localStorage.setItem(SWITCH, off ? "off" : "on");
  } catch {
    // Then it lasts until the page is left.
  }
}
