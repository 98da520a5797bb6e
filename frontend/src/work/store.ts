/** Where records are kept: in IndexedDB, and in memory if the database does not accept them. */

import { createStore, promisifyRequest, type UseStore } from "idb-keyval";
import { heeded, LastWord } from "./lastword";
import { keyOf, recordIn, taken, type Record } from "./record";
import { NAME } from "../api/site";
import { vault } from "./vault";

export interface Outcome {
  /** The record as it is now, or null if there is none. */
  record: Record | null;
  /** False: it is in memory only, and is lost with this tab. */
  persisted: boolean;
}

/**
 * Decides what becomes of a record. Null deletes it. If `old` is null and `sure` is true, there is no record.
 * If `sure` is false, there may be one that cannot be read now.
 */
export type Decide = (old: Record | null, sure: boolean) => Record | null;

export interface Store {
  /** Returns all records of a worker. */
  list(subject: string): Promise<Record[]>;
  /** Reads, decides and writes in one step, also between tabs. */
  update(subject: string, id: string, decide: Decide): Promise<Outcome>;
  /**
   * Keeps this record separately, since the page may be gone before its update has finished. The next page
   * reads it.
   */
  jot(record: Record): void;
}

/** Milliseconds after which the database counts as hung (old Safari, some private windows). */
const PATIENCE = 2000;

/** Under this prefix, what cannot be read is kept as it was. */
const STRANGE = "strange:";

/** Under this key is a number of the database's own. A browser that makes room deletes it with all else. */
const MARK = "mark";

function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("hung")), patience);
    void work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function aborted(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // it is over already
  }
}

export class BrowserStore implements Store {
  /** What the database did not accept, by key. Null: deleted. */
  #memory = new Map<string, Record | null>();
  /** What this tab wrote or saw in the database, by key. It is in memory again if the database was emptied since. */
  #wrote = new Map<string, Record | null>();
  #mark: unknown;
  #open: UseStore | null = null;

  constructor(
    private readonly name = NAME,
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
      // There is no database, so only the records in memory are listed, and `update` says so.
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
        if (!this.#mark) store.put((this.#mark = Math.random()), MARK);
        if (record === null) store.delete(key);
        else if (record !== old) store.put(record, key);
        // The other records, too, if the database was emptied or failed for a while.
        const there = new Map([[key, record]]);
        for (const [other, kept] of this.#memory) {
          if (other === key || !kept) continue;
          there.set(other, kept);
          if ((await promisifyRequest(store.getKey(other))) === undefined) store.put(kept, other);
        }
        await promisifyRequest(store.transaction);
        for (const one of there) this.#wrote.set(...one);
        return record;
      });
      this.#memory.delete(key);
      this.last.drop();
      return { record, persisted: true };
    } catch {
      // The database is forbidden, full, hung or closed. It is kept here, and the caller tells the worker.
      const record = decide(this.#memory.get(key) ?? null, this.#memory.has(key));
      this.#memory.set(key, record);
      return { record, persisted: false };
    }
  }

  /**
   * Joins the record in memory and the one in the database: if the database failed for a while, it may hold
   * what an earlier tab wrote. The result remains that tab's, so that whoever saves it notices.
   */
  #both(key: string, stored: Record | null): Record | null {
    const here = this.#memory.get(key);
    if (here === undefined) return stored;
    return here && stored ? { ...taken(stored, here), owner: stored.owner } : here;
  }

  async #use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    // A write that was given up must not happen later, over newer answers.
    const given = { up: false, abort: (): void => undefined };
    const run = async (store: IDBObjectStore): Promise<T> => {
      given.abort = () => aborted(store.transaction);
      if (given.up) given.abort();
      const mark: unknown = await promisifyRequest(store.get(MARK));
      if (this.#mark && mark !== this.#mark) {
        this.#memory = new Map([...this.#wrote, ...this.#memory]);
        this.#wrote.clear();
      }
      this.#mark = mark;
      for (const [key, record] of this.#wrote) {
        if (!record || (await promisifyRequest(store.getKey(key))) !== undefined) continue;
        // Another tab has delivered it or given it back. Otherwise it would come back as a draft.
        this.#wrote.delete(key);
        this.#memory.delete(key);
      }
      return work(store);
    };
    try {
      this.#open ??= createStore(this.name, "work");
      return await inTime(this.#open(mode, run), this.patience);
    } catch (error) {
      given.up = true;
      given.abort();
      this.#open = null; // a connection that was closed or hung is opened again next time
      throw error;
    }
  }
}
