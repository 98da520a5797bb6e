/** One worker at one stage: the page in hand, the answers so far, and where they are kept. (stub: contract) */

import type { Answer, Money, Receipt, Stage } from "../api/types";
import type { Draft, Entry } from "./draft";

export type Phase =
  | { kind: "loading" }
  /** A page is in hand: `draft` is there. */
  | { kind: "working" }
  /** All answers are on their way, or wait for the network. */
  | { kind: "sending" }
  | { kind: "done"; receipt: Receipt }
  /** No work for this worker now; asked again by itself. */
  | { kind: "nothing" }
  /** The page is being worked on in another tab. */
  | { kind: "elsewhere" }
  /** The token is missing or not valid any more; the draft is kept. */
  | { kind: "signin" }
  /** 403: the researcher has to be asked. */
  | { kind: "refused"; detail: string }
  /** Nothing could be loaded; `retry` tries again. */
  | { kind: "failed"; detail: string };

/** Where the answers are kept: in IndexedDB, or, where the browser forbids it, in memory only. */
export type Kept = "saved" | "saving" | "memory";

export interface WorkView {
  readonly stage: Stage;
  readonly phase: Phase;
  readonly draft: Draft | null;
  readonly online: boolean;
  readonly kept: Kept;
  /** Seconds until the lease ends; null while none is known. Negative: it is over, submitting still counts. */
  readonly leaseLeft: number | null;
  /** Submissions that wait for the network, of all stages. */
  readonly waiting: number;
  /** What this browser session earned. */
  readonly earned: Money[];
  /** What the server said of single answers (400), by place. */
  readonly problems: ReadonlyMap<number, string>;

  start(): Promise<void>;
  stop(): void;
  /** Changes the entry shown (the answer, marks, comment, flag). */
  change(entry: Partial<Entry>): void;
  /** Shows another item; `items.length` is the overview. */
  go(place: number): void;
  submit(): Promise<void>;
  giveBack(): Promise<void>;
  /** After `done`: the next page. */
  next(): Promise<void>;
  /** After `elsewhere`: work on it here. */
  takeOver(): void;
  retry(): Promise<void>;
  /** After `signin`: a new token or link. Answers whether it is the same worker's. */
  signIn(tokenOrLink: string): Promise<boolean>;
}

export type AnswerOf = Answer;
