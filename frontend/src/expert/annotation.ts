/**
 * What a researcher says about an image: phrases with types, chains with boxes and flags. A document is never
 * changed: each function returns a new one, so that it can be undone.
 */

import type { Edges } from "../api/types";
import { iou } from "../geometry/box";

/** The name of a type: one of the eight, or one that the project added. */
export type Type = string;

/** Why a chain has no box. */
export type Flag = "" | "scene" | "nobndbox";

/** A token of a caption, with the text before it. `types` are those of a phrase that ends with it. */
export interface Word {
  before: string;
  text: string;
  types: readonly Type[];
}

/** Words `start` to `end` of a caption, half open. Without a chain, `chain` is empty. */
export interface Phrase {
  readonly start: number;
  readonly end: number;
  readonly types: readonly Type[];
  readonly visual: boolean;
  readonly chain: string;
}

export interface Chain {
  readonly boxes: readonly Edges[];
  readonly flag: Flag;
}

export interface Doc {
  /** The phrases of each caption, in order. */
  readonly captions: readonly (readonly Phrase[])[];
  /** By letter. A chain that no phrase has is left out of what is sent. */
  readonly chains: Readonly<Record<string, Chain>>;
  /** The suggestion that a box is from, by the edges of the box. */
  readonly taken?: Readonly<Record<string, number>>;
}

/** A phrase is named by its caption and its first word. */
export interface Place {
  readonly caption: number;
  readonly start: number;
}

/** What is wrong with a document, and where. */
export interface Trouble {
  readonly says: string;
  readonly at?: Place;
  readonly chain?: string;
}

const NOTHING: Chain = { boxes: [], flag: "" };
/** Boxes that overlap so much (IoU) are the same box. */
const SAME = 0.7;

export const phraseAt = (doc: Doc, { caption, start }: Place): Phrase | null =>
  doc.captions[caption]?.find((phrase) => phrase.start === start) ?? null;

export const chainOf = (doc: Doc, letter: string): Chain => doc.chains[letter] ?? NOTHING;

/** Returns the name of the n-th chain, from 0: A, B, …, Z, AA, … */
export function letterOf(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : letterOf(Math.floor(place / 26) - 1) + last;
}

/** Returns the place of a chain's name, from 0. */
export const placeOf = (letter: string): number =>
  [...letter].reduce((sum, sign) => sum * 26 + sign.charCodeAt(0) - 64, 0) - 1;

/** Returns the letters of the chains that have a phrase, in order. */
export function letters(doc: Doc): string[] {
  const found = new Set(doc.captions.flatMap((phrases) => phrases.map(({ chain }) => chain)));
  found.delete("");
  return [...found].sort((a, b) => placeOf(a) - placeOf(b));
}

/** Returns the first letter that no chain has. */
export function freeLetter(doc: Doc): string {
  const used = new Set(letters(doc));
  let place = 0;
  while (used.has(letterOf(place))) place += 1;
  return letterOf(place);
}

/** Returns every phrase with its place, in reading order. */
export function phrases(doc: Doc): (Phrase & { at: Place })[] {
  return doc.captions.flatMap((own, caption) =>
    own.map((phrase) => ({ ...phrase, at: { caption, start: phrase.start } })),
  );
}

function change(doc: Doc, at: Place, how: (phrase: Phrase) => Phrase): Doc {
  return {
    ...doc,
    captions: doc.captions.map((own, caption) =>
      caption === at.caption ? own.map((phrase) => (phrase.start === at.start ? how(phrase) : phrase)) : own,
    ),
  };
}

/**
 * Marks words as a phrase. Phrases that it overlaps give way; the first of them passes on its chain, and its
 * types if it ends with the same word.
 */
export function mark(doc: Doc, words: readonly Word[], caption: number, start: number, end: number): Doc {
  if (start >= end) return doc;
  const own = doc.captions[caption] ?? [];
  const gone = own.filter((phrase) => phrase.start < end && start < phrase.end);
  const heir = gone.find((phrase) => phrase.visual);
  const same = gone.find((phrase) => phrase.end === end);
  const made: Phrase = {
    start,
    end,
    types: same?.types ?? words[end - 1]?.types ?? ["other"],
    visual: true,
    chain: heir?.chain ?? "",
  };
  const all = [...own.filter((phrase) => !gone.includes(phrase)), made].sort((a, b) => a.start - b.start);
  return { ...doc, captions: doc.captions.map((old, place) => (place === caption ? all : old)) };
}

