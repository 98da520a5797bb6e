/** The texts in the language in use. If a component calls `text()`, it follows a change of language. */

import type { Catalogue, Rest } from "./catalogue";

/**
 * The two files of each language, by its tag. docs/translating.md says how to add one: without it, the build fails
 * wherever its texts or its name are missing.
 */
const FILES = {
  en: [() => import("./en"), () => import("./en/rest")],
  de: [() => import("./de"), () => import("./de/rest")],
  es: [() => import("./es"), () => import("./es/rest")],
  fr: [() => import("./fr"), () => import("./fr/rest")],
  pt: [() => import("./pt"), () => import("./pt/rest")],
  zh: [() => import("./zh"), () => import("./zh/rest")],
} satisfies Record<string, [() => Promise<{ default: Catalogue }>, () => Promise<{ default: Rest }>]>;
export type Language = keyof typeof FILES;
export const LANGUAGES = Object.keys(FILES) as Language[];

/** A language is only loaded by those who read it. Nobody loads the others as well. */
let current = $state.raw<Catalogue | null>(null);
let tag = $state<Language>("en");
let currentRest = $state.raw<Rest | null>(null);
let restWanted = false;

/** The catalogue in use. main.ts loads one before anything is shown. */
export function text(): Catalogue {
  if (current === null) throw new Error("speak() first");
  return current;
}

/** The texts of the pages round the work. These pages call `readRest` before they are shown. */
export function rest(): Rest {
  if (currentRest === null) throw new Error("readRest() first");
  return currentRest;
}

/** Loads these texts in the language in use. From then on, `speak` loads them with every language. */
export async function readRest(): Promise<void> {
  restWanted = true;
  let language: Language;
  do {
    language = tag;
    currentRest = (await FILES[language][1]()).default;
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
  const [work, pages] = FILES[wanted];
  const catalogue = (await work()).default;
  const words = restWanted ? (await pages()).default : null;
  // Nothing waits between here and the new tag, so `readRest` sees either the old language or the new one.
  if (words !== null) currentRest = words;
  current = catalogue;
  tag = wanted;
  document.documentElement.lang = wanted;
  document.documentElement.dir = catalogue.pages.direction;
}

/** The first of the wanted languages (`navigator.languages`) that there is here, or English. */
export function preferred(wanted: readonly string[]): Language {
  const found = wanted
    .map((w) => w.toLowerCase().split("-")[0])
    .find((w) => w !== undefined && Object.hasOwn(FILES, w));
  return (found as Language | undefined) ?? "en";
}
