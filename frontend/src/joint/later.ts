import type { Suggestions } from "../texts/catalogue";
import type { Language } from "../texts/index.svelte";

const WORDS: Record<Language, () => Promise<{ default: Suggestions }>> = {
  en: () => import("../texts/en/suggestions"),
  de: () => import("../texts/de/suggestions"),
};

/** What pages with suggestions need. No other page loads it. */
export type Suggesting = typeof import("./suggestions") & { words: Suggestions };

export async function suggesting(language: Language): Promise<Suggesting> {
  const [code, words] = await Promise.all([import("./suggestions"), WORDS[language]()]);
  return { ...code, words: words.default };
}
