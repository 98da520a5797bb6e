/** The actions of the inspector's keys. */

import { ownKey } from "../../parts/shortcuts.svelte";

export type Act =
  "next image" | "previous image" | "next chain" | "previous chain" | "merged" | "nothing chosen";

const ACTS: Record<string, Act> = {
  j: "next image",
  ArrowRight: "next image",
  k: "previous image",
  ArrowLeft: "previous image",
  n: "next chain",
  p: "previous chain",
  m: "merged",
  Escape: "nothing chosen",
};

/** Returns null for a key that has another use: arrows also move a slider. */
export function actOf(event: KeyboardEvent): Act | null {
  const key = ownKey(event);
  if (key === null || event.shiftKey) return null;
  if (key.startsWith("Arrow") && event.target instanceof HTMLInputElement) return null;
  return ACTS[key] ?? null;
}
