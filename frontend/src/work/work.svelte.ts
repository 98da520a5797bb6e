/** The work of one worker in one stage: the current page, the answers so far, and where they are kept. */

import { firstOpen, go, type Draft, type Entry } from "./draft";
import { Flow } from "./flow.svelte";
import { entered, problemsOf } from "./record";
import { tokenIn } from "./token";
import type { Kept, Signals, WorkView } from "./view";

export type { Aside, Kept, LeaseState, Phase, WorkView } from "./view";

/** Seconds for which sending can be undone. */
const UNDO = 5;
/** Seconds a tick may be late. Later than that, the device slept, and nobody saw the countdown. */
const MAX_LATE = 3;

export class Work extends Flow implements WorkView, Signals {
  sendsIn = $state<number | null>(null);
  #endCountdown: (() => void) | null = null;
  #detach: (() => void) | null = null;
  #problems = $derived(problemsOf(this.desk.record));

  get draft(): Draft | null {
    return this.desk.record?.draft ?? null;
  }
  get kept(): Kept {
    return this.desk.kept;
  }
  get problems(): ReadonlyMap<number, string> {
    return this.#problems;
  }

  async start(): Promise<void> {
    if (this.#detach === null) {
      const { attach, tabs, session, api, outbox } = this.deps;
      const ends = [
        attach(this),
        tabs.listen((message) => this.told(message)),
        session.listen(() => void this.open()),
        outbox.listen({
          awaits: (record) => this.awaits(record),
          sent: (record, result) => this.sent(record, result),
          waiting: (records) => this.stillWaiting(records),
        }),
      ];
      this.#detach = () => ends.forEach((end) => end());
      void session.freshen(() => api.token());
    }
    await this.open();
  }

  stop(): void {
    this.hold();
    this.turnOver();
    this.#detach?.();
    this.#detach = null;
  }

  change(entry: Partial<Entry>): void {
    this.hold();
    this.receipt = null;
    this.desk.alter((record) => entered(record, entry));
  }

  go(place: number): void {
    this.hold();
    this.desk.alter((record) => ({ ...record, draft: go(record.draft, place) }));
  }

  sendSoon(): void {
    this.hold();
    const page = this.draft?.page.id;
    const complete = (): boolean =>
      this.phase.kind === "working" &&
      this.draft !== null &&
      this.draft.page.id === page &&
      firstOpen(this.draft) < 0 &&
      this.problems.size === 0;
    if (!this.shown || !complete()) return;
    const begun = this.deps.now().wall;
    const count = (left: number): void => {
      this.sendsIn = left;
      this.#endCountdown = this.deps.timers.after(1, () => {
        const late = (this.deps.now().wall - begun) / 1000 - (UNDO - left + 1);
        if (late > MAX_LATE || !complete()) this.hold();
        else if (left > 1) count(left - 1);
        else void this.submit();
      });
    };
    count(UNDO);
  }

  hold(): void {
    this.#endCountdown?.();
    this.#endCountdown = this.sendsIn = null;
  }

  async submit(): Promise<void> {
    this.hold();
    if (this.phase.kind !== "working" || !this.draft) return;
    const open = firstOpen(this.draft);
    return open < 0 ? this.dispatch() : this.go(open);
  }

  async giveBack(): Promise<void> {
    const record = this.desk.record;
    if (this.phase.kind !== "working" || !record) return;
    const turn = this.turn;
    const result = await this.heard(this.deps.api.giveBack(record.draft.page.id));
    if (turn !== this.turn) return;
    if (!result.ok) return this.fail(result);
    this.desk.show(record); // after this nothing is written
    await this.deps.store.update(record.subject, record.draft.page.id, () => null);
    this.finish({ kind: "returned" });
    this.tell({ kind: "settled", page: record.draft.page.id, receipt: null, returned: true });
  }

  async next(): Promise<void> {
    if (this.phase.kind === "done" || this.phase.kind === "returned") await this.open();
  }

  takeOver(): void {
    if (this.phase.kind === "elsewhere") void this.open();
  }

  async retry(): Promise<void> {
    const { kind } = this.phase;
    if (kind === "working") await this.check();
    else if (kind === "sending") await this.drain();
    else if (kind === "failed" || kind === "nothing" || kind === "refused") {
      this.phase = { kind: "loading" };
      await this.open();
    }
  }

  async signIn(tokenOrLink: string): Promise<boolean> {
    const { session } = this.deps;
    const [token, before] = [tokenIn(tokenOrLink), session.subject];
    if (token === null) return false;
    this.flush(); // as the worker whose answers these are
    session.take(token);
    await this.open();
    return before === null || before === session.subject;
  }

  async acknowledge(id: string): Promise<void> {
    const { session, store } = this.deps;
    if (session.subject === null) return;
    await store.update(session.subject, id, (old) => (old?.state === "aside" ? null : old));
    await this.look();
  }

  active(): void {
    this.desk.active();
    this.keeper.active();
  }

  away(): void {
    this.desk.away();
  }

  visible(visible: boolean): void {
    this.shown = visible;
    this.desk.visible(visible);
    if (!visible) {
      this.hold();
      return this.flush();
    }
    this.active();
    this.keeper.tick();
    void this.goodMoment();
  }

  network(online: boolean): void {
    this.online = online;
    if (online) void this.goodMoment();
  }

  flush(): void {
    this.desk.flush();
  }

  leave(): void {
    this.desk.leave();
  }
}
