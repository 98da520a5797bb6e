/** The work with this browser's storage, clocks, tabs and network. */

import { createApi, type Api } from "../api/client";
import type { Stage } from "../api/types";
import { browserTimers } from "./backoff";
import { Earnings } from "./earnings";
import { Outbox } from "./outbox";
import { follow, Session, TOKEN_KEY } from "./session";
import { BrowserStore, type Store } from "./store";
import { browserTabs, type Tabs } from "./tabs";
import { vault, type Vault } from "./vault";
import type { Signals } from "./view";
import { Work } from "./work.svelte";

export interface Place {
  session: Session;
  api: Api;
  store: Store;
  tabs: Tabs;
  outbox: Outbox;
  work(stage: Stage): Work;
}

let place: Place | null = null;

/** Returns the place of this browser, one for the whole page. The first call takes the token out of the address. */
export function browserPlace(): Place {
  return (place ??= open());
}

/** Returns the work on one stage. Call its `start` when it is shown, and its `stop` when it is not shown any more. */
export function browserWork(stage: Stage): Work {
  return browserPlace().work(stage);
}

function open(): Place {
  const own = vault(() => sessionStorage);
  const session = new Session(
    own,
    vault(() => localStorage),
    () => Date.now(),
  );
  session.arrive(location, history);
  addEventListener("hashchange", () => follow(session, location, history));
  addEventListener("storage", (event) => {
    if (event.key === TOKEN_KEY) session.hear(event.newValue);
  });
  return placeOf(session, own, createApi(session));
}

/** Returns the place where the session's worker works. `own` is this tab's storage. */
export function placeOf(session: Session, own: Vault, api: Api): Place {
  const store = new BrowserStore();
  const earnings = new Earnings(own);
  const tabs: Tabs = browserTabs();
  const now = () => ({ mono: performance.now(), wall: Date.now() });
  const both = { api, store, session, tabs, timers: browserTimers, earnings, random: Math.random };
  const outbox = new Outbox(both);
  sendWhen(outbox, session);
  const deps = { ...both, outbox, now, attach };
  return { session, api, store, tabs, outbox, work: (stage) => new Work(stage, deps) };
}

/** Sends what waits, from any page: now, when the network or the worker is back, and after signing in. */
export function sendWhen(outbox: Outbox, session: Session): void {
  addEventListener("online", () => void outbox.nudge());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void outbox.nudge();
  });
  session.listen(() => void outbox.drain());
  void outbox.nudge();
}

/** Events that show that the worker is there. */
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "input"] as const;

export function attach(signals: Signals): () => void {
  const ends = new AbortController();
  const on = { signal: ends.signal, passive: true, capture: true };
  let last = -Infinity;
  const sign = (event: Event) => {
    if (event.timeStamp - last < 1000) return;
    last = event.timeStamp;
    signals.active();
  };
  for (const name of SIGNS) document.addEventListener(name, sign, on);
  document.addEventListener("visibilitychange", () => signals.visible(!document.hidden), on);
  // The window alone, and not what is in it.
  addEventListener("blur", () => signals.away(), { signal: ends.signal });
  addEventListener("focus", () => signals.active(), { signal: ends.signal });
  addEventListener("pagehide", () => signals.leave(), on);
  // The page was restored from the browser's page cache: time has passed, and other tabs may have worked.
  addEventListener("pageshow", () => signals.visible(!document.hidden), on);
  addEventListener("online", () => signals.network(true), on);
  addEventListener("offline", () => signals.network(false), on);
  if (!navigator.onLine) signals.network(false);
  signals.visible(!document.hidden);
  return () => ends.abort();
}
