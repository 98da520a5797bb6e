/** The page that the worker holds. Each answer goes to the store at once, with the time spent on each item. */

import type { Page } from "../api/types";
import { merged, refreshed, spend, type Draft } from "./draft";
import type { Moment } from "./lease";
import { anythingSaid, saved, taken, type Record } from "./record";
import type { Decide, Outcome, Store } from "./store";
import type { Kept } from "./view";
import * as watches from "./watch";

export class Desk {
  #record = $state.raw<Record | null>(null);
  #kept = $state<Kept>("saved");
  /** Whether the page may be changed here: it belongs to this tab, and is not submitted. */
  #ours = false;
  /** Whether the store agrees. Until it does, nothing that is stored may be replaced. */
  #owned = false;
  #writing = 0;
  #unsaved = false;
  /** The record that was given to the store, and is not known to be kept. */
  #pending: Record | null = null;
  #watch: watches.Watch;
  /** Seconds on the item shown that are not yet in the draft. */
  #spent = 0;

  /** `lost` is called when another tab has taken the page, submitted it (`waiting`), or is done with it (null). */
  constructor(
    private readonly store: Store,
    private readonly tab: string,
    private readonly now: () => Moment,
    private readonly lost: (record: Record | null) => void,
  ) {
    this.#watch = watches.started(now().mono, true);
  }

  get record(): Record | null {
    return this.#record;
  }

  get kept(): Kept {
    return this.#kept;
  }

  /** Makes the page this tab's. Returns the record as it is then: with earlier answers, or already on its way. */
  async take(record: Record): Promise<Record> {
    const mine = { ...record, owner: this.tab };
    const out = await this.#update(mine, (old) => taken(old, mine));
    this.#wrote(out);
    return out.record ?? mine;
  }

  /** Shows a record to work on. */
  lay(record: Record): void {
    this.#record = record;
    this.#ours = true;
    this.#spent = 0;
    this.#watch = watches.started(this.now().mono, this.#watch.visible);
  }

  /** Shows a record that must not be changed here (it is on its way, or another tab's), or none. */
  show(record: Record | null): void {
    this.#record = record;
    this.#ours = false;
    if (record === null) this.#pending = null;
  }

  alter(by: (record: Record) => Record, urgent = false): void {
    if (this.#record === null || !this.#ours) return;
    this.active();
    const changed = Math.max(this.now().wall, this.#record.changed + 1);
    this.#record = { ...by(this.#timed(this.#record)), changed };
    void this.#save(urgent);
  }

  /**
   * Writes at once what is not written yet, since the page may go away. That time has passed does not show that
   * the worker is there.
   */
  flush(): void {
    if (this.#record === null || !this.#ours) return;
    this.#read();
    if (this.#spent === 0 && !this.#unsaved) return;
    this.#record = this.#timed(this.#record);
    void this.#save(true);
  }

  /** The page goes away, perhaps before the store has finished writing. */
  leave(): void {
    this.flush();
    if (this.#pending && anythingSaid(this.#pending)) this.store.jot(this.#pending);
  }

  /** Takes over fresh picture links, or how long the page is held now. */
  refresh(page: Page): void {
    if (this.#record) this.#record = { ...this.#record, draft: refreshed(this.#record.draft, page) };
  }

  /** Moves the answers to the submissions. From then on they cannot be changed. */
  async submit(): Promise<Record | null> {
    if (this.#record === null || !this.#ours) return null;
    this.#read();
    const mine: Record = { ...this.#timed(this.#record), state: "waiting", problems: [] };
    this.show(mine);
    const out = await this.#update(mine, (old, sure) => this.#settled(old, mine, sure));
    this.#wrote(out);
    return out.record ?? mine;
  }

  active(): void {
    this.#read();
    this.#watch = watches.active(this.#watch, this.now().mono);
  }

  away(): void {
    this.#read();
    this.#watch = watches.away(this.#watch);
  }

  visible(visible: boolean): void {
    this.#read();
    this.#watch = watches.shown(this.#watch, visible);
  }

  #read(): void {
    const { seconds, watch } = watches.read(this.#watch, this.now().mono);
    this.#spent += seconds;
    this.#watch = watch;
  }

  #timed(record: Record): Record {
    const draft: Draft = spend(record.draft, this.#spent);
    this.#spent = 0;
    return { ...record, draft };
  }

  /** Writes once at a time, and then writes what was changed meanwhile. An urgent write does not wait. */
  async #save(urgent: boolean): Promise<void> {
    this.#unsaved = true;
    if (this.#writing > 0 && !urgent) return;
    const mine = this.#record;
    if (mine === null) return;
    this.#unsaved = false;
    let foreign = false;
    const out = await this.#update(mine, (old, sure) => {
      foreign = old !== null && old.owner !== this.tab;
      return this.#settled(old, mine, sure);
    });
    if (!this.#ours || this.#record?.draft.page.id !== mine.draft.page.id) return;
    if (out.record?.owner !== this.tab || out.record.state === "waiting") {
      this.#ours = false;
      return this.lost(out.record);
    }
    if (foreign) {
      const draft = merged(this.#record.draft, out.record.draft);
      this.#record = { ...this.#record, draft };
    }
    this.#wrote(out);
    if (this.#unsaved && this.#writing === 0) void this.#save(false);
  }

  /** Until this tab is known to have written the record, another tab's answers may be in it, and are kept. */
  #settled(old: Record | null, mine: Record, sure: boolean): Record | null {
    return this.#owned && (old !== null || sure) ? saved(old, mine) : taken(old, mine);
  }

  async #update(mine: Record, decide: Decide): Promise<Outcome> {
    this.#writing += 1;
    this.#pending = mine;
    if (this.#kept === "saved") this.#kept = "saving";
    try {
      const out = await this.store.update(mine.subject, mine.draft.page.id, decide);
      if (out.persisted && this.#pending === mine) this.#pending = null;
      return out;
    } finally {
      this.#writing -= 1;
    }
  }

  #wrote(out: Outcome): void {
    this.#owned = out.persisted;
    this.#kept = !out.persisted ? "memory" : this.#writing > 0 || this.#unsaved ? "saving" : "saved";
  }
}
