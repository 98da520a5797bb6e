/** What a writer is told of a caption while writing it. What is too short, or was written before, cannot be sent. Pure. */

export type Hint = "short" | "name" | "guess" | "image" | "again" | "opening";

/** The fewest words of a caption [ours]. */
const MIN_WORDS = 4;
/** The API takes at most this many characters. */
export const MAX_LENGTH = 500;
/** So many of the last captions may begin alike. */
const ALIKE = 2;
const LATELY = 10;
const OPENING_WORDS = 3;

const GUESSES: Record<string, RegExp> = {
  en: /\b(probably|perhaps|maybe|might|may be|possibly|presumably|apparently|supposedly|seems?|appears? to|looks? like|could be|must (be|have)|as if|i think|is thinking|are thinking)\b/iu,
  de: /(?<!\p{L})(wahrscheinlich|vielleicht|vermutlich|womöglich|möglicherweise|scheint|scheinen|wohl|anscheinend|denkt|denken)(?!\p{L})/iu,
};
/** Words about the photograph itself. The server's rule is caption_rules.py. */
const IMAGES: Record<string, RegExp> = {
  en: /^\W*((an?|the|this|black|white|and|close-?up|[\s-])+ )?(picture|photo|photograph|image|close-?up) of\b|\b(this|the) (picture|photo|photograph|image) (shows?|depicts?|is of|was taken)\b|\bin (this|the) (picture|photo|photograph|image)\b/iu,
};
/** In German every noun begins with a capital. */
const NAMES: Record<string, RegExp> = { en: /[^.!?\s"“]["”]?\s+\p{Lu}\p{Ll}+/u };

const wordsOf = (caption: string): string[] => caption.toLowerCase().match(/[\p{L}\p{N}'’-]+/gu) ?? [];
const begins = (words: readonly string[]): string => words.slice(0, OPENING_WORDS).join(" ");

/** The letters and digits of a caption: marks and spaces do not make another one. The server's rule is caption_rules.py. */
const plain = (caption: string): string =>
  caption
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Returns why a caption cannot be sent, or null. `before` are the writer's earlier ones. */
export function refusalOf(caption: string, before: readonly string[]): "short" | "again" | null {
  if (wordsOf(caption).length < MIN_WORDS) return "short";
  return before.some((one) => plain(one) === plain(caption)) ? "again" : null;
}

/** Returns what can be said of a caption in a language (a BCP 47 tag). `before` are the writer's earlier ones. */
export function hintsFor(caption: string, language: string, before: readonly string[]): Hint[] {
  const tongue = language.split("-")[0] ?? "";
  const words = wordsOf(caption);
  const earlier = before.map(wordsOf);
  const alike = earlier.slice(-LATELY).filter((one) => begins(one) === begins(words));
  const refusal = refusalOf(caption, before);
  const found: [Hint, boolean | undefined][] = [
    ["short", refusal === "short"],
    ["name", NAMES[tongue]?.test(caption)],
    ["guess", GUESSES[tongue]?.test(caption)],
    ["image", IMAGES[tongue]?.test(caption)],
    ["again", refusal === "again"],
    ["opening", words.length >= OPENING_WORDS && alike.length > ALIKE],
  ];
  return words.length === 0 ? [] : found.flatMap(([hint, is]) => (is ? [hint] : []));
}
