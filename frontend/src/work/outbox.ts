/** Sends what was submitted, until the server's receipt is here. Any tab sends for all; the API takes each once. */

import type { Failure, Result } from "../api/result";
import type { Receipt, Reply } from "../api/types";
import { wait, type Timers } from "./backoff";
import { replies } from "./draft";
import { asideOf, type Record } from "./record";
import type { Store } from "./store";

export interface OutboxEvents {
  /** What became of a submission; the record is already as it has to be. */
  sent(record: Record, result: Result<Receipt>): void;
  /** What waits now, of all stages. */
  waiting(records: readonly Record[]): void;
}

/** What a refused submission becomes; null: it stays, and is sent again. */
export function afterwards(record: Record, failure: Failure): Record | null {
  if (failure.kind === "gone" || failure.kind === "over") return asideOf(record, failure.detail);
  if (failure.kind !== "invalid") return null;
  const sent = replies(record.draft);
  const whole = record.draft.page.items.length;
  const problems = new Map<number, string>();
  for (const { pointer, detail } of failure.errors) {
    const reply = sent[Number(/^\/answers\/(\d+)(\/|$)/.exec(pointer)?.[1] ?? NaN)];
    const place = record.draft.page.items.findIndex(({ item }) => item === reply?.item);
    const at = place < 0 ? whole : place;
    problems.set(at, [problems.get(at), detail].filter(Boolean).join(" "));
  }
  if (problems.size === 0) problems.set(whole, failure.detail);
  const list = [...problems].sort(([a], [b]) => a - b);
  return {
    ...record,
    state: "draft",
    problems: list,
    draft: { ...record.draft, place: list[0]?.[0] ?? whole },
  };
}

export class Outbox {
  #running: Promise<void> | null = null;
  /** Whose submissions to look for once the run is over. */
  #again: string | null = null;
  #failures = 0;
  #stopped = false;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly submit: (id: string, answers: Reply[]) => Promise<Result<Receipt>>,
    private readonly store: Store,
    /** Whose token is sent now. */
    private readonly who: () => string | null,
    private readonly timers: Timers,
    private readonly random: () => number,
    private readonly on: OutboxEvents,
  ) {}

  /** Sends all that waits for this worker now; what fails is tried again later by itself. */
  drain(subject: string): Promise<void> {
    this.#stopped = false;
    if (this.#running !== null) this.#again = subject;
    this.#running ??= this.#run(subject).finally(() => {
      const next = this.#again;
      this.#running = this.#again = null;
      if (next !== null && !this.#stopped) void this.drain(next);
    });
    return this.#running;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  async #run(subject: string): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const records = (await this.store.list(subject)).filter((record) => record.state === "waiting");
    let waiting: readonly Record[] = records.sort((a, b) => a.changed - b.changed);
    for (const record of records) {
      if (this.#stopped || this.who() !== subject) return;
      const result = await this.submit(record.draft.page.id, replies(record.draft));
      if (await this.#settle(record, result)) waiting = waiting.filter((other) => other !== record);
      if (this.#stopped) return;
      this.on.sent(record, result);
      // Without a token or a network the others would fare no better.
      if (!result.ok && (result.kind === "offline" || result.kind === "busy")) {
        this.#later(subject, result.kind === "busy" ? result.retryAfter : null);
        break;
      }
      if (!result.ok && result.kind === "unauthorised") break;
      this.#failures = 0;
    }
    if (!this.#stopped) this.on.waiting(waiting);
  }

  /** Keeps the store in step with what the server said; true when the submission no longer waits. */
  async #settle(record: Record, result: Result<Receipt>): Promise<boolean> {
    const becomes = result.ok ? null : afterwards(record, result);
    if (!result.ok && becomes === null) return false;
    await this.store.update(record.subject, record.draft.page.id, (old) =>
      old?.state === "waiting" || becomes === null ? becomes : old,
    );
    return true;
  }

  #later(subject: string, asked: number | null): void {
    const seconds = wait(++this.#failures, this.random(), asked);
    this.#cancel = this.timers.after(seconds, () => void this.drain(subject));
  }
}
