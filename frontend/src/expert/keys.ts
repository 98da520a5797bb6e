/**
 * The keys of expert mode. `KEYS` is the one table of them: what they do, where, and how the page lists them. A
 * letter means the same wherever the focus is. Other keys may be about what has the focus.
 */

export type Command =
  | { kind: "undo" | "redo" | "save" | "help" }
  | { kind: "go"; by: -1 | 1 }
  | { kind: "caption"; by: -1 | 1 }
  | { kind: "stretch"; edge: "start" | "end"; by: -1 | 1 }
  | { kind: "assign"; letter: string }
  | { kind: "hold"; letter: string }
  | { kind: "chain"; by: -1 | 1 }
  | { kind: "type"; place: number }
  | { kind: "own" | "join" | "mark" | "unmark" | "visual" | "draw" | "next" | "words" | "another" | "box" }
  | { kind: "cells" | "points" | "take" | "move" }
  | { kind: "flag"; flag: "scene" | "nobndbox" }
  | { kind: "accept"; place: number }
  | { kind: "suggestions" }
  | { kind: "image"; to: "previous" | "next" | "named" };

/** Where the focus is: among the words of the captions, or anywhere else. */
export type Where = "captions" | "photograph";

export interface Chord {
  key: string;
  shift: boolean;
  ctrl: boolean;
}

