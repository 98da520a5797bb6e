/** Whether a lease is held, and when to renew it. Pure; all times in seconds unless they say otherwise. */

import type { LeaseState } from "./view";

/** One moment on two clocks, in ms. `mono` may stand still while a laptop sleeps, and `wall` may be set. */
export interface Moment {
  mono: number;
  wall: number;
}

export interface Held {
  /** Seconds that were left when the server replied. */
  left: number;
  at: Moment;
  /** Seconds of a full lease. Null: not known, since the page was held already. */
  term: number | null;
  /** The server said that it cannot be renewed. */
  lost: boolean;
}

/** A worker who did nothing for so long is away, and the page is left to others. */
const AWAY = 120;
/** If the lease is not being renewed and has fewer seconds than this, the worker is told that it ends. */
const SOON = 120;

/**
 * Returns the time between two moments: the longer one of the two clocks'. Too much only costs a renewal, too
 * little would cost the lease.
 */
export function elapsed(from: Moment, to: Moment): number {
  return Math.max(to.mono - from.mono, to.wall - from.wall, 0) / 1000;
}

export function left(lease: Held, now: Moment): number {
  return lease.lost ? Math.min(0, lease.left - elapsed(lease.at, now)) : lease.left - elapsed(lease.at, now);
}

/** With fewer seconds than this, an active worker's lease is renewed. */
function renewBelow(lease: Held): number {
  return lease.term === null ? Infinity : lease.term / 3;
}

/** Whether to renew now. A lease that has run out is tried, too, since often nobody has taken the page back. */
export function due(lease: Held, now: Moment, active: Moment): boolean {
  return !lease.lost && left(lease, now) < renewBelow(lease) && elapsed(active, now) <= AWAY;
}

export function stateOf(lease: Held | null, now: Moment): LeaseState {
  if (lease === null) return "unknown";
  const seconds = left(lease, now);
  if (lease.lost || seconds <= 0) return "over";
  return seconds < Math.min(SOON, (lease.term ?? Infinity) / 4) ? "soon" : "held";
}
