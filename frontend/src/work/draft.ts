/** What a worker has answered on a page so far. Pure: every function returns a new draft. */

import { fits, isBag, isPage } from "../api/shape";
import type { Answer, DrawnBy, Page, Reply } from "../api/types";

/** One item's answer as far as it was given. */
export interface Entry {
  answer: Answer | null;
  /** Extreme points clicked so far, [x, y] in image pixels; a reload brings them back. */
  marks: [x: number, y: number][];
  /** Set while the answer is a box that was drawn and not confirmed yet. The item is then still open. */
  unconfirmed?: true | undefined;
  /** What is kept besides: of a joint check (joint/checked.ts), or of suggestions (joint/drawn.ts). */
  part?: unknown;
  /** How the box was drawn. */
  drawnBy?: DrawnBy | undefined;
  /** What is sent besides, once the page has shown what it says. */
  also?: Pick<Reply, "suggestions_shown">;
  comment: string;
  chunkFlag: boolean;
  /** The indexes of captions that are about another photograph. */
  unrelated?: number[] | undefined;
  /** Time on the item, in seconds. */
  seconds: number;
}

export interface Draft {
  page: Page;
  /** Which item is shown, from 0; `page.items.length` is the overview before submitting. */
  place: number;
  entries: Entry[];
}

/** The limits of the API, in characters and in seconds. */
export const MAX_COMMENT_LENGTH = 2000;
const MAX_TIME = 86_400;

export const BLANK: Entry = { answer: null, marks: [], comment: "", chunkFlag: false, seconds: 0 };

/** Returns the draft of a page that was not worked on yet. */
export function begin(page: Page): Draft {
  return { page, place: 0, entries: page.items.map(() => BLANK) };
}

/** Changes the entry at the place shown. At the overview, there is no entry to change. */
export function change(draft: Draft, entry: Partial<Entry>): Draft {
  const said = entry.comment === undefined ? entry : { ...entry, comment: sendable(entry.comment) };
  return replace(draft, draft.place, (old) => ({ ...old, ...said }));
}

/** Adds time to the entry at the place shown. */
export function spend(draft: Draft, seconds: number): Draft {
  return seconds > 0 ? replace(draft, draft.place, (e) => ({ ...e, seconds: e.seconds + seconds })) : draft;
}

function replace(draft: Draft, place: number, by: (old: Entry) => Entry): Draft {
  return { ...draft, entries: draft.entries.map((entry, n) => (n === place ? by(entry) : entry)) };
}

/** Shows another item. If the place is outside of the page, the nearest item is shown. */
export function go(draft: Draft, place: number): Draft {
  return { ...draft, place: Math.min(Math.max(Math.trunc(place), 0), draft.page.items.length) };
}

export function answered(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.answer !== null && !entry.unconfirmed;
}

/** Whether the worker has entered anything for the item: an answer, half an answer, a comment or a flag. */
export function touched(entry: Entry | undefined): boolean {
  return (
    entry !== undefined &&
    (entry.answer !== null ||
      entry.marks.length > 0 ||
      !!entry.part ||
      entry.comment !== "" ||
      entry.chunkFlag ||
      !!entry.unrelated?.length)
  );
}

/** Returns the first place without an answer, or -1 if the page can be submitted. */
export function firstOpen(draft: Draft): number {
  return draft.page.items.findIndex((_, place) => !answered(draft.entries[place]));
}

/** Returns how many items, with the one shown, can still be answered "cannot tell"; undefined if never any. */
export function unsureLeft({ page, place, entries }: Draft): number | undefined {
  if (!page.unsure) return undefined;
  const others = entries.filter(({ answer }, n) => n !== place && answer !== null && "unsure" in answer);
  return Math.max(page.unsure - others.length, 0);
}

/** Returns the draft with the page as the server shows it now: picture links are fresh, and answers stay. */
export function refreshed(draft: Draft, page: Page): Draft {
  const entries = page.items.map((_, place) => draft.entries[place] ?? BLANK);
  return go({ ...draft, page, entries }, draft.place);
}

/** Joins two drafts of one page: the later one, with what only the earlier one contains. */
export function merged(later: Draft, earlier: Draft): Draft {
  const entries = later.entries.map((entry, place) => {
    const other = earlier.entries[place];
    return other && touched(other) && !touched(entry) ? other : entry;
  });
  return { ...later, place: later.entries.some(touched) ? later.place : earlier.place, entries };
}

/** Returns what is sent: every answer that was given, in the order of the items. */
export function replies(draft: Draft): Reply[] {
  return draft.page.items.flatMap(({ item }, place) => {
    const entry = draft.entries[place];
    if (!entry?.answer || entry.unconfirmed) return [];
    return {
      item,
      answer: entry.answer,
      seconds: Math.min(Math.round(entry.seconds * 10) / 10, MAX_TIME),
      ...(entry.drawnBy && draws(entry.answer) && { drawn_by: entry.drawnBy }),
      ...entry.also,
      comment: sendable(entry.comment),
      chunk_flag: entry.chunkFlag,
      ...(entry.unrelated?.length && { unrelated: entry.unrelated }),
    };
  });
}

/** Whether the answer has boxes of its own. */
const draws = (answer: Answer): boolean =>
  "box" in answer ? answer.box !== null : "boxes" in answer && !("missing" in answer);

/** Removes what databases do not accept (NUL, half a surrogate pair), and cuts it to the limit in code points. */
function sendable(comment: string): string {
  const clean = comment.replace(/\0|\p{Surrogate}/gu, "");
  return clean.length <= MAX_COMMENT_LENGTH ? clean : [...clean].slice(0, MAX_COMMENT_LENGTH).join("");
}

/** Reads a draft that was stored by this or an earlier version of the page. Returns null if it has another shape. */
export function draftIn(value: unknown): Draft | null {
  if (!isBag(value) || !isPage(value.page) || !Array.isArray(value.entries)) return null;
  const { page, place, entries } = value;
  if (typeof place !== "number" || entries.length !== page.items.length) return null;
  return entries.every((entry) => isEntry(page, entry)) ? go({ page, place, entries }, place) : null;
}

function isEntry(page: Page, value: unknown): value is Entry {
  return (
    isBag(value) &&
    (value.answer === null || fits(page.stage, value.answer)) &&
    Array.isArray(value.marks) &&
    value.marks.every((m) => Array.isArray(m) && m.length === 2 && m.every((n) => Number.isFinite(n))) &&
    typeof value.comment === "string" &&
    typeof value.chunkFlag === "boolean" &&
    (value.unrelated === undefined ||
      (Array.isArray(value.unrelated) && value.unrelated.every(Number.isInteger))) &&
    Number.isFinite(value.seconds)
  );
}
