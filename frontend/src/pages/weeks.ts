/** The weeks of which a worker is told, and how a week is written. Pure. */

import type { Me, Week } from "../api/types";

const DAY = 24 * 3600 * 1000;

/** The weeks of an account. During an update, a server process that still runs the version before sends none. */
export const weeksOf = (me: Partial<Me> | null): Week[] => me?.weeks ?? [];

/** Writes the seven days that begin on this one (YYYY-MM-DD, in UTC), as in 9 – 15 Nov 2026. */
export function weekOf(begins: string, language: string): string {
  const first = Date.parse(begins);
  const format = new Intl.DateTimeFormat(language, {
    year: "numeric",
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
  return format.formatRange(first, first + 6 * DAY);
}
