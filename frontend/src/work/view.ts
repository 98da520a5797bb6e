/** What a page sees of the work. This is the contract between the pages and `Work`. */

import type { Money, Receipt, Stage } from "../api/types";
import type { Draft, Entry } from "./draft";

export type Phase =
  | { kind: "loading" }
  /** The worker holds a page, which is in `draft`. */
  | { kind: "working" }
  /** All answers are on their way, or wait for the network. */
  | { kind: "sending" }
  | { kind: "done"; receipt: Receipt }
  /** The page was given back; `next` claims another. */
  | { kind: "returned" }
  /** There is no work for this worker now. The server is asked again automatically. */
  | { kind: "nothing" }
  /** The page is being worked on in another tab. */
  | { kind: "elsewhere" }
  /** The token is missing, or it has `ended`; the draft is kept. */
  | { kind: "signin"; ended?: boolean }
  /** 403: the worker has to ask the researcher. */
  | { kind: "refused"; detail: string }
  /**
   * Nothing could be loaded. It is tried again automatically, and at once by `retry`. `held`: the number of pages
   * that the worker holds, if it is too many.
   */
  | { kind: "failed"; detail: string; held?: unknown };

/** Where the answers are kept: in IndexedDB, or in memory only if the browser forbids it. */
export type Kept = "saved" | "saving" | "memory";

/** `soon`: it ends, and is not being renewed. `over`: submitted answers still count if they are needed. */
export type LeaseState = "unknown" | "held" | "soon" | "over";

/** A page whose answers the server does not accept. They are kept until the worker has seen this. */
export interface Aside {
  /** The assignment's id. */
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
  /**
   * Seconds until the lease ends, or null if none is known. If they are negative, it has ended, but submitting
   * still counts.
   */
  readonly leaseLeft: number | null;
  readonly lease: LeaseState;
  /** Submissions that wait for the network, of all stages. */
  readonly waiting: number;
  /** What this browser session earned. */
  readonly earned: Money[];
  /** What the server said about single answers (400), by place, and about the page, at `items.length`. */
  readonly problems: ReadonlyMap<number, string>;
  /** Pages of this worker that could not be delivered. */
  readonly aside: readonly Aside[];
  /** Why the last request (to give back, or for fresh picture links) failed, or null if all is well. */
  readonly notice: string | null;
  /** The receipt of the page before, until something is entered on this one. */
  readonly receipt?: Receipt | null;

  start(): Promise<void>;
  stop(): void;
  /** Changes the entry shown (the answer, marks, comment, flag). */
  change(entry: Partial<Entry>): void;
  /** Shows another item; `items.length` is the overview. */
  go(place: number): void;
  /** Sends all answers. If some are missing, shows the first item without one. */
  submit(): Promise<void>;
  /**
   * Seconds until the page is sent by itself, or null if it waits for the worker. A sample and a test have none
   * of this.
   */
  readonly sendsIn?: number | null;
  /** Sends the page after some seconds, unless anything is changed or the page is hidden before. */
  sendSoon?(): void;
  /** Ends the countdown. The page waits for `submit`. */
  hold?(): void;
  giveBack(): Promise<void>;
  /** After `done` and `returned`: goes on to the next page. */
  next(): Promise<void>;
  /** After `elsewhere`: continues the work here. */
  takeOver(): void;
  /** `failed`: tries again. `sending`: sends now. `working`: fetches fresh picture links. */
  retry(): Promise<void>;
  /**
   * After `signin`: uses a new token or link. Returns true if it is the same worker's, or the first one. If it
   * returns false, it is another worker's, who continues with their own work, or (if `phase` is still `signin`)
   * it is not a token.
   */
  signIn(tokenOrLink: string): Promise<boolean>;
  /** Deletes the answers of a page that could not be delivered, since the worker has seen this. */
  acknowledge(id: string): Promise<void>;
}

/** What the browser tells the work. */
export interface Signals {
  /** The worker did something. So time counts, and the lease is renewed. */
  active(): void;
  /** The worker turned to another window, which may lie beside this one. */
  away(): void;
  visible(visible: boolean): void;
  network(online: boolean): void;
  /** The page goes away at this moment. */
  leave(): void;
}
