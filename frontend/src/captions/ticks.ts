/** Which captions a worker has ticked so far. Pure. */

import type { Entry } from "../work/draft";

/** Returns the ticks of so many captions: those of an unfinished answer, or of the answer. */
export function ticksIn({ part, answer }: Pick<Entry, "part" | "answer">, captions: number): boolean[] {
  const kept: unknown = part ?? (answer && "describes" in answer ? answer.describes : []);
  const known: unknown[] = Array.isArray(kept) && kept.length === captions ? kept : [];
  return Array.from({ length: captions }, (_, place) => known[place] === true);
}

/** Returns the ticks with the one at a place changed. */
export const ticked = (ticks: readonly boolean[], place: number): boolean[] =>
  ticks.map((is, at) => (at === place ? !is : is));

/** Returns the place of a caption, from 0, that a digit means (0 is the tenth), or null. */
export function placeOfKey(key: string): number | null {
  return /^\d$/.test(key) ? (Number(key) + 9) % 10 : null;
}
