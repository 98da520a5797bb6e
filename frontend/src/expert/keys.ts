/** The keys of the expert screen. Those of the drawing surface (arrows, n, f, +, -, Delete) are its own. */

/** Where the focus is: among the words of the captions, or anywhere else, where keys are about boxes. */
export type Where = "captions" | "photograph";

export type Command =
  | { kind: "undo" | "redo" | "save" }
  | { kind: "go"; by: -1 | 1 }
  | { kind: "caption"; by: -1 | 1 }
  | { kind: "stretch"; edge: "start" | "end"; by: -1 | 1 }
  | { kind: "assign"; letter: string }
  | { kind: "hold"; letter: string }
  | { kind: "type"; place: number }
  | { kind: "own" | "mark" | "unmark" | "visual" | "draw" | "next" | "words" | "another" | "box" }
  | { kind: "flag"; flag: "scene" | "nobndbox" }
  | { kind: "accept"; place: number }
  | { kind: "suggestions" };

export interface Chord {
  key: string;
  shift: boolean;
  ctrl: boolean;
}

const AMONG_WORDS: Record<string, Command> = {
  ArrowLeft: { kind: "go", by: -1 },
  ArrowRight: { kind: "go", by: 1 },
  ArrowUp: { kind: "caption", by: -1 },
  ArrowDown: { kind: "caption", by: 1 },
  Enter: { kind: "draw" },
  " ": { kind: "mark" },
  "+": { kind: "own" },
  "=": { kind: "own" },
  "0": { kind: "visual" },
  Delete: { kind: "unmark" },
  Backspace: { kind: "unmark" },
};

const STRETCHES: Record<string, Command> = {
  ArrowLeft: { kind: "stretch", edge: "end", by: -1 },
  ArrowRight: { kind: "stretch", edge: "end", by: 1 },
  ArrowUp: { kind: "stretch", edge: "start", by: -1 },
  ArrowDown: { kind: "stretch", edge: "start", by: 1 },
};

const ON_PHOTOGRAPH: Record<string, Command> = {
  Enter: { kind: "next" },
  Escape: { kind: "words" },
  b: { kind: "another" },
  g: { kind: "suggestions" },
  v: { kind: "box" },
  s: { kind: "flag", flag: "scene" },
  x: { kind: "flag", flag: "nobndbox" },
};

/** Returns the command of a combination of keys, or null if it has another use. */
export function commandOf({ key, shift, ctrl }: Chord, where: Where): Command | null {
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : "";
  if (ctrl) {
    if (key === "Enter" || letter === "S") return { kind: "save" };
    if (letter === "Z") return { kind: shift ? "redo" : "undo" };
    return letter === "Y" ? { kind: "redo" } : null;
  }
  if (shift && letter !== "") return { kind: "hold", letter };
  if (where === "photograph") {
    if (!shift && /^[1-9]$/.test(key)) return { kind: "accept", place: Number(key) - 1 };
    return shift ? null : (ON_PHOTOGRAPH[letter === "" ? key : letter.toLowerCase()] ?? null);
  }
  if (shift && key in STRETCHES) return STRETCHES[key] ?? null;
  if (letter !== "") return { kind: "assign", letter };
  if (/^[1-9]$/.test(key)) return { kind: "type", place: Number(key) - 1 };
  return AMONG_WORDS[key] ?? null;
}

/** The keys as the page shows them: for each place, pairs of keys and what they do. */
export const SHOWN: Record<Where, readonly (readonly [keys: string, does: string])[]> = {
  captions: [
    ["← →", "word or phrase"],
    ["↑ ↓", "caption"],
    ["A … Z", "put into this chain"],
    ["+", "a chain of its own"],
    ["Space", "mark as a phrase"],
    ["⇧← ⇧→", "move its end"],
    ["⇧↑ ⇧↓", "move its beginning"],
    ["1 … 9", "type"],
    ["0", "not visual"],
    ["Del", "no phrase"],
    ["Enter", "draw for its chain"],
  ],
  photograph: [
    ["drag", "draw the box"],
    ["n", "box in the middle"],
    ["← → ↑ ↓", "move it"],
    ["Alt + arrow", "resize it"],
    ["Del", "remove it"],
    ["b", "another box"],
    ["v", "next box"],
    ["s", "scene"],
    ["x", "no box needed"],
    ["+ − f", "zoom"],
    ["Enter", "next chain without a box"],
    ["Esc", "back to the words"],
  ],
};
/** Those where a model suggests boxes. */
export const SUGGESTING = [
  ["1 … 9", "accept a suggestion"],
  ["g", "suggestions on or off"],
] as const;
export const EVERYWHERE = [
  ["⇧A … ⇧Z", "take this chain in hand"],
  ["Ctrl+Z", "undo"],
  ["Ctrl+Y", "redo"],
  ["Ctrl+Enter", "save"],
] as const;
