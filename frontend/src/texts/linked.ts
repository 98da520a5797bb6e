/** What is said to who comes by the address of a batch. It is short, so all languages are in one file. */

import type { Linked } from "./catalogue";
import de from "./de/linked";
import en from "./en/linked";
import es from "./es/linked";
import fr from "./fr/linked";
import { language, type Language } from "./index.svelte";
import pt from "./pt/linked";
import zh from "./zh/linked";

const WORDS: Record<Language, Linked> = { en, de, es, fr, pt, zh };

export const linkedWords = (): Linked => WORDS[language()];
