/**
 * How one page follows another: found in the store, claimed, worked on, sent. `Work` adds what the worker can
 * ask for.
 */

import type { Api } from "../api/client";
import type { Failure, Result } from "../api/result";
import { isPage } from "../api/shape";
import type { Lease, Money, Page, Receipt, Stage } from "../api/types";
import type { Timers } from "./backoff";
import { Desk } from "./desk.svelte";
import { begin, replies } from "./draft";
import type { Earnings } from "./earnings";
import { Keeper } from "./keeper";
import { Later } from "./later";
import type { Moment } from "./lease";
import { settles, type Outbox } from "./outbox";
import { anythingSaid, asideIn, asideOf, fresh, type Record } from "./record";
import type { Session } from "./session";
import type { Store } from "./store";
import type { Message, News, Tabs } from "./tabs";
import type { Aside, LeaseState, Phase, Signals } from "./view";

export interface Deps {
  api: Api;
  store: Store;
  session: Session;
  tabs: Tabs;
  timers: Timers;
  earnings: Earnings;
  outbox: Outbox;
  now: () => Moment;
  /** In [0, 1). */
  random: () => number;
  /** Sends signals from now on. Returns a function that ends this. */
  attach: (signals: Signals) => () => void;
}

/** Seconds between two looks for work: the first time if the server names none, and the longest. */
const [LOOK, MAX_LOOK_LENGTH] = [5, 60];

export class Flow {
  phase = $state.raw<Phase>({ kind: "loading" });
  online = $state(true);
  leaseLeft = $state<number | null>(null);
  lease = $state<LeaseState>("unknown");
  waiting = $state(0);
  earned = $state.raw<Money[]>([]);
  aside = $state.raw<readonly Aside[]>([]);
  notice = $state<string | null>(null);
  receipt = $state.raw<Receipt | null>(null);

  protected desk: Desk;
  protected keeper: Keeper;
  protected later: Later;
  protected shown = true;
  /**
   * It is increased whenever the worker turns to something else. Replies to what was asked before that are too
   * late.
   */
  protected turn = 0;
  #look = LOOK;

  constructor(
    readonly stage: Stage,
    protected readonly deps: Deps,
  ) {
    const { api, store, tabs, timers, random, now } = deps;
    this.later = new Later(timers, random, () => this.shown);
    this.desk = new Desk(store, tabs.id, now, (record) => {
      if (record === null) void this.open();
      else if (record.state === "waiting") void this.send(record);
      else this.elsewhere();
    });
    const renew = async (id: string): Promise<Result<Lease>> => {
      const result = await this.heard(api.renew(id));
      const page = this.desk.record?.draft.page;
      if (result.ok && page?.id === id) this.desk.refresh({ ...page, ...result.data });
      return result;
    };
    this.keeper = new Keeper(renew, now, timers, random, {
      lease: (left, state) => {
        this.leaseLeft = left === null ? null : Math.floor(left);
        this.lease = state;
      },
      lost: (failure) => void (failure.kind === "over" ? this.check() : this.fail(failure)),
    });
  }

  protected async goodMoment(): Promise<void> {
    if (this.waiting > 0) void this.deps.outbox.nudge();
    await this.later.now();
  }

  /** Leaves the current page. Returns the new turn. */
  protected turnOver(): number {
    this.desk.flush();
    this.keeper.drop();
    this.later.cancel();
    this.notice = this.receipt = null;
    return ++this.turn;
  }

  /** Finds out what to do: send a submission, continue an earlier draft, or claim a new page. */
  protected async open(): Promise<void> {
    const turn = this.turnOver();
    const { subject } = this.deps.session;
    if (this.phase.kind !== "nothing" && this.phase.kind !== "failed") this.show(null, { kind: "loading" });
    if (subject === null) return this.show(null, { kind: "signin" });
    const records = await this.deps.store.list(subject);
    if (turn !== this.turn) return;
    this.survey(records);
    const mine = records.filter((record) => record.draft.page.stage === this.stage);
    const waiting = mine.find((record) => record.state === "waiting");
    if (waiting) return this.send(waiting);
    if (this.waiting > 0) void this.drain();
    const [draft] = mine.filter((r) => r.state === "draft").sort((a, b) => b.changed - a.changed);
    if (!draft) return this.claim();
    if (await this.work(draft)) await this.check();
  }

