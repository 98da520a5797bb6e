/** A worker's way through the qualification test of a stage. */

import type { Failure } from "../api/result";
import type { Answer, Explanation, Me, Outcome, Qualification, Stage, Try } from "../api/types";
import { Later } from "../work/later";
import type { Place } from "./place";
import { Trial } from "./trial.svelte";

/**
 * Why a stage is closed: no tries are left, answers were wrong later on, the platform's figures are too low, or
 * a researcher closed it.
 */
export type Reason = "tries" | "trust" | "figures" | "blocked";

export type Phase =
  | { kind: "loading" }
  /** It is tried again automatically. */
  | { kind: "failed"; offline: boolean; detail: string }
  /** The test has to be passed, and no try was begun. */
  | { kind: "intro" }
  | { kind: "training"; held: Try; place: number }
  | { kind: "explained"; held: Try; place: number; said: Answer; explanation: Explanation }
  /** The scored part comes next. */
  | { kind: "ready"; trial: Trial }
  | { kind: "testing"; trial: Trial }
  | { kind: "ended"; outcome: Outcome }
  | { kind: "waiting" }
  /** They have as many pages as one worker gets. `retryIn`: seconds until there are more, null if never. */
  | { kind: "enough"; retryIn: number | null }
  | { kind: "closed"; reason: Reason }
  /** Nothing is in the way any more. `passed`: the worker has passed the test. */
  | { kind: "open"; passed: boolean };

export class Exam {
  phase = $state.raw<Phase>({ kind: "loading" });
  /** What was known last, or null before the first reply. */
  terms = $state.raw<Qualification | null>(null);
  me = $state.raw<Me | null>(null);
  /** An answer or a request is on its way. */
  busy = $state(false);
  /** Why the last one was not accepted, or null if all is well. */
  notice = $state.raw<"offline" | { detail: string } | null>(null);

  #later: Later;
  #trial: Trial | null = null;
  #turn = 0;

  /** `signedOut`: the token is not valid any more. */
  constructor(
    readonly stage: Stage,
    private readonly place: Place,
    private readonly signedOut: () => void,
  ) {
    this.#later = new Later(place.timers, place.random, () => true);
  }

  stop(): void {
    this.#turn += 1;
    this.#later.cancel();
    this.#trial?.stop();
    this.#trial = null;
  }

  /** Finds out where the worker is. */
  async load(): Promise<void> {
    this.stop();
    const turn = this.#turn;
    const { calls } = this.place;
    const [terms, me] = await Promise.all([calls.look(this.stage), calls.me()]);
    if (turn !== this.#turn) return;
    if (me.ok) this.me = me.data;
    if (!terms.ok) return this.#failed(terms);
    this.#later.well();
    this.terms = terms.data;
    await this.#follow(terms.data);
  }

  /** Begins a try, or continues the one that was begun. */
  async begin(): Promise<void> {
    const held = await this.#ask(() => this.place.calls.begin(this.stage));
    if (held) await this.load();
  }

  /** Answers the training item that is shown. */
  async say(answer: Answer): Promise<void> {
    const { phase } = this;
    if (phase.kind !== "training") return;
    const { held, place } = phase;
    const item = held.items[place]?.item ?? 0;
    const explanation = await this.#ask(() => this.place.calls.train(held, item, answer));
    if (explanation === null) return;
    const now = { ...held, answered: [...held.answered, item] };
    this.phase = { kind: "explained", held: now, place, said: answer, explanation };
  }

  /** Goes on from an explanation, or from the text before the scored part. */
  async next(): Promise<void> {
    const { phase } = this;
    if (phase.kind === "explained") {
      const place = openIn(phase.held);
      if (place < 0) await this.load();
      else this.phase = { kind: "training", held: phase.held, place };
    } else if (phase.kind === "ready") {
      this.phase = { kind: "testing", trial: phase.trial };
      await phase.trial.start();
    }
  }

  async #follow(terms: Qualification): Promise<void> {
    const here = this.me?.stages.find(({ stage }) => stage === this.stage);
    const standing = here?.standing;
    if (standing === "blocked") this.phase = { kind: "closed", reason: "blocked" };
    else if (terms.try) await this.#goOn(terms.try);
    else if (terms.state === "none") this.phase = { kind: "intro" };
    else if (terms.state === "waiting") {
      this.phase = { kind: "waiting" };
      this.#later.in(Math.min(terms.retry_in ?? 0, MAX_WAIT) + 1, () => this.load());
    } else if (terms.state === "failed") this.phase = { kind: "closed", reason: "tries" };
    else if (terms.state === "figures") this.phase = { kind: "closed", reason: "figures" };
    else if (standing === "closed") this.phase = { kind: "closed", reason: "trust" };
    else if (standing === "enough") this.phase = { kind: "enough", retryIn: here?.retry_in ?? null };
    else this.phase = { kind: "open", passed: terms.state === "passed" };
  }

  async #goOn(held: Try): Promise<void> {
    if (held.part === "training") {
      const place = openIn(held);
      this.phase = { kind: "training", held, place: Math.max(place, 0) };
      return;
    }
    const turn = this.#turn;
    const ends = {
      scored: (outcome: Outcome) => (this.phase = { kind: "ended", outcome }),
      again: () => void this.load(),
    };
    const trial = new Trial(held, this.place, ends, this.terms?.instructions);
    this.#trial = trial;
    const begun = await trial.begun();
    if (turn !== this.#turn) return;
    this.phase = { kind: "ready", trial };
    if (begun) await this.next();
  }

  /** Returns what was asked for, or null. If it is null, the worker is told why. */
  async #ask<T>(call: () => Promise<{ ok: true; data: T } | Failure>): Promise<T | null> {
    if (this.busy) return null;
    const turn = this.#turn;
    this.busy = true;
    const result = await call();
    this.busy = false;
    if (turn !== this.#turn) return null;
    if (this.notice === "offline") this.#later.cancel();
    this.notice = null;
    if (result.ok) return result.data;
    if (result.kind === "unauthorised") this.signedOut();
    else if (result.kind === "offline") {
      this.notice = "offline";
      this.#later.again(() => this.#look());
    } else if (result.kind === "busy" || result.kind === "invalid") this.notice = { detail: result.detail };
    else {
      // The server knows better: another tab was faster, or a researcher changed something.
      await this.load();
      this.notice = { detail: result.detail };
    }
    return null;
  }

  /** Looks whether the connection is back. If it is, the worker is no longer told that there is none. */
  async #look(): Promise<void> {
    const turn = this.#turn;
    const result = await this.place.calls.look(this.stage);
    if (turn !== this.#turn || this.notice !== "offline") return;
    if (!result.ok && result.kind === "offline") return this.#later.again(() => this.#look());
    this.#later.well();
    this.notice = null;
  }

  #failed(failure: Failure): void {
    if (failure.kind === "unauthorised") return this.signedOut();
    const { kind, detail } = failure;
    this.phase = { kind: "failed", offline: kind === "offline", detail };
    this.#later.again(() => this.load(), kind === "busy" ? failure.retryAfter : null);
  }
}

/** The longest time, in seconds, after which a waiting page looks again. */
const MAX_WAIT = 3600;

/** Returns the place of the first item without an answer, or -1 if all items have one. */
function openIn({ items, answered }: Try): number {
  return items.findIndex(({ item }) => !answered.includes(item));
}
