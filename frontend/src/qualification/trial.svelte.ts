/**
 * The scored part of a test. It is worked on like a page: answers are kept on the device, and handed in until
 * the server has them.
 */

import type { Failure } from "../api/result";
import type { Outcome, OwnInstructions, Page, Stage, Try } from "../api/types";
import { Desk } from "../work/desk.svelte";
import { begin, firstOpen, go, replies, type Draft, type Entry } from "../work/draft";
import { Later } from "../work/later";
import { afterwards } from "../work/outbox";
import { entered, fresh, problemsOf, type Record } from "../work/record";
import type { Kept, Phase, Signals, WorkView } from "../work/view";
import type { Place } from "./place";

/** Returns a try as a page, without a lease and without pay. */
function pageOf(
  { stage, number, drawing, check, items }: Try,
  instructions: OwnInstructions | null = null,
): Page {
  const none = { state: "live", expires_at: "", expires_in: 0, reward: null, usual_seconds: 0 } as const;
  return { id: `${stage}/${number}`, stage, ...none, drawing, ...(check && { check }), instructions, items };
}

export interface Ends {
  /** The server has scored it. */
  scored(outcome: Outcome): void;
  /** The server knows better: look again. */
  again(): void;
}

export class Trial implements WorkView, Signals {
  phase = $state.raw<Phase>({ kind: "loading" });
  online = $state(true);
  notice = $state<string | null>(null);
  readonly stage: Stage;
  readonly lease = "unknown";
  readonly leaseLeft = null;
  readonly waiting = 0;
  readonly earned = [];
  readonly aside = [];

  #page: Page;
  #desk: Desk;
  #later: Later;
  #problems = $derived.by(() => problemsOf(this.#desk.record));
  #detach: (() => void) | null = null;
  #over = false;

  constructor(
    private readonly held: Try,
    private readonly place: Place,
    private readonly ends: Ends,
    instructions: OwnInstructions | null = null,
  ) {
    this.stage = held.stage;
    this.#page = pageOf(held, instructions);
    this.#later = new Later(place.timers, place.random, () => true);
    this.#desk = new Desk(place.store, place.tab, place.now, (record) => {
      if (record === null) this.#end(() => ends.again());
      else if (record.state === "waiting") void this.#send(record);
      else this.#show(record, { kind: "elsewhere" });
    });
  }

  get draft(): Draft | null {
    return this.#desk.record?.draft ?? null;
  }
  get kept(): Kept {
    return this.#desk.kept;
  }
  get problems(): ReadonlyMap<number, string> {
    return this.#problems;
  }

  /** Whether this device has a record of it. */
  async begun(): Promise<boolean> {
    const { subject } = this.place.session;
    if (subject === null) return false;
    const records = await this.place.store.list(subject);
    return records.some(({ draft }) => draft.page.id === this.#page.id);
  }

  async start(): Promise<void> {
    this.#detach ??= this.place.attach(this);
    const { subject } = this.place.session;
    if (subject === null) return this.#end(() => this.ends.again());
    await this.place.store.list(subject); // this writes what was answered while the page went away
    const record = await this.#desk.take(fresh(subject, begin(this.#page), this.place.tab));
    if (this.#over) return;
    if (record.state === "waiting") return this.#send(record);
    this.#desk.lay(record);
    this.phase = { kind: "working" };
  }

  stop(): void {
    this.#desk.flush();
    this.#over = true;
    this.#later.cancel();
    this.#detach?.();
    this.#detach = null;
  }

  /** Remarks are about work. Nobody would read a remark on a test. */
  change({ answer, marks, part }: Partial<Entry>): void {
    const said = {
      ...(answer !== undefined && { answer }),
      ...(marks !== undefined && { marks }),
      ...(part !== undefined && { part }),
    };
    this.#desk.alter((record) => entered(record, said));
  }

  go(place: number): void {
    this.#desk.alter((record) => ({ ...record, draft: go(record.draft, place) }));
  }

  async submit(): Promise<void> {
    if (this.phase.kind !== "working" || !this.draft) return;
    const open = firstOpen(this.draft);
    if (open >= 0) return this.go(open);
    this.phase = { kind: "sending" };
    const record = await this.#desk.submit();
    if (record?.state === "waiting") await this.#send(record);
    else if (record) this.#show(record, { kind: "elsewhere" });
  }

  takeOver(): void {
    if (this.phase.kind === "elsewhere") void this.start();
  }

  async retry(): Promise<void> {
    if (this.phase.kind === "sending") return this.#later.now();
    const result = await this.place.calls.look(this.stage);
    this.online = result.ok || result.kind !== "offline";
    if (!result.ok || this.#over) return;
    const { try: now } = result.data;
    if (now?.number !== this.held.number) return this.#end(() => this.ends.again());
    this.#desk.refresh(pageOf(now));
  }

  // A test ends only when it is handed in, and pays nothing.
  async giveBack(): Promise<void> {}
  async next(): Promise<void> {}
  async acknowledge(): Promise<void> {}
  async signIn(): Promise<boolean> {
    return false;
  }

  active(): void {
    this.#desk.active();
  }
  away(): void {
    this.#desk.away();
  }
  visible(visible: boolean): void {
    this.#desk.visible(visible);
    if (!visible) this.#desk.flush();
    else void this.#later.now();
  }
  network(online: boolean): void {
    this.online = online;
    if (online) void this.#later.now();
  }
  leave(): void {
    this.#desk.leave();
  }

  async #send(record: Record): Promise<void> {
    this.#show(record, { kind: "sending" });
    const answers = replies(record.draft).map(({ item, answer }) => ({ item, answer }));
    const result = await this.place.calls.handIn(this.held, answers);
    if (this.#over) return;
    this.online = result.ok || result.kind !== "offline";
    if (!result.ok) return this.#failed(record, result);
    await this.#keep(record, null);
    this.#end(() => this.ends.scored(result.data));
  }

  async #failed(record: Record, failure: Failure): Promise<void> {
    if (failure.kind === "offline" || failure.kind === "busy") {
      return this.#later.again(() => this.#send(record), failure.kind === "busy" ? failure.retryAfter : null);
    }
    if (failure.kind === "invalid") {
      await this.#keep(record, afterwards(record, failure));
      return this.start();
    }
    // If the worker is signed out, it is kept, and sent after the next signing in. Otherwise there is no such
    // try any more.
    if (failure.kind !== "unauthorised" && failure.kind !== "refused") await this.#keep(record, null);
    this.#end(() => this.ends.again());
  }

  async #keep(record: Record, becomes: Record | null): Promise<void> {
    await this.place.store.update(record.subject, record.draft.page.id, () => becomes);
  }

  #show(record: Record, phase: Phase): void {
    this.#desk.show(record);
    this.phase = phase;
  }

  #end(then: () => void): void {
    if (this.#over) return;
    this.stop();
    then();
  }
}
