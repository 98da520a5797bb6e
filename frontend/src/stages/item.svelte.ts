/** The item that a view shows: since when it has been shown, and whether its photograph is there. */

import type { Question } from "../api/types";
import { Settling } from "./settling";

export class Item extends Settling {
  /** The id of the photograph that can be seen. */
  #seen = $state<string | null>(null);
  #failed = $state(false);
  readonly #question: () => Question;

  constructor(question: () => Question) {
    super();
    this.#question = question;
    $effect.pre(() => {
      this.shows(question());
    });
  }

  /** Whether the photograph can be seen. Before that, nobody can know the answer. */
  get seen(): boolean {
    return this.#seen === this.#question().image.id;
  }

  /** Whether the photograph cannot be shown. */
  get failed(): boolean {
    return this.#failed;
  }

  readonly onready = (): void => {
    this.#seen = this.#question().image.id;
    this.#failed = false;
  };

  readonly onfailed = (): void => {
    this.#failed = true;
  };
}
