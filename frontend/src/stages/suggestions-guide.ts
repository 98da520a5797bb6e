/**
 * The keys where a model suggests boxes. They are loaded where there are some, in all languages at once, since
 * they are few.
 */

import type { SuggestionKeys } from "../texts/catalogue";
import de from "../texts/de/suggestion-keys";
import en from "../texts/en/suggestion-keys";
import es from "../texts/es/suggestion-keys";
import fr from "../texts/fr/suggestion-keys";
import pt from "../texts/pt/suggestion-keys";
import zh from "../texts/zh/suggestion-keys";
import type { Language } from "../texts/index.svelte";
import type { Guide } from "./guide";
import { row, type KeyRow } from "./keys";

const MEANINGS: Record<Language, SuggestionKeys> = { en, de, es, fr, pt, zh };
const KEYS: KeyRow[] = [row("accept", "1–9"), row("walk", "Tab", "Arrows"), row("discard", "Delete")];

export default (guide: Guide, language: Language): Guide => ({
  ...guide,
  meanings: { ...guide.meanings, ...MEANINGS[language] },
  rows: (method) => [...KEYS, ...guide.rows(method)],
});
