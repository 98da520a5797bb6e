/** The language and the colours: chosen, kept on the device, and put to use. */

import { preferred, speak, type Language } from "../texts/index.svelte";
import { keep, recall } from "./device";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** Under what this choice is kept. */
const SENDING = "sends-by-itself";

let chosen = $state<Theme>("auto");

/** The colours in use. `auto` follows the device. */
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

let byItself = $state(recall(SENDING) === "yes");

/** Whether a page is sent by itself after its last answer. Nobody expects that who has not asked for it. */
export function sendsByItself(): boolean {
  return byItself;
}

export function sendByItself(wanted: boolean): void {
  byItself = wanted;
  keep(SENDING, wanted ? "yes" : "no");
}

/**
 * Changes the language and remembers it. If the language cannot be loaded (no network), the old one stays and
 * this throws.
 */
export async function chooseLanguage(wanted: Language): Promise<void> {
  await speak(wanted);
  keep("language", wanted);
}

/** Before the first page is shown, applies earlier choices, or what the browser asks for. */
export async function recallSettings(): Promise<void> {
  const kept = recall("theme");
  paint(THEMES.find((one) => one === kept) ?? "auto");
  const language = recall("language");
  const wanted = preferred(language === null ? navigator.languages : [language, ...navigator.languages]);
  // If the catalogue cannot be loaded, the pages speak English instead of waiting.
  // If one language cannot be loaded, another is used. If none can, main.ts gives up.
  await speak(wanted).catch(() => speak("en"));
}
