/** The keys of a stage, as the instructions list them. Pure. */

import type { Method, Stage } from "../api/types";
import { ABSTENTION_KEYS, CHOICES, type ChoiceName } from "./choices";

export type KeyName =
  | "confirm"
  | "newBox"
  | "move"
  | "moveFar"
  | "resize"
  | "undo"
  | "redo"
  | "remove"
  | "zoom"
  | "whole"
  | "hide"
  | "pan"
  | "method"
  | "back"
  | "comment"
  | "flag"
  | "unusable"
  | "unsure"
  | "help";

export interface KeyRow {
  /** Each of these does it. Keys in one list are pressed together. */
  keys: string[][];
  does: { key: KeyName } | { choice: ChoiceName };
}

const row = (key: KeyName, ...keys: string[]): KeyRow => ({
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
const LOOK = row("pan", "Arrows");

const EVERYWHERE: KeyRow[] = [
  row("zoom", "+", "-"),
  row("whole", "f"),
  row("hide", "h"),
  row("back", "Backspace", "k"),
  row("comment", "c"),
  row("flag", "x"),
  row("unusable", ABSTENTION_KEYS.unusable),
  row("help", "?"),
];

export function keysOf(stage: Stage, method: Method): KeyRow[] {
  const choices = CHOICES[stage].map(({ keys, name }) => ({
    keys: keys.map((key) => [key]),
    does: { choice: name },
  }));
  const drawing = stage === "drawing" ? DRAWING : [row("unsure", ABSTENTION_KEYS.unsure), LOOK];
  const change = stage === "drawing" && method === "either" ? [row("method", "m")] : [];
  return [...choices, ...drawing, ...change, ...EVERYWHERE];
}
