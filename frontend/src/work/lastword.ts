/**
 * What was answered at the moment when a page went away. A database write that begins at that moment is lost
 * with the page.
 */

import { recordIn, saved, type Record } from "./record";
import { NAME } from "../api/site";
import type { Vault } from "./vault";

const KEY = `${NAME}.last`;

/** Keeps at most one record, since only the tab in front has anything unwritten. */
export class LastWord {
  /** Whether the kept record is from this tab. If so, the tab is still alive. */
  #mine = false;

  constructor(private readonly vault: Vault) {}

  /** Keeps a record. It is kept before this returns. */
  say(record: Record): void {
    this.#mine = true;
    this.vault.set(KEY, JSON.stringify(record));
  }

  /** Drops the record, since it was written after all. */
  drop(): void {
    if (this.#mine) this.#clear();
  }

  /** Returns the record, and only once. */
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

/** Returns the record with a last word in it, unless there are later answers or another tab took the page. */
export function heeded(old: Record | null, last: Record): Record {
  return saved(old, last) ?? last;
}
