/** One thing that is tried again: after a while, or sooner when the moment is better. */

import { wait, type Timers } from "./backoff";

export class Later {
  #wish: (() => Promise<void>) | null = null;
  #cancel: (() => void) | null = null;
  #failures = 0;

  constructor(
    private readonly timers: Timers,
    private readonly random: () => number,
    /** Whether the time is worth anything now (the page is seen); if not, it waits for `now`. */
    private readonly may: () => boolean,
  ) {}

  /** After a failure: the more in a row, the later. `asked`: not before that many seconds. */
  again(wish: () => Promise<void>, asked: number | null = null): void {
    this.in(wait(++this.#failures, this.random(), asked), wish);
  }

  in(seconds: number, wish: () => Promise<void>): void {
    this.cancel();
    this.#wish = wish;
    this.#cancel = this.timers.after(seconds, () => void (this.may() && this.now()));
  }

  /** Now is a good moment: the network is back, or the worker is. */
  async now(): Promise<void> {
    const wish = this.#wish;
    this.cancel();
    await wish?.();
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = this.#wish = null;
  }

  /** It went well: the next failure is a first one. */
  well(): void {
    this.#failures = 0;
  }
}
