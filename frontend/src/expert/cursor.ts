/** Where the cursor goes among the words and phrases of the captions. */

import { phrases, type Doc, type Place, type Word } from "./annotation";

type Words = readonly (readonly Word[])[];

/** Returns the words and phrases of a caption by their first words, as the arrows go through them. */
export function stops(doc: Doc, words: Words, caption: number): number[] {
  const own = doc.captions[caption] ?? [];
  return (words[caption] ?? [])
    .map((_, place) => place)
    .filter((place) => !own.some(({ start, end }) => start < place && place < end));
}

/** Returns the next stop or the one before, also in the caption beside. At either end it is the same place. */
export function beside(doc: Doc, words: Words, at: Place, by: -1 | 1): Place {
  const all = stops(doc, words, at.caption);
  const target = all[all.findIndex((stop) => stop >= at.start) + by];
  if (target !== undefined) return { caption: at.caption, start: target };
  const other = stops(doc, words, at.caption + by);
  const edge = by === 1 ? other[0] : other.at(-1);
  return edge === undefined ? at : { caption: at.caption + by, start: edge };
}

/** Returns the stop at the same word of another caption, or the last one before it. */
export function inCaption(doc: Doc, words: Words, at: Place, caption: number): Place {
  const target = stops(doc, words, caption).findLast((stop) => stop <= at.start);
  return target === undefined ? at : { caption, start: target };
}

/** Returns the next phrase after a place, or from the beginning, that has no chain. */
export function following(doc: Doc, at: Place): Place {
  const all = phrases(doc).filter(({ visual, chain }) => visual && chain === "");
  const after = all.find(
    (phrase) =>
      phrase.at.caption > at.caption || (phrase.at.caption === at.caption && phrase.start > at.start),
  );
  return (after ?? all[0])?.at ?? at;
}
