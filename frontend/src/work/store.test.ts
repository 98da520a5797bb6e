import { createStore, get, promisifyRequest, set } from "idb-keyval";
import { IDBFactory } from "fake-indexeddb";
import "fake-indexeddb/auto";
import { afterEach, describe, expect, it, vi } from "vitest";
import { begin, change } from "./draft";
import { LastWord } from "./lastword";
import { fresh, keyOf, taken, type Record } from "./record";
import { BrowserStore } from "./store";
import { page } from "./testing/page";
import { vault } from "./vault";

const record = fresh("ada", begin(page(2)), "here");
let made = 0;
const name = () => `store-${++made}`;

afterEach(() => vi.unstubAllGlobals());

describe("the store", () => {
  it("keeps each worker's records, and gives them back to the next tab", async () => {
    const db = name();
    expect(await new BrowserStore(db).update("ada", "page-1", () => record)).toEqual({
      record,
      persisted: true,
    });
    expect(await new BrowserStore(db).list("ada")).toEqual([record]);
    expect(await new BrowserStore(db).list("bob")).toEqual([]);
    await new BrowserStore(db).update("ada", "page-1", () => null);
    expect(await new BrowserStore(db).list("ada")).toEqual([]);
  });

  it("puts what it cannot read aside, and never throws it away", async () => {
    const db = name();
    const raw = createStore(db, "work");
    const key = keyOf("ada", "page-1");
    await set(key, { version: 0, answers: "yes" }, raw);
    const store = new BrowserStore(db);
    expect(await store.list("ada")).toEqual([]);
    await store.update("ada", "page-1", (old) => (expect(old).toBeNull(), record));
    expect(await store.list("ada")).toEqual([record]);
    expect(await get(`strange:${key}`, raw)).toEqual({ strange: { version: 0, answers: "yes" } });
  });

  it("serves from memory where there is no database, and says so", async () => {
    vi.stubGlobal("indexedDB", undefined);
    const store = new BrowserStore(name());
    expect((await store.update("ada", "page-1", () => record)).persisted).toBe(false);
    expect(await store.list("ada")).toEqual([record]);
  });

  it("does not wait for a database that hangs", async () => {
    vi.stubGlobal("indexedDB", { open: () => ({}) });
    const store = new BrowserStore(name(), 5);
    expect((await store.update("ada", "page-1", () => record)).persisted).toBe(false);
    expect(await store.list("ada")).toEqual([record]);
  });

  it("writes nothing that was given up once the database answers again", async () => {
    const db = name();
    const [slow, store] = [new BrowserStore(db, 40), new BrowserStore(db)];
    await store.update("ada", "page-1", () => record);
    // Another tab's long transaction holds the database.
    let release = (): void => undefined;
    const held = createStore(db, "work")("readwrite", (objects) => {
      let open = true;
      release = () => (open = false);
      const spin = () => void (open && (objects.get("nothing").onsuccess = spin));
      spin();
      return promisifyRequest(objects.transaction);
    });
    const late = { ...record, changed: 1 };
    expect((await slow.update("ada", "page-1", () => late)).persisted).toBe(false);
    release();
    await held;
    expect(await store.list("ada")).toEqual([record]);
  });

  it("tells whether there is no record, or one that cannot be read", async () => {
    const sure: boolean[] = [];
    const note = (old: Record | null, known: boolean) => (sure.push(known), old ?? record);
    await new BrowserStore(name()).update("ada", "page-1", note);
    vi.stubGlobal("indexedDB", undefined);
    await new BrowserStore(name()).update("ada", "page-1", note);
    expect(sure).toEqual([true, false]);
  });

  it("says when the device is full, and writes again when it is not", async () => {
    const store = new BrowserStore(name());
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    expect((await store.update("ada", "page-1", () => record)).persisted).toBe(false);
    full.mockRestore();
    const seen = await store.update("ada", "page-1", (old) => old);
    expect(seen).toEqual({ record, persisted: true });
  });

  it("loses nothing of an earlier tab to a database that failed for a while", async () => {
    const factory = new IDBFactory();
    vi.stubGlobal("indexedDB", factory);
    const db = name();
    const earlier: Record = {
      ...record,
      changed: 1,
      draft: change(record.draft, { answer: { same: true } }),
    };
    await new BrowserStore(db).update("ada", "page-1", () => earlier);
    vi.stubGlobal("indexedDB", { open: () => ({}) });
    const store = new BrowserStore(db, 500);
    const mine = { ...record, owner: "later" };
    await store.update("ada", "page-1", (old) => taken(old, mine));
    vi.stubGlobal("indexedDB", factory);
    const { record: now } = await store.update("ada", "page-1", (old) => taken(old, mine));
    expect(now?.draft.entries[0]?.answer).toEqual({ same: true });
  });

  it("brings back what it wrote if the browser empties the database", async () => {
    const db = name();
    const [store, raw] = [new BrowserStore(db), createStore(db, "work")];
    const emptied = () =>
      raw("readwrite", (objects) => (objects.clear(), promisifyRequest(objects.transaction)));
    await store.update("ada", "page-1", () => record);
    await store.update("ada", "page-2", () => record);
    await store.update("ada", "page-2", () => null);
    await emptied();
    expect(await store.list("ada")).toEqual([record]);
    await emptied();
    const seen = await store.update("ada", "page-1", (old) => old && { ...old, changed: 1 });
    expect(seen).toEqual({ record: { ...record, changed: 1 }, persisted: true });
    expect(await new BrowserStore(db).list("ada")).toEqual([seen.record]);
  });

  it("stores every page again that was there before the database was emptied", async () => {
    const db = name();
    const store = new BrowserStore(db);
    const other = { ...record, draft: { ...record.draft, page: { ...record.draft.page, id: "page-2" } } };
    await store.update("ada", "page-1", () => record);
    await store.update("ada", "page-2", () => other);
    const emptied = await createStore(db, "work")("readwrite", (objects) => {
      objects.clear();
      return promisifyRequest(objects.transaction);
    });
    expect(emptied).toBeUndefined();
    await store.update("ada", "page-1", (old) => old);
    await store.update("ada", "page-1", (old) => old && { ...old, changed: 1 });
    expect(await new BrowserStore(db).list("ada")).toEqual([{ ...record, changed: 1 }, other]);
  });

  describe("a page that another tab has delivered", () => {
    const second = { ...record, draft: { ...record.draft, page: { ...record.draft.page, id: "page-2" } } };
    const emptied = (db: string) =>
      createStore(db, "work")("readwrite", (objects) => {
        objects.clear();
        return promisifyRequest(objects.transaction);
      });
    const both = async (db: string): Promise<BrowserStore> => {
      const store = new BrowserStore(db);
      await store.update("ada", "page-1", () => record);
      await store.update("ada", "page-2", () => second);
      return store;
    };
    const deliver = (db: string) => new BrowserStore(db).update("ada", "page-2", () => null);

    it("stays gone when the database is emptied later", async () => {
      const db = name();
      const store = await both(db);
      await deliver(db);
      await store.list("ada");
      await emptied(db);
      expect(await store.list("ada")).toEqual([record]);
      await store.update("ada", "page-1", (old) => old);
      expect(await new BrowserStore(db).list("ada")).toEqual([record]);
    });

    it("stays gone if this tab had stored it again after the database was emptied", async () => {
      const db = name();
      const store = await both(db);
      await emptied(db);
      await store.update("ada", "page-1", (old) => old);
      await deliver(db);
      await store.update("ada", "page-1", (old) => old);
      expect(await new BrowserStore(db).list("ada")).toEqual([record]);
      expect(await store.list("ada")).toEqual([record]);
    });

    it("stays gone if that tab had stored it again", async () => {
      const db = name();
      const [store, other] = [await both(db), new BrowserStore(db)];
      await other.update("ada", "page-2", (old) => old);
      await emptied(db);
      await other.update("ada", "page-2", (old) => old);
      await store.update("ada", "page-1", (old) => old);
      await deliver(db);
      await store.update("ada", "page-1", (old) => old);
      expect(await new BrowserStore(db).list("ada")).toEqual([record]);
    });

    it("stays gone if this tab could not write it meanwhile", async () => {
      const db = name();
      const store = await both(db);
      const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
        throw new DOMException("no room", "QuotaExceededError");
      });
      expect((await store.update("ada", "page-2", () => second)).persisted).toBe(false);
      full.mockRestore();
      await deliver(db);
      const seen: (Record | null)[] = [];
      await store.update("ada", "page-2", (old) => (seen.push(old), old));
      expect(seen).toEqual([null]);
      expect(await new BrowserStore(db).list("ada")).toEqual([record]);
    });
  });

  it("keeps what it could not store again after the database was emptied", async () => {
    const db = name();
    const store = new BrowserStore(db);
    await store.update("ada", "page-1", () => record);
    const clear = createStore(db, "work")("readwrite", (objects) => {
      objects.clear();
      return promisifyRequest(objects.transaction);
    });
    await clear;
    const full = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("no room", "QuotaExceededError");
    });
    expect((await store.update("ada", "page-1", (old) => old)).persisted).toBe(false);
    full.mockRestore();
    expect(await store.list("ada")).toEqual([record]);
    expect(await store.update("ada", "page-1", (old) => old)).toEqual({ record, persisted: true });
  });

  it("takes over the last word of a page that was gone before it was written", async () => {
    const [db, shared] = [name(), vault(() => localStorage)];
    const store = new BrowserStore(db, 1000, new LastWord(shared));
    await store.update("ada", "page-1", () => record);
    const said = { ...record, changed: 1, draft: change(record.draft, { answer: { same: true } }) };
    store.jot(said);
    const next = new BrowserStore(db, 1000, new LastWord(shared));
    expect(await next.list("ada")).toEqual([said]);
    await next.update("ada", "page-1", () => null);
    expect(await next.list("ada")).toEqual([]);
  });
});
