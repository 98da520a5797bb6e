/** How a call can end. Nothing here throws: a lost network is an ordinary day. */

import { isBag } from "./shape";
import type { Standing } from "./types";

/** What the server says about one field of the request. */
export interface FieldProblem {
  /** JSON pointer (RFC 6901) into the body that was sent. */
  pointer: string;
  detail: string;
}

export interface Success<T> {
  ok: true;
  /** HTTP status */
  status: number;
  data: T;
  /** Seconds to wait before asking again, if the server named them. */
  retryAfter: number | null;
}

export type Failure = { ok: false; detail: string } & (
  | { kind: "offline" }
  | { kind: "unauthorised" }
  /** `standing` says why a stage is not open to the worker, if that is the reason. */
  | { kind: "refused"; standing?: Standing["standing"] }
  | { kind: "gone" }
  /** `held`: as many pages as the worker may hold, if that is the reason. */
  | { kind: "over"; held?: unknown }
  | { kind: "invalid"; errors: FieldProblem[] }
  /** `limited`: too many requests came from here (429). */
  | { kind: "busy"; retryAfter: number | null; limited?: true }
);

export type Result<T> = Success<T> | Failure;

/** The longest `Retry-After` that is believed, in seconds. */
const MAX_WAIT = 300;

/**
 * Returns the seconds of a `Retry-After` header (a number or a date), at most `MAX_WAIT`, or null if it
 * cannot be read.
 */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === "") return null;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), MAX_WAIT);
}

/** Returns the failure of a reply, by its status and its problem document (RFC 9457). */
export function failure(status: number, body: unknown, wait: number | null): Failure {
  const problem = isBag(body) ? body : {};
  const detail = typeof problem.detail === "string" ? problem.detail : `HTTP ${status}`;
  if (status === 401) return { ok: false, kind: "unauthorised", detail };
  if (status === 403) {
    const standing = problem.standing as Standing["standing"] | undefined;
    return { ok: false, kind: "refused", detail, ...(standing && { standing }) };
  }
  if (status === 404) return { ok: false, kind: "gone", detail };
  if (status === 409) return { ok: false, kind: "over", detail, held: problem.pages_held };
  if (status >= 500 || status === 429 || status === 408)
    return { ok: false, kind: "busy", detail, retryAfter: wait, ...(status === 429 && { limited: true }) };
  return { ok: false, kind: "invalid", detail, errors: fieldProblems(problem.errors) };
}

function fieldProblems(errors: unknown): FieldProblem[] {
  if (!Array.isArray(errors)) return [];
  return errors.filter(
    (e): e is FieldProblem => isBag(e) && typeof e.pointer === "string" && typeof e.detail === "string",
  );
}
