/** The texts in the language in use. `text()` in a component follows a change of language. */

/** What a further language has to have: every text of the English catalogue. */
export type Catalogue = Widen<typeof import("./en").default>;

/** What only the pages round the work say. */
export type Rest = Widen<typeof import("./en/rest").default>;

/** The same keys with any string in place of the English one. */
type Widen<T> = T extends string
  ? string
  : T extends (...words: infer A) => string
    ? (...words: A) => string
    : { [K in keyof T]: Widen<T[K]> };

/** Languages by tag, each with its own name. A further one is one line here and one folder beside `en`. */
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

/** Every language is loaded by those who read it: none is carried along by the others. */
let current = $state.raw<Catalogue | null>(null);
let tag = $state<Language>("en");
let currentRest = $state.raw<Rest | null>(null);
let restWanted = false;

/** The catalogue in use; main.ts loads one before anything is shown. */
export function text(): Catalogue {
  if (current === null) throw new Error("speak() comes first.");
  return current;
}

/** What the pages round the work say; they call `readRest` before they are shown. */
export function rest(): Rest {
  if (currentRest === null) throw new Error("readRest() comes first.");
  return currentRest;
}

/** Loads it in the language in use, and from now on with every other one. */
export async function readRest(): Promise<void> {
  restWanted = true;
  let language: Language;
  do {
    language = tag;
    currentRest = await LANGUAGES[language].rest();
  } while (language !== tag);
}

/** The language in use. */
export function language(): Language {
  return tag;
}

/** Changes the language. What cannot be loaded (no network) leaves the old one in use and is thrown. */
export async function speak(wanted: Language): Promise<void> {
  const catalogue = await LANGUAGES[wanted].load();
  const words = restWanted ? await LANGUAGES[wanted].rest() : null;
  // Nothing waits between here and the new tag: readRest sees the one or the other.
  if (words !== null) currentRest = words;
  current = catalogue;
  tag = wanted;
  document.documentElement.lang = wanted;
}

/** The first of the wanted languages (`navigator.languages`) that there is, or English. */
export function preferred(wanted: readonly string[]): Language {
  const found = wanted
    .map((w) => w.toLowerCase().split("-")[0])
    .find((w) => w !== undefined && Object.hasOwn(LANGUAGES, w));
  return (found as Language | undefined) ?? "en";
}