interface Row {
  /** As the page lists it. */
  shown: string;
  does: string;
  /** The commands by their chords, such as `Shift+ArrowUp`. Without any, the drawing surface answers itself. */
  chords?: Readonly<Record<string, Command>>;
  /** Listed only where a model suggests boxes. */
  suggesting?: true;
  /** The keys are those of the types: as many as the project has. */
  typing?: true;
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const NUMBERS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const numbered = (command: (place: number) => Command, before = ""): Record<string, Command> =>
  Object.fromEntries(NUMBERS.map((place) => [`${before}${String(place + 1)}`, command(place)]));

/** The keys of so many types, as the page lists them. Types after the ninth have none. */
export const typeKeys = (types: number): string =>
  types > 1 ? `1 … ${String(Math.min(types, NUMBERS.length))}` : "1";

const TYPE = (place: number): Command => ({ kind: "type", place });

export const KEYS: Record<Where | "everywhere", readonly Row[]> = {
  everywhere: [
    {
      shown: "⇧A … ⇧Z",
      does: "take this chain in hand; a phrase at the cursor that has no chain gets it",
      chords: Object.fromEntries(LETTERS.map((letter) => [`Shift+${letter}`, { kind: "hold", letter }])),
    },
    { shown: "c", does: "put the phrase into the chain in hand", chords: { c: { kind: "join" } } },
    { shown: "o", does: "give the phrase a chain of its own", chords: { o: { kind: "own" } } },
    {
      shown: "j k",
      does: "next or previous chain",
      chords: { j: { kind: "chain", by: 1 }, k: { kind: "chain", by: -1 } },
    },
    { shown: "d", does: "draw a box by keys", chords: { d: { kind: "cells" } } },
    { shown: "n", does: "box in the middle" },
    { shown: "b", does: "another box of the chain", chords: { b: { kind: "another" } } },
    { shown: "v", does: "next box of the chain", chords: { v: { kind: "box" } } },
    {
      shown: "t",
      does: "take over a box of another chain; again: the next one",
      chords: { t: { kind: "take" } },
    },
    { shown: "m", does: "the same, and it leaves the other chain", chords: { m: { kind: "move" } } },
    { shown: "s", does: "scene", chords: { s: { kind: "flag", flag: "scene" } } },
    { shown: "x", does: "no box needed", chords: { x: { kind: "flag", flag: "nobndbox" } } },
    {
      shown: "p",
      does: "draw by four points a box and go on at once, or by dragging",
      chords: { p: { kind: "points" } },
    },
    { shown: "g", does: "suggestions on or off", chords: { g: { kind: "suggestions" } }, suggesting: true },
    { shown: "+ − f", does: "zoom" },
    { shown: "h", does: "hide the boxes, as long as it is held" },
    {
      shown: ", .",
      does: "previous or next image",
      chords: { ",": { kind: "image", to: "previous" }, ".": { kind: "image", to: "next" } },
    },
    { shown: "i", does: "image by its name", chords: { i: { kind: "image", to: "named" } } },
    { shown: "z, Ctrl+Z", does: "undo", chords: { z: { kind: "undo" }, "Ctrl+z": { kind: "undo" } } },
    {
      shown: "Ctrl+Y",
      does: "redo",
      chords: { "Ctrl+y": { kind: "redo" }, "Ctrl+Shift+Z": { kind: "redo" } },
    },
    {
      shown: "Ctrl+Enter",
      does: "save",
      chords: { "Ctrl+Enter": { kind: "save" }, "Ctrl+s": { kind: "save" } },
    },
    { shown: "?", does: "these keys", chords: { "?": { kind: "help" } } },
  ],
  captions: [
    {
      shown: "← →",
      does: "word or phrase",
      chords: { ArrowLeft: { kind: "go", by: -1 }, ArrowRight: { kind: "go", by: 1 } },
    },
    {
      shown: "↑ ↓",
      does: "caption",
      chords: { ArrowUp: { kind: "caption", by: -1 }, ArrowDown: { kind: "caption", by: 1 } },
    },
    { shown: "Space", does: "mark as a phrase", chords: { " ": { kind: "mark" } } },
    {
      shown: "⇧← ⇧→",
      does: "move its end",
      chords: {
        "Shift+ArrowLeft": { kind: "stretch", edge: "end", by: -1 },
        "Shift+ArrowRight": { kind: "stretch", edge: "end", by: 1 },
      },
    },
    {
      shown: "⇧↑ ⇧↓",
      does: "move its beginning",
      chords: {
        "Shift+ArrowUp": { kind: "stretch", edge: "start", by: -1 },
        "Shift+ArrowDown": { kind: "stretch", edge: "start", by: 1 },
      },
    },
    {
      shown: "1 … 9",
      does: "type",
      typing: true,
      // On French keyboards, digits need Shift.
      chords: { ...numbered(TYPE), ...numbered(TYPE, "Shift+") },
    },
    { shown: "0", does: "not visual", chords: { "0": { kind: "visual" } } },
    {
      shown: "Del",
      does: "no phrase",
      chords: { Delete: { kind: "unmark" }, Backspace: { kind: "unmark" } },
    },
    { shown: "Enter", does: "draw for its chain", chords: { Enter: { kind: "draw" } } },
  ],
  photograph: [
    { shown: "drag", does: "draw the box" },
    { shown: "← → ↑ ↓", does: "move it" },
    { shown: "Alt + arrow", does: "resize it" },
    { shown: "Del", does: "remove it" },
    {
      shown: "1 … 9",
      does: "accept a suggestion",
      chords: numbered((place) => ({ kind: "accept", place })),
      suggesting: true,
    },
    { shown: "Enter", does: "next chain without a box", chords: { Enter: { kind: "next" } } },
    { shown: "Esc", does: "back to the words", chords: { Escape: { kind: "words" } } },
  ],
};

/** The keys while a box is drawn by keys, as the page lists them. Cells.svelte answers them, and no others are heard. */
export const IN_CELLS = [
  ["1 2 3 4, Q W E R, A S D F, Z X C V", "the cell with the corner"],
  ["← → ↑ ↓", "move these cells by half"],
  ["Backspace", "one cell back"],
  ["Enter", "done, and on to the next chain without a box"],
  ["Space", "done, and stay"],
  ["Esc", "no box"],
] as const;

const COMMANDS: Record<string, ReadonlyMap<string, Command>> = Object.fromEntries(
  Object.entries(KEYS).map(([place, rows]) => [
    place,
    new Map(rows.flatMap(({ chords = {} }) => Object.entries(chords))),
  ]),
);

/** Returns the command of a combination of keys, or null if it has another use. */
export function commandOf({ key, shift, ctrl }: Chord, where: Where): Command | null {
  const letter = /^[a-z]$/i.test(key);
  const named = letter ? (shift ? key.toUpperCase() : key.toLowerCase()) : key;
  // What Shift makes of a key that is no letter, as + and ?, is a key of its own.
  const shifted = shift && (letter || key.length > 1 || /^\d$/.test(key));
  const chord = `${ctrl ? "Ctrl+" : ""}${shifted ? "Shift+" : ""}${named}`;
  return COMMANDS[where]?.get(chord) ?? COMMANDS["everywhere"]?.get(chord) ?? null;
}
