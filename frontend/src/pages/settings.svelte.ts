/** The language and the colours: chosen, kept on the device, and put to use. */

import { LANGUAGES, preferred, speak, type Language } from "../texts/index.svelte";
import { keep, recall } from "./device";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

let chosen = $state<Theme>("auto");

/** The colours in use; `auto` follows the device. */
export function theme(): Theme {
  return chosen;
}

export function paint(wanted: Theme): void {
  chosen = wanted;
  // tokens.css reads it.
  if (wanted === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = wanted;
}

export function chooseTheme(wanted: Theme): void {
  keep("theme", wanted);
  paint(wanted);
}

/** Changes the language and remembers it; where it cannot be loaded (no network) the old one stays and it is thrown. */
export async function chooseLanguage(wanted: Language): Promise<void> {
  await speak(wanted);
  keep("language", wanted);
}

/** Before the first page is shown: the choices of earlier, else what the browser asks for. */
export async function recallSettings(): Promise<void> {
  const kept = recall("theme");
  paint(THEMES.find((one) => one === kept) ?? "auto");
  const language = recall("language");
  const wanted = preferred(language === null ? navigator.languages : [language, ...navigator.languages]);
  // Without its catalogue the pages speak English; they are not held up.
  // One that cannot be loaded is no reason to say nothing; without any, main.ts gives up.
  await speak(wanted).catch(() => speak("en"));
}

export const LANGUAGE_NAMES = Object.entries(LANGUAGES).map(([tag, { name }]) => ({
  tag: tag as Language,
  name,
}));
