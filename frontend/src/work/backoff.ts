/** When to try again. */

const FIRST = 1;
const MAX_WAIT = 60;

/**
 * Returns the seconds to wait after the given number of failures in a row (from 1). They are doubled each time,
 * up to a minute. The second half of the time is random, so that a room of workers does not come back at the
 * same moment. It is never less than the server asked for. `random` is in [0, 1).
 */
export function wait(failures: number, random: number, asked: number | null = null): number {
  const full = Math.min(FIRST * 2 ** Math.min(failures - 1, 10), MAX_WAIT);
  return Math.max(full * (0.5 + random / 2), asked === null ? 0 : asked * (1 + random / 4));
}

/** Calls a function later. The result cancels the call. This is a parameter, so that tests need not wait. */
export interface Timers {
  after(seconds: number, then: () => void): () => void;
}

export const browserTimers: Timers = {
  after(seconds, then) {
    const timer = setTimeout(then, seconds * 1000);
    return () => clearTimeout(timer);
  },
};
