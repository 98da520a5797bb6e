/** What work is worth: how long a page takes, and what that pays an hour. Pure. */

import type { Money } from "../api/types";
import { money } from "./money";

/** Writes a time as people say it: 40 s, 1.3 min, 12 min. */
export function duration(seconds: number, language: string): string {
  const minutes = seconds / 60;
  const short = seconds < 60;
  const format = new Intl.NumberFormat(language, {
    style: "unit",
    unit: short ? "second" : "minute",
    unitDisplay: "short",
    maximumFractionDigits: short || minutes >= 10 ? 0 : 1,
  });
  return format.format(short ? Math.max(1, Math.round(seconds)) : minutes);
}

/** Returns what an hour pays at a page's usual time. Null if nothing is paid, or the time is not known. */
export function hourly(reward: Money | null, seconds: number | null | undefined): Money | null {
  if (!reward || !seconds || seconds <= 0) return null;
  return { amount: Math.floor((reward.amount * 3600) / seconds), currency: reward.currency };
}

/**
 * Writes pay, time and pay an hour, as far as they are known. Drafts that were begun with an earlier version
 * of these pages have no time.
 */
export function worth(
  reward: Money | null,
  seconds: number | null | undefined,
  language: string,
  anHour: (amount: string) => string,
): string {
  const parts = [reward && money(reward, language), seconds ? duration(seconds, language) : null];
  const rate = hourly(reward, seconds);
  return [...parts, rate && anHour(money(rate, language))].filter(Boolean).join(" · ");
}
