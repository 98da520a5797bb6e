/** What is said about a model's suggestions, by language. It is short, so all languages are in one file. */

import type { Suggestions } from "./catalogue";
import de from "./de/suggestions";
import en from "./en/suggestions";
import es from "./es/suggestions";
import fr from "./fr/suggestions";
import pt from "./pt/suggestions";
import zh from "./zh/suggestions";
import { language, type Language } from "./index.svelte";

const WORDS: Record<Language, Suggestions> = { en, de, es, fr, pt, zh };

export const suggestionWords = (): Suggestions => WORDS[language()];
