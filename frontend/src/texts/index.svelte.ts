/** The texts in the language in use. `text()` in a component follows a change of language. */

import en from "./en";

/** What a further language has to have: every text of the English catalogue. */
export type Catalogue = Widen<typeof en>;

/** The same keys with any string in place of the English one. */
type Widen<T> = T extends string
  ? string
  : T extends (...words: infer A) => string
    ? (...words: A) => string
    : { [K in keyof T]: Widen<T[K]> };

/** Languages by tag, each with its own name. A further one is one line here and one folder beside `en`. */
export const LANGUAGES = {
  en: { name: "English", load: async (): Promise<Catalogue> => en },
  de: { name: "Deutsch", load: async (): Promise<Catalogue> => (await import("./de")).default },
} as const;
export type Language = keyof typeof LANGUAGES;

let current = $state.raw<Catalogue>(en);
let tag = $state<Language>("en");

/** The catalogue in use. */
export function text(): Catalogue {
  return current;
}

/** The language in use. */
export function language(): Language {
  return tag;
}

/** Changes the language. What cannot be loaded (no network) leaves the old one in use and is thrown. */
export async function speak(wanted: Language): Promise<void> {
  current = await LANGUAGES[wanted].load();
  tag = wanted;
  document.documentElement.lang = wanted;
}

/** The first of the wanted languages (`navigator.languages`) that there is, or English. */
export function preferred(wanted: readonly string[]): Language {
  const found = wanted
    .map((w) => w.toLowerCase().split("-")[0])
    .find((w) => w !== undefined && w in LANGUAGES);
  return (found as Language | undefined) ?? "en";
}
