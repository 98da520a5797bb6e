/**
 * For tests: a browser without a browser. It has tabs with one IndexedDB, a clock that is set by hand, and the
 * server.
 */

import { createApi, type Api } from "../../api/client";
import type { Timers } from "../backoff";
import { Earnings } from "../earnings";
import { Outbox } from "../outbox";
import { Session, TOKEN_KEY } from "../session";
import type { Record } from "../record";
import { BrowserStore, type Store } from "../store";
import type { Message, Tabs } from "../tabs";
import { vault, type Vault } from "../vault";
import { Work } from "../work.svelte";
import { Server } from "./server";

/** Node's turn of the event loop, which takes no millisecond. */
declare const setImmediate: (then: (value: unknown) => void) => void;

/** Lets everything happen that can happen now: promises, and the database's own turns. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 60; n++) await new Promise((resolve) => setImmediate(resolve));
}

/** Time that stands still until it is moved. */
export class Time implements Timers {
  /** Seconds. */
  now = 1_000_000;
  #due = new Map<number, { at: number; then: () => void }>();
  #next = 0;

  after(seconds: number, then: () => void): () => void {
    const id = this.#next++;
    this.#due.set(id, { at: this.now + seconds, then });
    return () => this.#due.delete(id);
  }

  async pass(seconds: number): Promise<void> {
    const end = this.now + seconds;
    for (;;) {
      const [first] = [...this.#due].filter(([, d]) => d.at <= end).sort(([, a], [, b]) => a.at - b.at);
      if (first === undefined) break;
      this.#due.delete(first[0]);
      this.now = Math.max(this.now, first[1].at);
      first[1].then();
      for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
    }
    this.now = end;
    await settle();
  }
}

export function memoryVault(): Vault {
  return vault(() => {
    throw new Error("no storage here");
  });
}

/**
 * Runs what a tab begins. After the tab has ended, what it began goes on, but the tab learns nothing of it and
 * begins nothing more.
 */
async function lived<T>(life: { over: boolean }, begin: () => Promise<T>): Promise<T> {
  const never = new Promise<T>(() => undefined);
  if (life.over) return never;
  const result = await begin();
  return life.over ? never : result;
}

/** One tab. A reload makes a new one with the same `own` storage. */
export interface Tab {
  work: Work;
  session: Session;
  outbox: Outbox;
  api: Api;
  store: Store;
  tabs: Tabs;
  own: Vault;
  close(): void;
}

let worlds = 0;
let tabsMade = 0;

export class World {
  time = new Time();
  shared = memoryVault();
  server: Server;
  store: Store;
  #tabs = new Set<(message: Message) => void>();

  constructor(items = 6, aPage = 2, store?: Store) {
    this.server = new Server(items, aPage, () => this.time.now);
    this.store = store ?? new BrowserStore(`world-${++worlds}`);
  }

  /** A tab as it is opened, before it starts. It has `token` as if that were in the address. */
  tab(token: string | null = "ada:1:s", own = memoryVault(), store = this.store): Tab {
    const session = new Session(own, this.shared, () => this.time.now * 1000);
    if (token !== null && session.subject === null) session.take(token);
    const tabs = this.#channel();
    const life = { over: false };
    const both = {
      api: createApi(session, {
        base: "http://server/",
        fetch: (request: Request) => lived(life, () => this.server.fetch(request)),
      }),
      store: {
        list: (subject: string) => lived(life, () => store.list(subject)),
        update: (...what: Parameters<Store["update"]>) => lived(life, () => store.update(...what)),
        jot: (record: Record) => store.jot(record),
      },
      session,
      tabs,
      timers: this.time,
      earnings: new Earnings(own),
      random: () => 0.5,
    };
    const outbox = new Outbox(both);
    const work = new Work("link", {
      ...both,
      outbox,
      now: () => ({ mono: this.time.now * 1000, wall: this.time.now * 1000 }),
      attach: () => () => undefined,
    });
    const close = () => {
      work.leave();
      life.over = true;
      work.stop();
    };
    return { ...both, work, session, outbox, own, close };
  }

  /** A tab that has started. */
  async open(token?: string | null, own?: Vault): Promise<Tab> {
    const tab = this.tab(token, own);
    void tab.work.start();
    await settle();
    return tab;
  }

  async reload(tab: Tab): Promise<Tab> {
    tab.close();
    return this.open(null, tab.own);
  }

  /** The message that a storage event would bring to another tab. */
  handOver(tab: Tab): void {
    tab.session.hear(this.shared.get(TOKEN_KEY));
  }

  #channel(): Tabs {
    const id = `tab-${++tabsMade}`;
    return {
      id,
      tell: (message) => {
        for (const heard of [...this.#tabs]) queueMicrotask(() => this.#tabs.has(heard) && heard(message));
      },
      listen: (heard) => {
        const others = (message: Message) => message.tab !== id && heard(message);
        this.#tabs.add(others);
        return () => this.#tabs.delete(others);
      },
    };
  }
}
