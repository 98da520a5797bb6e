import type { Language } from "./index.svelte";

/** What each language calls itself. */
export const NAMES: Record<Language, string> = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  pt: "Português",
  zh: "中文",
};
