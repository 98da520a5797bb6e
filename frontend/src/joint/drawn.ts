/** The boxes that a worker has drawn for an item, and the points of the next one. Pure. */

import type { Answer, DrawnBy, Edges, NoBoxes } from "../api/types";
import { isBag, isEdges } from "../api/shape";
import { height, MIN_DRAWN, width } from "../geometry/box";
import type { Entry } from "../work/draft";

/** The API takes at most so many boxes in an answer. */
export const MAX_BOXES = 100;

export interface Work {
  readonly drawn: readonly Box[];
  readonly marks: Entry["marks"];
  /** The suggestions that were discarded, counted from 0, if any were. */
  readonly hidden?: readonly number[];
  /** The answer, if it has no boxes: none is needed, or the photograph is unusable. */
  readonly other?: Answer | undefined;
}

/** The reasons why no box is drawn, in the order of their keys. */
export const REASONS: readonly NoBoxes[] = ["scene", "nobox", "done"];

/** Whether a worker is asked for a reason. "early": they said that all have a box, and none has. */
export type Asking = boolean | "early";

/** A box of the answer. */
export interface Box {
  readonly box: Edges;
  readonly scale?: number;
  /** The suggestion that it was before it was accepted, counted from 0. */
  readonly suggestion?: number;
}

const boxesIn = (answer: Answer | null): Box[] =>
  answer !== null && "boxes" in answer && !("missing" in answer)
    ? answer.boxes.flatMap((one) => (isEdges(one.box) ? { ...one, box: one.box } : []))
    : [];

export const workOf = ({ answer, marks, part }: Pick<Entry, "answer" | "marks" | "part">): Work => ({
  drawn: boxesIn(answer),
  marks,
  ...(answer && !("boxes" in answer) && { other: answer }),
  ...(isBag(part) && Array.isArray(part.hidden) && { hidden: part.hidden.filter(Number.isInteger) }),
});

/** Returns the reason that was given for drawing no box, or null. */
export const reasonIn = (answer: Answer | null): NoBoxes | null =>
  answer !== null && "none" in answer ? answer.none : null;

/** Returns what the work is as an answer. As long as there is no box and nothing was said, it is none. */
export const answerOf = ({ drawn, other }: Work): Answer | null =>
  drawn.length > 0 ? { boxes: [...drawn] } : (other ?? null);

/** Returns the place of a box with just these edges, or -1. The server takes each box once. */
export const placeOfSame = ({ drawn }: Work, box: Edges): number =>
  drawn.findIndex((one) => String(one.box) === String(box));

/** Returns the work with a box put at a place, where there may be one already, and without points. */
export function put(work: Work, place: number, box: Edges, scale: number): Work {
  const { drawn } = work;
  const made = { ...drawn[place], box, scale: Math.round(scale * 1e4) / 1e4 };
  return { ...work, drawn: [...drawn.slice(0, place), made, ...drawn.slice(place + 1)], marks: [] };
}

/** Returns the boxes that no model suggested. */
export const ownOf = ({ drawn }: Work): Box[] => drawn.filter((one) => one.suggestion === undefined);

/**
 * Returns the number of each box. One that was suggested keeps the number of the suggestion, and the others are
 * counted after all `suggested` ones, so that no two things on the page have one number.
 */
export function numbersOf({ drawn }: Work, suggested: number): number[] {
  let last = suggested;
  return drawn.map(({ suggestion = suggested }) => (suggestion < suggested ? suggestion + 1 : ++last));
}

/** Returns how all boxes were drawn, after another one was, with the ways of the `count` boxes before. */
export function wayOfAll(before: DrawnBy | undefined, count: number, way: DrawnBy): DrawnBy | undefined {
  if (count === 0) return way;
  return before === undefined || before === way ? before : "several";
}

export const without = (work: Work, place: number): Work => ({
  ...work,
  drawn: work.drawn.filter((_, at) => at !== place),
  marks: [],
});

/** Takes the last point away, else the box in hand or the last one. Returns null if there is nothing. */
export function takenBack(work: Work, held: number | null): Work | null {
  if (work.marks.length > 0) return { ...work, marks: work.marks.slice(0, -1) };
  return work.drawn.length > 0 ? without(work, held ?? work.drawn.length - 1) : null;
}

/** Whether the box is so small on the screen that its edges have to be set again from close by. */
export const isSmall = (box: Edges, scale: number): boolean =>
  Math.min(width(box), height(box)) * scale < MIN_DRAWN;

export const same = (a: Work, b: Work): boolean => JSON.stringify(a) === JSON.stringify(b);
