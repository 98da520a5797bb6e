/** Numbers of a test in words that can be understood. Pure. */

/** How many right answers pass; the server compares the share with the mark. */
export function needed(mark: number, asked: number): number {
  for (let right = 1; right < asked; right++) if (right / asked >= mark) return right;
  return asked;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** When it is, said from now on: clocks of phones are wrong. Never sooner than it is. */
export function inWords(seconds: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  if (seconds > 2 * DAY) return words.format(Math.ceil(seconds / DAY), "day");
  if (seconds > 2 * HOUR) return words.format(Math.ceil(seconds / HOUR), "hour");
  return words.format(Math.max(1, Math.ceil(seconds / MINUTE)), "minute");
}
