/** What a joint check says, as far as it has been said. Pure. */

import type { BoxJudgment, Checked, Schemas } from "../api/types";
import { isBag } from "../api/shape";
import type { Entry } from "../work/draft";

/** What can be said of a box, in the order of the keys. */
export const JUDGMENTS: readonly BoxJudgment[] = ["good", "loose", "cut", "wrong", "double"];

type Point = readonly [x: number, y: number];

export interface Part {
  /** Null: nothing has been said of the box. */
  readonly boxes: readonly (BoxJudgment | null)[];
  /** Null: nothing has been said about it. */
  readonly missing: boolean | null;
  readonly point: Point | null;
}

/** Returns what is said before the worker has said anything: all is well, or nothing. */
export function begun(boxes: number, preset: Schemas["PresetEnum"]): Part {
  const good = preset === "good";
  return {
    boxes: Array<BoxJudgment | null>(boxes).fill(good ? "good" : null),
    missing: good ? false : null,
    point: null,
  };
}

/** Returns what an entry says of so many boxes. What browsers kept may be of another page, or damaged. */
export function partOf(
  { answer, part }: Pick<Entry, "answer" | "part">,
  boxes: number,
  preset: Schemas["PresetEnum"],
): Part {
  return (
    [part, answer].map((kept) => read(kept, boxes)).find((kept) => kept !== null) ?? begun(boxes, preset)
  );
}

function read(kept: unknown, boxes: number): Part | null {
  if (!isBag(kept) || !Array.isArray(kept.boxes) || kept.boxes.length !== boxes) return null;
  const { missing, point } = kept;
  if (!kept.boxes.every((one) => one === null || JUDGMENTS.includes(one as BoxJudgment))) return null;
  if (missing !== null && typeof missing !== "boolean") return null;
  const there =
    missing === true && Array.isArray(point) && point.length === 2 && point.every(Number.isFinite);
  return {
    boxes: kept.boxes as (BoxJudgment | null)[],
    missing,
    point: there ? [Number(point[0]), Number(point[1])] : null,
  };
}

export const judged = (part: Part, place: number, said: BoxJudgment): Part => ({
  ...part,
  boxes: part.boxes.map((one, at) => (at === place ? said : one)),
});

/** Says whether something is missing. A point only belongs to something that is. */
export const withMissing = (part: Part, missing: boolean | null, point: Point | null = null): Part => ({
  ...part,
  missing,
  point: missing ? point : null,
});

/** Returns the place of the first box of which nothing has been said, or null. */
export function firstOpen({ boxes }: Part): number | null {
  const place = boxes.indexOf(null);
  return place < 0 ? null : place;
}

/** Returns the answer, or null as long as something has not been said. */
export function answerOf({ boxes, missing, point }: Part): Checked | null {
  const said = boxes.filter((one) => one !== null);
  if (said.length < boxes.length || missing === null) return null;
  return { boxes: said, missing, ...(point && { point: [...point] }) };
}

export const isBad = (one: BoxJudgment | null): boolean => one !== null && one !== "good";

export const badOnes = (boxes: readonly (BoxJudgment | null)[]): number => boxes.filter(isBad).length;
