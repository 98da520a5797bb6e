/** What a test uses of this browser. It is the same as for work, except for where answers are kept. */

import { browserTimers, type Timers } from "../work/backoff";
import { attach, browserPlace, type Place as Browser } from "../work/browser";
import type { Moment } from "../work/lease";
import type { Session } from "../work/session";
import type { Store } from "../work/store";
import type { Signals } from "../work/view";
import { callsOf, type Calls } from "./calls";
import { keptTests } from "../work/kept-tests";

export type Used = Pick<Browser, "api" | "session" | "tabs">;

export interface Place {
  calls: Calls;
  store: Store;
  session: Pick<Session, "subject">;
  /** Names this tab. */
  tab: string;
  timers: Timers;
  now: () => Moment;
  /** In [0, 1). */
  random: () => number;
  /** Sends signals from now on. Returns a function that ends this. */
  attach: (signals: Signals) => () => void;
}

/** For the worker who is signed in, or for somebody who comes from a platform. */
export function testPlace({ api, session, tabs }: Used = browserPlace()): Place {
  return {
    calls: callsOf(api),
    store: keptTests(),
    session,
    tab: tabs.id,
    timers: browserTimers,
    now: () => ({ mono: performance.now(), wall: Date.now() }),
    random: Math.random,
    attach,
  };
}
