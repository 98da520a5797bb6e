/** Renews the lease of the current page as long as the worker is there. */

import type { Failure, Result } from "../api/result";
import type { Lease } from "../api/types";
import { wait, type Timers } from "./backoff";
import { due, left, stateOf, type Held, type Moment } from "./lease";
import type { LeaseState } from "./view";

export interface KeeperEvents {
  /** Called every second, and when anything changes. */
  lease(left: number | null, state: LeaseState): void;
  /** Called when the server refused a renewal for good. */
  lost(failure: Failure): void;
}

export class Keeper {
  #page: string | null = null;
  #lease: Held | null = null;
  #active: Moment;
  #failures = 0;
  #tryAfter = 0;
  #asking = false;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly renew: (page: string) => Promise<Result<Lease>>,
    private readonly now: () => Moment,
    private readonly timers: Timers,
    private readonly random: () => number,
    private readonly on: KeeperEvents,
  ) {
    this.#active = now();
  }

  /** Holds the page from now on, with so many `seconds` left. `full` says that they are a whole term. */
  hold(page: string, seconds: number, full: boolean): void {
    const same = this.#page === page;
    const known = same ? (this.#lease?.term ?? null) : null;
    this.#page = page;
    this.#lease = { left: seconds, at: this.now(), term: full ? seconds : known, lost: false };
    if (full || !same) this.#failures = this.#tryAfter = 0;
    this.tick();
  }

  /** The page is not held any more, but can still be submitted. */
  lose(page: string): void {
    this.#page = page;
    this.#lease = { left: 0, at: this.now(), term: null, lost: true };
    this.tick();
  }

  drop(): void {
    this.#cancel?.();
    this.#page = this.#lease = this.#cancel = null;
    this.on.lease(null, "unknown");
  }

  active(): void {
    this.#active = this.now();
  }

  /** Looks at the clock. It is also called when a laptop is opened. */
  tick(): void {
    this.#cancel?.();
    const [lease, now] = [this.#lease, this.now()];
    if (lease === null) return;
    this.on.lease(left(lease, now), stateOf(lease, now));
    this.#cancel = this.timers.after(1, () => this.tick());
    if (!this.#asking && now.mono >= this.#tryAfter && due(lease, now, this.#active)) void this.#renew();
  }

  async #renew(): Promise<void> {
    const page = this.#page;
    if (page === null) return;
    this.#asking = true;
    const result = await this.renew(page);
    this.#asking = false;
    if (page !== this.#page) return;
    if (result.ok) return this.hold(page, result.data.expires_in, true);
    const asked = result.kind === "busy" ? result.retryAfter : null;
    this.#tryAfter = this.now().mono + wait(++this.#failures, this.random(), asked) * 1000;
    if (result.kind !== "offline" && result.kind !== "busy") this.on.lost(result);
  }
}
