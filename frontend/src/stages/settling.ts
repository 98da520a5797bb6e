import type { Question } from "../api/types";

/**
 * The milliseconds for which an item has to be on the screen before a key answers it. Nobody reads as fast as
 * that.
 */
export const MIN_SHOWN = 150;

/**
 * The same for the second click of a double click, which may come later. Whoever works through the items one tap
 * after the other is slower.
 */
export const MIN_SHOWN_TO_DOUBLE_CLICK = 250;

/** Keeps a key or a click that was meant for the last item from answering the next one. */
export class Settling {
  #shown: string | null = null;
  #since = 0;
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Notes that this question is on the screen. If it is the same one as before, its time goes on. A page that
   * is fetched again from the server has the same questions, with other links to the same pictures.
   */
  shows({ image, ...words }: Question): void {
    const shown = JSON.stringify([image.id, words]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#since = this.#now();
  }

  over(): boolean {
    return this.#now() - this.#since >= MIN_SHOWN;
  }

  /** Whether a click is meant for this question. `detail` counts quick clicks in one place, as browsers do. */
  meant({ detail }: { detail: number }): boolean {
    return detail < 2 || this.#now() - this.#since >= MIN_SHOWN_TO_DOUBLE_CLICK;
  }
}
