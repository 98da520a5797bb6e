/** The keys of a stage, as the instructions list them. Pure. */

import type { Method, Stage } from "../api/types";
import type { CampaignInstructions, Instructions, SuggestionKeys } from "../texts/catalogue";
import { ABSTENTION_KEYS, CHOICES, type ChoiceName } from "./choices";

/** What a key does, as the instructions name it. */
export type KeyName =
  keyof Instructions["meanings"] | keyof CampaignInstructions["meanings"] | keyof SuggestionKeys;

export interface KeyRow {
  /** Each of these does it. Keys in one list are pressed together. */
  keys: string[][];
  does: { key: KeyName } | { choice: ChoiceName };
}

export const row = (key: KeyName, ...keys: string[]): KeyRow => ({
  keys: keys.map((combination) => combination.split(" ")),
  does: { key },
});

const DRAWING: KeyRow[] = [
  row("confirm", "Enter"),
  row("newBox", "n"),
  row("move", "Arrows"),
  row("moveFar", "Shift Arrows"),
  row("resize", "Alt Arrows"),
  row("remove", "Delete", "Escape"),
  row("undo", "z"),
  row("redo", "Shift z"),
];

/** For pages on which the arrows do not move a box. */
export const LOOK = row("pan", "Arrows");

export const EVERYWHERE: KeyRow[] = [
  row("zoom", "+", "-"),
  row("whole", "f"),
  row("hide", "h"),
  row("back", "Backspace", "k"),
  row("comment", "c"),
  row("flag", "x"),
  row("unrelated", "o"),
  row("unusable", ABSTENTION_KEYS.unusable),
  row("help", "?"),
];

const isBack = ({ does }: KeyRow): boolean => "key" in does && does.key === "back";
const UNDOING: KeyRow[] = [row("undo", "z"), row("redo", "Shift z")];

const ALL_BOXES: KeyRow[] = [
  row("finish", "Enter"),
  row("none", "0"),
  row("takeBack", "Backspace"),
  row("take", "1–9"),
  row("letBe", "Escape"),
  row("newBox", "n"),
  row("move", "Arrows"),
  row("moveFar", "Shift Arrows"),
  row("resize", "Alt Arrows"),
  row("remove", "Delete"),
  ...UNDOING,
];

const CHECK: KeyRow[] = [
  row("send", "Enter"),
  row("judge", "1–9"),
  row("missing", "m"),
  row("nothing", "n"),
  row("letBe", "Escape"),
  row("aim", "Arrows"),
  ...UNDOING,
  row("unsure", ABSTENTION_KEYS.unsure),
];

export function keysOf(stage: Exclude<Stage, "writing" | "relevance">, method: Method): KeyRow[] {
  const change = method === "either" ? [row("method", "m")] : [];
  if (stage === "check") return [...CHECK, ...EVERYWHERE];
  // There, Backspace takes a box back as long as there is one.
  if (stage === "boxes")
    return [...ALL_BOXES, ...change, ...EVERYWHERE.map((one) => (isBack(one) ? row("back", "k") : one))];
  const choices = CHOICES[stage].map(({ keys, name }) => ({
    keys: keys.map((key) => [key]),
    does: { choice: name },
  }));
  const drawing = stage === "drawing" ? DRAWING : [row("unsure", ABSTENTION_KEYS.unsure), LOOK];
  return [...choices, ...drawing, ...(stage === "drawing" ? change : []), ...EVERYWHERE];
}
