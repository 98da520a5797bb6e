/** Whether a lease is held, and when to renew it. Pure; all times in seconds unless they say otherwise. */

import type { LeaseState } from "./view";

/** One moment by two clocks, in ms: `mono` may stand still while a laptop sleeps, `wall` may be set. */
export interface Moment {
  mono: number;
  wall: number;
}

export interface Held {
  /** Left when the server replied. */
  left: number;
  at: Moment;
  /** Of a full lease; null: not known, the page was held already. */
  term: number | null;
  /** The server said that it cannot be renewed. */
  lost: boolean;
}

/** A worker that did nothing for this long is away: the page is left to others. */
export const AWAY = 120;
/** Not being renewed, below this many seconds it is said that the lease ends. */
export const SOON = 120;

/** Time between two moments: the larger of what the clocks say. Too much costs a renewal, too little the lease. */
export function elapsed(from: Moment, to: Moment): number {
  return Math.max(to.mono - from.mono, to.wall - from.wall, 0) / 1000;
}

export function left(lease: Held, now: Moment): number {
  return lease.lost ? Math.min(0, lease.left - elapsed(lease.at, now)) : lease.left - elapsed(lease.at, now);
}

/** Below this many seconds an active worker's lease is renewed. */
function renewBelow(lease: Held): number {
  return lease.term === null ? Infinity : lease.term / 3;
}

/** Whether to renew now. One that has run out is tried, too: often nobody has taken the page back. */
export function due(lease: Held, now: Moment, active: Moment): boolean {
  return !lease.lost && left(lease, now) < renewBelow(lease) && elapsed(active, now) <= AWAY;
}

export function stateOf(lease: Held | null, now: Moment): LeaseState {
  if (lease === null) return "unknown";
  const seconds = left(lease, now);
  if (lease.lost || seconds <= 0) return "over";
  return seconds < Math.min(SOON, (lease.term ?? Infinity) / 4) ? "soon" : "held";
}
