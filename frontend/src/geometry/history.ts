/** What can be undone. Values are never changed, only replaced. */

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

/** How many steps can be undone: enough for one box, but limited. */
export const MAX_STEPS = 100;

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] });

/** Sets a new present. What was undone before is gone. */
export function record<T>(history: History<T>, present: T): History<T> {
  return { past: [...history.past, history.present].slice(-MAX_STEPS), present, future: [] };
}

/** Goes back one step, or returns the same history if there is none. */
export function undo<T>(history: History<T>): History<T> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future] };
}

/** Goes forward one step again, or returns the same history if there is none. */
export function redo<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future };
}
