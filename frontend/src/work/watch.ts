/**
 * The time on an item. It counts only while the item is shown, the page is visible, and the worker does
 * something now and then.
 */

/** The time stops counting when the worker has done nothing for so many milliseconds. */
export const IDLE = 60_000;

/** All times in milliseconds of one monotonic clock. */
export interface Watch {
  /** The time is counted up to here. */
  at: number;
  /** When the worker last did something. */
  active: number;
  visible: boolean;
}

export function started(now: number, visible: boolean): Watch {
  return { at: now, active: now, visible };
}

/** Returns the time since the last reading, in seconds, and the watch to continue with. */
export function read(watch: Watch, now: number): { seconds: number; watch: Watch } {
  const end = Math.min(now, watch.active + IDLE);
  const seconds = watch.visible ? Math.max(0, end - watch.at) / 1000 : 0;
  return { seconds, watch: { ...watch, at: Math.max(now, watch.at) } };
}

/** Notes that the worker turned to another window. No time counts until they do something here again. */
export function away(watch: Watch): Watch {
  return { ...watch, active: -Infinity };
}

/** Notes that the worker moved, typed or touched. Read the watch before this, or an idle stretch would count. */
export function active(watch: Watch, now: number): Watch {
  return { ...watch, active: Math.max(now, watch.active) };
}

export function shown(watch: Watch, visible: boolean): Watch {
  return { ...watch, visible };
}