export function unmark(doc: Doc, at: Place): Doc {
  return {
    ...doc,
    captions: doc.captions.map((own, caption) =>
      caption === at.caption ? own.filter((phrase) => phrase.start !== at.start) : own,
    ),
  };
}

/** Moves the first or the last word of a phrase. It stops at other phrases, and keeps one word. */
export function stretch(doc: Doc, words: readonly Word[], at: Place, edge: "start" | "end", by: number): Doc {
  const phrase = phraseAt(doc, at);
  if (phrase === null) return doc;
  const start = phrase.start + (edge === "start" ? by : 0);
  const end = phrase.end + (edge === "end" ? by : 0);
  const others = (doc.captions[at.caption] ?? []).filter((other) => other.start !== at.start);
  if (start < 0 || end > words.length || start >= end) return doc;
  if (others.some((other) => other.start < end && start < other.end)) return doc;
  const types = edge === "end" ? (words[end - 1]?.types ?? phrase.types) : phrase.types;
  return change(doc, at, (old) => ({ ...old, start, end, types }));
}

/** Adds a type to a phrase or takes it away. One type always stays. `all` are the project's types in order. */
export function toggleType(doc: Doc, at: Place, type: Type, all: readonly Type[]): Doc {
  return change(doc, at, (phrase) => {
    const has = phrase.types.includes(type);
    const types = all.filter((one) => (one === type ? !has : phrase.types.includes(one)));
    return types.length === 0 ? phrase : { ...phrase, types };
  });
}

/** Says of a phrase that it names nothing one can see, or takes that back. */
export function toggleVisual(doc: Doc, at: Place): Doc {
  return change(doc, at, (phrase) => ({ ...phrase, visual: !phrase.visual, chain: "" }));
}

/** Puts a phrase into a chain. A chain that loses its last phrase so passes on its boxes. */
export function assign(doc: Doc, at: Place, letter: string): Doc {
  const phrase = phraseAt(doc, at);
  if (phrase === null || (phrase.chain === letter && phrase.visual)) return doc;
  const there = letters(doc).includes(letter);
  const before = there ? doc : { ...doc, chains: { ...doc.chains, [letter]: NOTHING } };
  const moved = change(before, at, (old) => ({ ...old, chain: letter, visual: true }));
  return phrase.chain !== "" && !letters(moved).includes(phrase.chain)
    ? inherit(moved, phrase.chain, letter)
    : moved;
}

/** Puts all phrases of a chain into another one. */
export function join(doc: Doc, from: string, to: string): Doc {
  if (from === to) return doc;
  const own = phrases(doc).filter(({ chain }) => chain === from);
  return own.reduce((so_far, { at }) => assign(so_far, at, to), doc);
}

/** Gives a chain the boxes of another one that it does not have yet. The other one is left without any. */
function inherit(doc: Doc, from: string, to: string): Doc {
  const [lost, kept] = [chainOf(doc, from), chainOf(doc, to)];
  const more = lost.boxes.filter((box) => kept.boxes.every((other) => iou(box, other) < SAME));
  const boxes = [...kept.boxes, ...more];
  const flag = boxes.length > 0 ? "" : kept.flag || lost.flag;
  return { ...doc, chains: { ...doc.chains, [from]: NOTHING, [to]: { boxes, flag } } };
}

/** Draws a chain's box anew, adds it (if `place` is the number of boxes), or takes it away (null). */
export function setBox(doc: Doc, letter: string, place: number, box: Edges | null): Doc {
  const { boxes, flag } = chainOf(doc, letter);
  const made =
    box === null
      ? boxes.filter((_, at) => at !== place)
      : place < boxes.length
        ? boxes.map((old, at) => (at === place ? box : old))
        : [...boxes, box];
  return { ...doc, chains: { ...doc.chains, [letter]: { boxes: made, flag: box === null ? flag : "" } } };
}

