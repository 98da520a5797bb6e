/** What somebody has done, step by step. Keys and the surface undo it. */

import { begin, record, redo, undo, type History } from "../geometry/history";
import type { Past } from "./editor.svelte";

export class Steps<T> implements Past {
  #history: History<T>;
  readonly #show: (present: T) => void;

  /** `show` is called with what was there before a step that was undone, or after one that was done again. */
  constructor(first: T, show: (present: T) => void) {
    this.#history = $state.raw(begin(first));
    this.#show = show;
  }

  get present(): T {
    return this.#history.present;
  }

  get canUndo(): boolean {
    return this.#history.past.length > 0;
  }

  get canRedo(): boolean {
    return this.#history.future.length > 0;
  }

  add(next: T): void {
    this.#history = record(this.#history, next);
  }

  undo(): boolean {
    return this.#go(undo(this.#history));
  }

  redo(): boolean {
    return this.#go(redo(this.#history));
  }

  #go(to: History<T>): boolean {
    if (to === this.#history) return false;
    this.#history = to;
    this.#show(to.present);
    return true;
  }
}
