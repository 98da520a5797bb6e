/** How many things the words name, where they say a number. Pure. */

import type { Caption } from "../api/types";

const WORDS: Record<string, readonly string[]> = {
  en: ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
  de: ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"],
};

/** Returns the number that the marked words of a caption say, if it is from 2 to 12, or null. */
export function numberSaid({
  language = "en",
  segments,
}: Pick<Caption, "language" | "segments">): number | null {
  const words = WORDS[language.toLowerCase().split("-")[0] ?? ""] ?? [];
  const said = segments
    .filter(({ mention }) => mention)
    .flatMap(({ text }) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .map((word) =>
      /^\d{1,2}$/.test(word) ? Number(word) : words.includes(word) ? words.indexOf(word) + 2 : 0,
    )
    .filter((number) => number >= 2 && number <= 12);
  // "two of the six men" says two numbers, and nobody knows which of them counts.
  return said.length === 1 ? (said[0] ?? null) : null;
}