/** A box of another chain, by the chain and its place there. */
export interface Foreign {
  readonly letter: string;
  readonly place: number;
  readonly box: Edges;
}

/** Returns the boxes of other chains that a chain does not have itself, in order. */
export function foreign(doc: Doc, letter: string): Foreign[] {
  const own = chainOf(doc, letter).boxes;
  return letters(doc)
    .filter((other) => other !== letter)
    .flatMap((other) => chainOf(doc, other).boxes.map((box, place) => ({ letter: other, place, box })))
    .filter(({ box }) => own.every((one) => String(one) !== String(box)))
    .filter(({ box }, at, all) => all.findIndex((one) => String(one.box) === String(box)) === at);
}

/** Gives a chain the box of another one, too. */
export const takeOver = (doc: Doc, letter: string, { box }: Foreign): Doc =>
  setBox(doc, letter, chainOf(doc, letter).boxes.length, box);

/** Says what differs between two documents: the first phrase, and the first chain whose boxes or flag do. */
export function difference(before: Doc, after: Doc): { at: Place | null; letter: string } {
  const known = new Set(phrases(before).map((phrase) => JSON.stringify(phrase)));
  const at = phrases(after).find((phrase) => !known.has(JSON.stringify(phrase)))?.at ?? null;
  const letter = letters(after).find(
    (one) => JSON.stringify(chainOf(before, one)) !== JSON.stringify(chainOf(after, one)),
  );
  return { at, letter: letter ?? "" };
}

/** Says why a chain has no box, or takes that back. Its boxes are taken away. */
export function toggleFlag(doc: Doc, letter: string, flag: Exclude<Flag, "">): Doc {
  const before = chainOf(doc, letter);
  const after: Chain = before.flag === flag ? { ...before, flag: "" } : { boxes: [], flag };
  return { ...doc, chains: { ...doc.chains, [letter]: after } };
}

/** Whether a chain has a box, or a reason why it has none. */
export function settled(doc: Doc, letter: string): boolean {
  const { boxes, flag } = chainOf(doc, letter);
  return boxes.length > 0 || flag !== "";
}

/** Returns the text of words. */
export const textOf = (words: readonly Word[], start: number, end: number): string =>
  words
    .slice(start, end)
    .map(({ before, text }, place) => (place === 0 ? "" : before) + text)
    .join("");

/** Returns the longest phrase of a chain, which stands for it. */
export function nameOf(doc: Doc, captions: readonly (readonly Word[])[], letter: string): string {
  let best = "";
  for (const { at, start, end, chain } of phrases(doc)) {
    const text = textOf(captions[at.caption] ?? [], start, end);
    if (chain === letter && text.length > best.length) best = text;
  }
  return best;
}

/** Returns what has to be mended before the document can be stored. A correction may leave chains open. */
export function troubles(doc: Doc, captions: readonly (readonly Word[])[], correction: boolean): Trouble[] {
  const loose = phrases(doc)
    .filter(({ visual, chain }) => visual && chain === "")
    .map(({ at, start, end }) => ({
      says: `“${textOf(captions[at.caption] ?? [], start, end)}” has no chain`,
      at,
    }));
  const bare = correction ? [] : letters(doc).filter((letter) => !settled(doc, letter));
  return [
    ...loose,
    ...bare.map((letter) => ({
      says: `${letter}: “${nameOf(doc, captions, letter)}” has no box and no reason why`,
      chain: letter,
    })),
  ];
}

/** Returns the document as the server takes it. */
export function answerOf(doc: Doc): {
  captions: { phrases: { start: number; end: number; types: readonly Type[]; chain: string }[] }[];
  chains: { name: string; boxes: readonly Edges[]; flag: Flag }[];
} {
  return {
    captions: doc.captions.map((own) => ({
      phrases: own.map(({ start, end, types, visual, chain }) => ({
        start,
        end,
        types,
        chain: visual ? chain : "",
      })),
    })),
    chains: letters(doc).map((name) => ({ name, ...chainOf(doc, name) })),
  };
}
