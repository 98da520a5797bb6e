/** A page's answers as they are kept on the device. A page has one record, so nothing is ever between two places. */

import { isBag } from "../api/shape";
import { answered, change, draftIn, merged, touched, type Draft, type Entry } from "./draft";
import type { Aside } from "./view";

/**
 * `waiting`: submitted here, without a receipt yet. `aside`: the server does not accept it, and it is kept
 * until the worker has been told.
 */
export type State = "draft" | "waiting" | "aside";

export interface Record {
  version: 1;
  /** The worker, as in `subjectOf(token)`. */
  subject: string;
  state: State;
  draft: Draft;
  /** The tab that works on it. Late writes of other tabs are refused. */
  owner: string;
  /** The time of the worker's last change, in ms since 1970. 0: nothing was entered yet. */
  changed: number;
  /** What the server said about single places, or about the whole page. */
  problems: [place: number, detail: string][];
}

export function keyOf(subject: string, id: string): string {
  return `${subject}/${id}`;
}

export function fresh(subject: string, draft: Draft, owner: string): Record {
  return { version: 1, subject, state: "draft", draft, owner, changed: 0, problems: [] };
}

/** Reads what came out of storage. Returns null if it has another shape (an older or a newer version, or damage). */
export function recordIn(value: unknown): Record | null {
  if (!isBag(value) || value.version !== 1) return null;
  const { subject, state, owner, changed, problems } = value;
  const draft = draftIn(value.draft);
  if (draft === null || typeof subject !== "string" || typeof owner !== "string") return null;
  if (state !== "draft" && state !== "waiting" && state !== "aside") return null;
  if (typeof changed !== "number" || !Array.isArray(problems) || !problems.every(isProblem)) return null;
  return { version: 1, subject, state, draft, owner, changed, problems };
}

function isProblem(value: unknown): value is [number, string] {
  return Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "string";
}

/** Returns the record with what was entered at the place that is shown. What the server said about it is gone. */
export function entered(record: Record, entry: Partial<Entry>): Record {
  const problems = record.problems.filter(([place]) => place !== record.draft.place);
  return { ...record, draft: change(record.draft, entry), problems };
}

export function anythingSaid(record: Record): boolean {
  return record.draft.entries.some(touched);
}

/**
 * `mine` becomes the record, with what an earlier tab had entered. What this tab has taken back is not entered
 * again. A submission that is on its way remains one. If a page was set aside and the worker holds it again, it
 * is a draft again.
 */
export function taken(old: Record | null, mine: Record): Record {
  if (old === null) return mine;
  if (old.state === "waiting") return old;
  const own = old.owner === mine.owner;
  const newer = own ? mine.changed >= old.changed : mine.changed > old.changed;
  const [later, earlier] = newer ? [mine, old] : [old, mine];
  const draft = { ...(own ? later.draft : merged(later.draft, earlier.draft)), page: mine.draft.page };
  return { ...mine, draft, changed: later.changed, problems: later.problems };
}

/**
 * `mine` replaces the record that was written before, unless another tab has taken the page or submitted it, or
 * there are later answers. If the record is gone (delivered, given back, forgotten at signing out), it stays
 * gone.
 */
export function saved(old: Record | null, mine: Record): Record | null {
  if (old === null || old.owner !== mine.owner || old.state === "waiting") return old;
  return old.changed > mine.changed ? old : mine;
}

/** Returns what a record becomes when the server does not accept it. `detail` is what the server said, or empty. */
export function asideOf(record: Record, detail: string): Record {
  return { ...record, state: "aside", problems: [[record.draft.page.items.length, detail]] };
}

/** Returns a page that was set aside in the form in which the worker is told of it. */
export function asideIn({ draft, problems }: Record): Aside {
  const { id, stage } = draft.page;
  return { id, stage, answers: draft.entries.filter(answered).length, detail: problems[0]?.[1] ?? "" };
}

/** Returns what the server said, by place. */
export function problemsOf(record: Record | null): ReadonlyMap<number, string> {
  return new Map(record?.problems);
}
