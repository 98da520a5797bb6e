/** Milliseconds an item has to be on the screen before a key answers it: shorter than anybody reads. */
export const UNREAD = 150;

/** Keeps a key that was meant for the last item from answering the next one. */
export class Settling {
  #shown: object | null = null;
  #since = 0;
  readonly #now: () => number;

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** An item is on the screen; said of the same one again, its time goes on. */
  shows(item: object): void {
    if (item === this.#shown) return;
    this.#shown = item;
    this.#since = this.#now();
  }

  over(): boolean {
    return this.#now() - this.#since >= UNREAD;
  }
}