  /** Shows a page to work on. Returns whether it may be worked on here. */
  private async work(record: Record): Promise<boolean> {
    const turn = this.turn;
    const now = await this.desk.take(record);
    if (turn !== this.turn) return false;
    if (now.state === "waiting") {
      void this.send(now);
      return false;
    }
    this.desk.lay(now);
    this.phase = { kind: "working" };
    this.tell({ kind: "take", page: now.draft.page.id });
    return true;
  }

  private async claim(): Promise<void> {
    const [turn, { subject }] = [this.turn, this.deps.session];
    const result = await this.heard(this.deps.api.claim(this.stage));
    if (turn !== this.turn || subject === null) return;
    if (!result.ok) return this.fail(result);
    const page = result.data;
    if (page === undefined) {
      this.show(null, { kind: "nothing" });
      this.later.in(Math.max(result.retryAfter ?? 0, this.#look), () => this.open());
      this.#look = Math.min(this.#look * 1.5, MAX_LOOK_LENGTH);
      return;
    }
    this.#look = LOOK;
    await this.take(subject, page, result.status === 201);
  }

  /** Works on a page that was claimed. `receipt` is that of the page before, if both came together. */
  private async take(
    subject: string,
    page: Page,
    full: boolean,
    receipt: Receipt | null = null,
  ): Promise<void> {
    if (!(await this.work(fresh(subject, begin(page), this.deps.tabs.id)))) return;
    this.receipt = receipt;
    this.holds(page, full);
  }

  /** Compares the current page with what the server says about it. This also fetches fresh picture links. */
  protected async check(): Promise<void> {
    const [turn, record] = [this.turn, this.desk.record];
    if (!record) return;
    const result = await this.heard(this.deps.api.page(record.draft.page.id));
    if (turn !== this.turn) return;
    if (!result.ok) return this.fail(result);
    this.notice = null;
    this.desk.refresh(result.data);
    const { state } = result.data;
    if (state === "returned") await this.setAside("");
    else if (state === "submitted")
      await (replies(record.draft).length > 0 ? this.dispatch() : this.setAside(""));
    else this.holds(result.data, false);
  }

  private holds(page: Page, full: boolean): void {
    this.later.well();
    if (page.state === "expired") this.keeper.lose(page.id);
    else this.keeper.hold(page.id, page.expires_in, full);
  }

  protected async dispatch(): Promise<void> {
    const sending = this.desk.submit();
    const turn = this.turnOver();
    this.phase = { kind: "sending" };
    const record = await sending;
    // The worker has left it meanwhile. It is sent all the same.
    if (turn !== this.turn || !record) return void this.deps.outbox.drain();
    if (record.state === "waiting") await this.send(record);
    else this.elsewhere();
  }

  private async send(record: Record): Promise<void> {
    this.turnOver();
    this.show(record, { kind: "sending" });
    this.waiting = Math.max(this.waiting, 1);
    await this.drain();
  }

  protected async drain(): Promise<void> {
    if (this.deps.session.subject === null) this.show(null, { kind: "signin" });
    else await this.deps.outbox.drain();
  }

  /** Whether somebody looks at how this page is sent. They want the next one at once. */
  protected awaits(record: Record): boolean {
    return this.shown && this.phase.kind === "sending" && this.shows(record);
  }

  private shows(record: Record): boolean {
    return this.desk.record?.draft.page.id === record.draft.page.id;
  }

  protected sent(record: Record, result: Result<Receipt>): void {
    this.reached(result);
    const { kind } = this.phase;
    const here = this.shows(record) && (kind === "sending" || kind === "elsewhere");
    if (result.ok) {
      this.earned = this.deps.earnings.of(this.deps.session.subject ?? record.subject);
      const { next, acknowledged } = result.data;
      // Of answers that came too late, the worker is told before anything else.
      const follows = acknowledged === 0 && isPage(next);
      if (here) this.finish(follows ? { kind: "loading" } : { kind: "done", receipt: result.data });
      if (here && follows) void this.take(record.subject, next, result.status === 201, result.data);
    } else if (result.kind === "unauthorised") this.show(this.desk.record, { kind: "signin", ended: true });
    else if (result.kind === "refused") {
      if (here) this.show(record, { kind: "refused", detail: result.detail });
    } else if (settles(result)) {
      void (here && kind === "sending" ? this.open() : this.look());
    }
  }

  protected stillWaiting(records: readonly Record[]): void {
    this.waiting = records.length;
    const gone = !records.some((record) => record.draft.page.id === this.desk.record?.draft.page.id);
    // Another tab delivered it, and this tab has not heard of that.
    if (this.phase.kind === "sending" && gone) void this.open();
  }

  protected told(message: Message): void {
    if (message.page !== this.desk.record?.draft.page.id) return;
    const { kind } = this.phase;
    if (message.kind === "take") {
      if (kind === "working") this.elsewhere();
    } else if (message.receipt) this.finish({ kind: "done", receipt: message.receipt });
    else if (message.returned && kind !== "sending") this.finish({ kind: "returned" });
    // It was refused. The other tab, in which it is being worked on, continues with what is left of it.
    else void (kind === "elsewhere" ? this.look() : this.open());
  }

  private elsewhere(): void {
    this.turnOver();
    this.show(this.desk.record, { kind: "elsewhere" });
  }

  /** Ends the work on the page here. */
  protected finish(phase: Phase): void {
    this.desk.show(null);
    this.turnOver();
    this.phase = phase;
  }

  /** The page is not this worker's any more. Its answers are kept until the worker has been told. */
  private async setAside(detail: string): Promise<void> {
    const record = this.desk.record;
    if (!record) return;
    this.desk.show(null);
    const becomes = anythingSaid(record) ? asideOf(record, detail) : null;
    await this.deps.store.update(record.subject, record.draft.page.id, () => becomes);
    this.tell({ kind: "settled", page: record.draft.page.id, receipt: null });
    await this.open();
  }

  protected fail(failure: Failure): void {
    const { kind, detail } = failure;
    const working = this.phase.kind === "working";
    const asked = kind === "busy" ? failure.retryAfter : null;
    if (kind === "unauthorised") this.show(this.desk.record, { kind: "signin", ended: true });
    else if (kind === "refused") this.show(this.desk.record, { kind, detail });
    else if (working && kind === "gone") void this.setAside(detail);
    else if (working) {
      this.notice = kind === "offline" ? null : detail;
      this.later.again(() => this.check(), asked);
    } else {
      this.show(null, { ...failure, kind: "failed" });
      this.later.again(() => this.open(), asked);
    }
  }

  private show(record: Record | null, phase: Phase): void {
    if (this.phase.kind === "working") this.desk.flush();
    this.desk.show(record);
    this.phase = phase;
  }

  /** Looks again at what is stored. */
  protected async look(): Promise<void> {
    const { subject } = this.deps.session;
    if (subject !== null) this.survey(await this.deps.store.list(subject));
  }

  private survey(records: readonly Record[]): void {
    const { subject } = this.deps.session;
    this.waiting = records.filter((record) => record.state === "waiting").length;
    this.aside = records.filter((record) => record.state === "aside").map(asideIn);
    this.earned = subject === null ? [] : this.deps.earnings.of(subject);
  }

  /** Tells the other tabs about the page. */
  protected tell(message: News): void {
    this.deps.tabs.tell({ ...message, tab: this.deps.tabs.id });
  }

  protected async heard<T>(call: Promise<Result<T>>): Promise<Result<T>> {
    const result = await call;
    if (this.reached(result) && this.waiting > 0) void this.deps.outbox.nudge();
    return result;
  }

  /** Notes whether the server was reached. Returns whether it was not reached before and is now. */
  private reached(result: Result<unknown>): boolean {
    const before = this.online;
    this.online = result.ok || result.kind !== "offline";
    return this.online && !before;
  }
}
