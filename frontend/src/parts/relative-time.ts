const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Says when a moment is, counted from now, since clocks of phones are wrong. It is never named too early. */
export function inWords(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  if (seconds > 2 * DAY) return words.format(Math.ceil(seconds / DAY), "day");
  if (seconds > 2 * HOUR) return words.format(Math.ceil(seconds / HOUR), "hour");
  return words.format(Math.max(1, Math.ceil(seconds / MINUTE)), "minute");
}
