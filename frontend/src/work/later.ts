/** Something that is tried again: after a while, or earlier if there is a better moment. */

import { wait, type Timers } from "./backoff";

export class Later {
  #wish: (() => Promise<void>) | null = null;
  #cancel: (() => void) | null = null;
  #failures = 0;

  constructor(
    private readonly timers: Timers,
    private readonly random: () => number,
    /** Whether the time counts now (the page is visible). If not, it waits for `now`. */
    private readonly may: () => boolean,
  ) {}

  /** Tries again after a failure, later with each failure in a row, and not before `asked` seconds. */
  again(wish: () => Promise<void>, asked: number | null = null): void {
    this.in(wait(++this.#failures, this.random(), asked), wish);
  }

  in(seconds: number, wish: () => Promise<void>): void {
    this.cancel();
    this.#wish = wish;
    this.#cancel = this.timers.after(seconds, () => void (this.may() && this.now()));
  }

  /** Tries now, since the network or the worker is back. */
  async now(): Promise<void> {
    const wish = this.#wish;
    this.cancel();
    await wish?.();
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = this.#wish = null;
  }

  /** It succeeded, so the next failure counts as the first one. */
  well(): void {
    this.#failures = 0;
  }
}
