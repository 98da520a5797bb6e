/** Where records are kept: IndexedDB, and memory for what it does not take. */

import { createStore, promisifyRequest, type UseStore } from "idb-keyval";
import { heeded, LastWord } from "./lastword";
import { keyOf, recordIn, taken, type Record } from "./record";
import { vault } from "./vault";

export interface Outcome {
  /** As it is now; null: there is none. */
  record: Record | null;
  /** False: it is in memory only, and gone with this tab. */
  persisted: boolean;
}

/**
 * What becomes of a record; null deletes it. `sure`: where `old` is null there is none; else there may be one
 * that cannot be read now.
 */
export type Decide = (old: Record | null, sure: boolean) => Record | null;

export interface Store {
  /** All of one worker's records. */
  list(subject: string): Promise<Record[]>;
  /** Reads, decides and writes as one step, also between tabs. */
  update(subject: string, id: string, decide: Decide): Promise<Outcome>;
  /** The page may be gone before an update of this record is through: the next page hears of it. */
  jot(record: Record): void;
}

/** Milliseconds after which the database counts as hung (old Safari, some private windows). */
const PATIENCE = 2000;

/** Under this prefix what nobody can read is kept as it was. */
const STRANGE = "strange:";

function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("The database does not answer.")), patience);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function aborted(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is over already.
  }
}

export class BrowserStore implements Store {
  /** What the database did not take, by key; null: deleted. */
  #memory = new Map<string, Record | null>();
  #open: UseStore | null = null;

  constructor(
    private readonly name = "groundcrew",
    private readonly patience = PATIENCE,
    private readonly last = new LastWord(vault(() => localStorage)),
  ) {}

  jot(record: Record): void {
    this.last.say(record);
  }

  async list(subject: string): Promise<Record[]> {
    const last = this.last.take();
    if (last) await this.update(last.subject, last.draft.page.id, (old) => heeded(old, last));
    const found = new Map<string, Record>();
    try {
      for (const record of await this.#use("readonly", (store) => promisifyRequest(store.getAll()))) {
        const read = recordIn(record);
        if (read?.subject === subject) found.set(keyOf(subject, read.draft.page.id), read);
      }
    } catch {
      // No database: what memory has is all there is, and `update` says so.
    }
    for (const [key, record] of this.#memory) {
      if (record === null) found.delete(key);
      else if (record.subject === subject) found.set(key, record);
    }
    return [...found.values()];
  }

  async update(subject: string, id: string, decide: Decide): Promise<Outcome> {
    const key = keyOf(subject, id);
    try {
      const record = await this.#use("readwrite", async (store) => {
        const stored: unknown = await promisifyRequest(store.get(key));
        const old = recordIn(stored);
        const record = decide(this.#both(key, old), true);
        if (stored !== undefined && old === null) store.put({ strange: stored }, STRANGE + key);
        if (record === null) store.delete(key);
        else if (record !== old) store.put(record, key);
        await promisifyRequest(store.transaction);
        return record;
      });
      this.#memory.delete(key);
      this.last.drop();
      return { record, persisted: true };
    } catch {
      // Forbidden, full, hung or closed: kept here, and the caller tells the worker.
      const record = decide(this.#memory.get(key) ?? null, this.#memory.has(key));
      this.#memory.set(key, record);
      return { record, persisted: false };
    }
  }

  /**
   * What is kept here and there: a database that failed for a while may hold what an earlier tab wrote. It stays
   * that tab's, so that whoever saves knows.
   */
  #both(key: string, stored: Record | null): Record | null {
    const here = this.#memory.get(key);
    if (here === undefined) return stored;
    return here && stored ? { ...taken(stored, here), owner: stored.owner } : here;
  }

  async #use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    // A write that was given up must not come through later, over what was said since.
    const given = { up: false, abort: (): void => undefined };
    const run = (store: IDBObjectStore): Promise<T> => {
      given.abort = () => aborted(store.transaction);
      if (given.up) given.abort();
      return work(store);
    };
    try {
      this.#open ??= createStore(this.name, "work");
      return await inTime(this.#open(mode, run), this.patience);
    } catch (error) {
      given.up = true;
      given.abort();
      this.#open = null; // a connection that was closed or hung is opened anew next time
      throw error;
    }
  }
}
