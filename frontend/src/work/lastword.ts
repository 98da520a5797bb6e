/** What was said in the moment a page went away: a database write that was begun then is thrown away with it. */

import { recordIn, saved, type Record } from "./record";
import type { Vault } from "./vault";

const KEY = "groundcrew.last";

/** One record at most: only the tab in front has anything unwritten. */
export class LastWord {
  /** Whether what is kept is of this tab, which lived on. */
  #mine = false;

  constructor(private readonly vault: Vault) {}

  /** Kept before this returns. */
  say(record: Record): void {
    this.#mine = true;
    this.vault.set(KEY, JSON.stringify(record));
  }

  /** It is written after all. */
  drop(): void {
    if (this.#mine) this.#clear();
  }

  /** Answers it once. */
  take(): Record | null {
    const text = this.vault.get(KEY);
    if (!text) return null;
    this.#clear();
    try {
      return recordIn(JSON.parse(text));
    } catch {
      return null; // cut off, or not ours
    }
  }

  #clear(): void {
    this.#mine = false;
    this.vault.set(KEY, "");
  }
}

/** The record with a last word; not where more was said since, or another tab took the page. */
export function heeded(old: Record | null, last: Record): Record {
  return saved(old, last) ?? last;
}
