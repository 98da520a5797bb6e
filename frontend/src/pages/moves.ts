/** Where an answer leads: on through what is open, then to the overview. Pure. */

import type { Draft } from "../work/draft";

type Places = Pick<Draft, "entries" | "place">;

/** The first open item after the one shown, else the first open one; all answered: null. */
export function nextOpen({ entries, place }: Places): number | null {
  const open = entries.flatMap((entry, at) => (entry.answer === null ? [at] : []));
  return open.find((at) => at > place) ?? open[0] ?? null;
}

/** The place to show once the item shown was answered. Who came back to change one answer is not led through all. */
export function onward(draft: Places): number {
  return nextOpen(draft) ?? draft.entries.length;
}

export function answered({ entries }: Pick<Draft, "entries">): number {
  return entries.filter((entry) => entry.answer !== null).length;
}
