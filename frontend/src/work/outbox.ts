/**
 * Sends what was submitted until the server's receipt arrives. Any tab sends for all tabs, and the API accepts
 * each submission once.
 */

import type { Failure, Result } from "../api/result";
import type { Api } from "../api/client";
import type { Receipt } from "../api/types";
import { wait, type Timers } from "./backoff";
import { replies } from "./draft";
import type { Earnings } from "./earnings";
import { asideOf, type Record } from "./record";
import type { Session } from "./session";
import type { Store } from "./store";
import type { Tabs } from "./tabs";

export interface OutboxEvents {
  /** What became of a submission. The record has been updated already. */
  sent(record: Record, result: Result<Receipt>): unknown;
  /** Whether the worker waits for the page that follows this one. */
  awaits?(record: Record): boolean;
  /** The submissions of all stages that wait now. */
  waiting?(records: readonly Record[]): void;
}

/** Returns what a refused submission becomes. Null: it stays, and is sent again. */
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

/** Whether the server's reply is final, so that the submission does not wait any more. */
export function settles(result: Result<Receipt>): boolean {
  return result.ok || !["offline", "busy", "unauthorised", "refused"].includes(result.kind);
}

export interface OutboxDeps {
  api: Pick<Api, "submit">;
  store: Store;
  session: Pick<Session, "subject">;
  tabs: Tabs;
  timers: Timers;
  earnings: Earnings;
  /** In [0, 1). */
  random: () => number;
}

/** There is one for the whole document. What was submitted is sent, whatever page is shown. */
export class Outbox {
  #running: Promise<void> | null = null;
  /** More submissions may wait than when the run began. */
  #again = false;
  #failures = 0;
  #cancel: (() => void) | null = null;
  #listeners = new Set<OutboxEvents>();

  constructor(private readonly deps: OutboxDeps) {}

  /** Reports everything that is sent from now on. Returns a function that ends this. */
  listen(events: OutboxEvents): () => void {
    this.#listeners.add(events);
    return () => this.#listeners.delete(events);
  }

  /** Sends everything that waits for this worker now. What fails is tried again later. */
  drain(): Promise<void> {
    this.#again = this.#running !== null;
    return this.nudge();
  }

  /** Sends now. If a run is under way, that is enough. */
  nudge(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#again) void this.drain();
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const { api, store, session } = this.deps;
    const { subject } = session;
    if (subject === null) return;
    const records = (await store.list(subject)).filter((record) => record.state === "waiting");
    let waiting: readonly Record[] = records.sort((a, b) => a.changed - b.changed);
    for (const record of records) {
      if (session.subject !== subject) return;
      const next = [...this.#listeners].some((events) => events.awaits?.(record));
      const result = await api.submit(record.draft.page.id, replies(record.draft), next);
      if (await this.#settle(record, result)) waiting = waiting.filter((other) => other !== record);
      for (const { sent } of this.#listeners) sent(record, result);
      // Without a token or a network, the others would fail as well.
      if (!result.ok && (result.kind === "offline" || result.kind === "busy")) {
        this.#later(result.kind === "busy" ? result.retryAfter : null);
        break;
      }
      if (!result.ok && result.kind === "unauthorised") break;
      this.#failures = 0;
    }
    for (const events of this.#listeners) events.waiting?.(waiting);
  }

  /** Updates the store after the server's reply. Returns whether the submission does not wait any more. */
  async #settle(record: Record, result: Result<Receipt>): Promise<boolean> {
    if (!settles(result)) return false;
    const { store, tabs, earnings } = this.deps;
    const { id } = record.draft.page;
    const becomes = result.ok ? null : afterwards(record, result);
    await store.update(record.subject, id, (old) =>
      old?.state === "waiting" || becomes === null ? becomes : old,
    );
    if (result.ok) earnings.add(record.subject, result.data);
    tabs.tell({ kind: "settled", page: id, tab: tabs.id, receipt: result.ok ? result.data : null });
    return true;
  }

  #later(asked: number | null): void {
    const seconds = wait(++this.#failures, this.deps.random(), asked);
    this.#cancel = this.deps.timers.after(seconds, () => void this.nudge());
  }
}
