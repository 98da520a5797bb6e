/** What a page sees of the work: the contract between the pages and `Work`. */

import type { Money, Receipt, Stage } from "../api/types";
import type { Draft, Entry } from "./draft";

export type Phase =
  | { kind: "loading" }
  /** A page is in hand: `draft` is there. */
  | { kind: "working" }
  /** All answers are on their way, or wait for the network. */
  | { kind: "sending" }
  | { kind: "done"; receipt: Receipt }
  /** The page was given back; `next` claims another. */
  | { kind: "returned" }
  /** No work for this worker now; asked again by itself. */
  | { kind: "nothing" }
  /** The page is being worked on in another tab. */
  | { kind: "elsewhere" }
  /** The token is missing or not valid any more; the draft is kept. */
  | { kind: "signin" }
  /** 403: the researcher has to be asked. */
  | { kind: "refused"; detail: string }
  /** Nothing could be loaded; tried again by itself, and at once by `retry`. */
  | { kind: "failed"; detail: string };

/** Where the answers are kept: in IndexedDB, or, where the browser forbids it, in memory only. */
export type Kept = "saved" | "saving" | "memory";

/** `soon`: it ends and is not being renewed. `over`: submitting still counts, where answers are needed. */
export type LeaseState = "unknown" | "held" | "soon" | "over";

/** A page whose answers the server does not take. They are kept until the worker has seen this. */
export interface Aside {
  /** Of the assignment. */
  id: string;
  stage: Stage;
  /** How many answers it has. */
  answers: number;
  /** What the server said. */
  detail: string;
}

export interface WorkView {
  readonly stage: Stage;
  readonly phase: Phase;
  readonly draft: Draft | null;
  readonly online: boolean;
  readonly kept: Kept;
  /** Seconds until the lease ends; null while none is known. Negative: it is over, submitting still counts. */
  readonly leaseLeft: number | null;
  readonly lease: LeaseState;
  /** Submissions that wait for the network, of all stages. */
  readonly waiting: number;
  /** What this browser session earned. */
  readonly earned: Money[];
  /** What the server said of single answers (400), by place; at `items.length` what it said of the page. */
  readonly problems: ReadonlyMap<number, string>;
  /** Pages of this worker that could not be delivered. */
  readonly aside: readonly Aside[];
  /** Why the last wish (giving back, fresh picture links) was not met; null when all is well. */
  readonly notice: string | null;

  start(): Promise<void>;
  stop(): void;
  /** Changes the entry shown (the answer, marks, comment, flag). */
  change(entry: Partial<Entry>): void;
  /** Shows another item; `items.length` is the overview. */
  go(place: number): void;
  /** Sends all answers; with some missing, shows the first item without one. */
  submit(): Promise<void>;
  giveBack(): Promise<void>;
  /** After `done` and `returned`: the next page. */
  next(): Promise<void>;
  /** After `elsewhere`: work on it here. */
  takeOver(): void;
  /** `failed`: tries again. `sending`: sends now. `working`: fetches fresh picture links. */
  retry(): Promise<void>;
  /**
   * After `signin`: a new token or link. True when it is the same worker's (or the first). False: another
   * worker's, who goes on with work of their own, or, with `phase` still `signin`, no token at all.
   */
  signIn(tokenOrLink: string): Promise<boolean>;
  /** The worker has seen that this page could not be delivered: its answers are deleted. */
  acknowledge(id: string): Promise<void>;
}

/** What the browser tells the work. */
export interface Signals {
  /** The worker did something: time counts, and the lease is kept. */
  active(): void;
  visible(visible: boolean): void;
  network(online: boolean): void;
  /** The page goes away, this moment. */
  leave(): void;
}
