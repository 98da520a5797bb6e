/** What a test uses of this browser: as the work does, but for where it keeps answers. */

import { browserTimers, type Timers } from "../work/backoff";
import { attach, browserPlace } from "../work/browser";
import type { Moment } from "../work/lease";
import type { Session } from "../work/session";
import type { Store } from "../work/store";
import type { Signals } from "../work/view";
import { callsOf, type Calls } from "./calls";
import { keptTests } from "./kept";

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
  /** Sends signals from now on; answers what ends that. */
  attach: (signals: Signals) => () => void;
}

export function testPlace(): Place {
  const { api, session, tabs } = browserPlace();
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
