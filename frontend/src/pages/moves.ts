/** Where an answer leads: through the open items, then to the overview. Pure. */

import { answered as isAnswered, type Draft } from "../work/draft";

type Places = Pick<Draft, "entries" | "place">;

/**
 * Returns the first open item after the one that is shown, otherwise the first open one, or null if all are
 * answered.
 */
export function nextOpen({ entries, place }: Places): number | null {
  const open = entries.flatMap((entry, at) => (isAnswered(entry) ? [] : [at]));
  return open.find((at) => at > place) ?? open[0] ?? null;
}

/**
 * Returns the place to show after the item was answered. Somebody who came back to change one answer is not led
 * through all of them.
 */
export function onward(draft: Places): number {
  return nextOpen(draft) ?? draft.entries.length;
}

export function answered({ entries }: Pick<Draft, "entries">): number {
  return entries.filter(isAnswered).length;
}
