/** What is said where a photograph is called unusable, by language. It is short, so all languages are in one file. */

import type { Unusable } from "./catalogue";
import de from "./de/unusable";
import en from "./en/unusable";
import es from "./es/unusable";
import fr from "./fr/unusable";
import pt from "./pt/unusable";
import zh from "./zh/unusable";
import { language, type Language } from "./index.svelte";

const WORDS: Record<Language, Unusable> = { en, de, es, fr, pt, zh };

export const unusableWords = (): Unusable => WORDS[language()];
