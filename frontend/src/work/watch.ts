/** Time on an item: only while it is shown, the page is visible, and the worker does something now and then. */

/** Milliseconds without a sign of the worker after which the time no longer counts. */
export const IDLE = 60_000;

/** All times in milliseconds of one monotonic clock. */
export interface Watch {
  /** Up to here the time is counted. */
  at: number;
  /** The worker's last sign of life. */
  active: number;
  visible: boolean;
}

export function started(now: number, visible: boolean): Watch {
  return { at: now, active: now, visible };
}

/** The time since it was last read, in seconds, and the watch to go on with. */
export function read(watch: Watch, now: number): { seconds: number; watch: Watch } {
  const end = Math.min(now, watch.active + IDLE);
  const seconds = watch.visible ? Math.max(0, end - watch.at) / 1000 : 0;
  return { seconds, watch: { ...watch, at: Math.max(now, watch.at) } };
}

/** The worker moved, typed or touched. Read the watch first: an idle stretch must not count afterwards. */
export function active(watch: Watch, now: number): Watch {
  return { ...watch, active: Math.max(now, watch.active) };
}

export function shown(watch: Watch, visible: boolean): Watch {
  return { ...watch, visible };
}
