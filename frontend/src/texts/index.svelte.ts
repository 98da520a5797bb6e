/** The texts in the language in use. If a component calls `text()`, it follows a change of language. */

import type { Catalogue, Rest } from "./catalogue";

/** Languages by tag, each with its own name. A new one needs one entry here and one folder beside `en`. */
export const LANGUAGES = {
  en: {
    name: "English",
    load: async (): Promise<Catalogue> => (await import("./en")).default,
    rest: async (): Promise<Rest> => (await import("./en/rest")).default,
  },
  de: {
    name: "Deutsch",
    load: async (): Promise<Catalogue> => (await import("./de")).default,
    rest: async (): Promise<Rest> => (await import("./de/rest")).default,
  },
} as const;
export type Language = keyof typeof LANGUAGES;

/** A language is only loaded by those who read it. Nobody loads the others as well. */
let current = $state.raw<Catalogue | null>(null);
let tag = $state<Language>("en");
let currentRest = $state.raw<Rest | null>(null);
let restWanted = false;

/** The catalogue in use. main.ts loads one before anything is shown. */
export function text(): Catalogue {
  if (current === null) throw new Error("speak() comes first.");
  return current;
}

/** The texts of the pages round the work. These pages call `readRest` before they are shown. */
export function rest(): Rest {
  if (currentRest === null) throw new Error("readRest() comes first.");
  return currentRest;
}

/** Loads these texts in the language in use. From then on, `speak` loads them with every language. */
export async function readRest(): Promise<void> {
  restWanted = true;
  let language: Language;
  do {
    language = tag;
    currentRest = await LANGUAGES[language].rest();
  } while (language !== tag);
}

/** Waits for the code of a page, and for these texts, which it shows. */
export async function withRest<T>(code: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([code, readRest()]);
  return loaded;
}

/** The language in use. */
export function language(): Language {
  return tag;
}

/** Changes the language. If it cannot be loaded (no network), this throws and the old one stays in use. */
export async function speak(wanted: Language): Promise<void> {
  const catalogue = await LANGUAGES[wanted].load();
  const words = restWanted ? await LANGUAGES[wanted].rest() : null;
  // Nothing waits between here and the new tag, so `readRest` sees either the old language or the new one.
  if (words !== null) currentRest = words;
  current = catalogue;
  tag = wanted;
  document.documentElement.lang = wanted;
}

/** The first of the wanted languages (`navigator.languages`) that there is here, or English. */
export function preferred(wanted: readonly string[]): Language {
  const found = wanted
    .map((w) => w.toLowerCase().split("-")[0])
    .find((w) => w !== undefined && Object.hasOwn(LANGUAGES, w));
  return (found as Language | undefined) ?? "en";
}
