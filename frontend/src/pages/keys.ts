/** The keys of a stage's page that are the same in every stage. The answers' keys belong to the stages. */

import { isPressable, ownKey } from "../parts/shortcuts.svelte";
import type { Phase } from "../work/view";

export type Action = "help" | "back" | "submit" | "next";

const KEYS: Record<Action, readonly string[]> = {
  help: ["?"],
  back: ["Backspace", "k", "K"],
  submit: ["Enter"],
  next: ["Enter"],
};

export interface KeyContext {
  phase: Phase["kind"];
  /** The overview of all items before submitting is shown. */
  overview: boolean;
  /** The first item is shown, so nothing comes before it. */
  first: boolean;
}

function allowed({ phase, overview, first }: KeyContext): Action[] {
  if (phase === "done" || phase === "returned") return ["next"];
  if (phase !== "working") return [];
  if (overview) return ["help", "back", "submit"];
  return first ? ["help"] : ["help", "back"];
}

/** Returns what a key press means here, or null if it means nothing. */
export function keyAction(press: KeyboardEvent, context: KeyContext): Action | null {
  const key = ownKey(press);
  if (key === null || (key === "Enter" && isPressable(press.target))) return null;
  return allowed(context).find((action) => KEYS[action].includes(key)) ?? null;
}
