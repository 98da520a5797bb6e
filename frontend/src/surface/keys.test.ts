import { expect, test } from "vitest";
import { commandOf, type Chord, type Command } from "./keys";

const chord = (key: string, more: Partial<Chord> = {}): Chord => ({
  key,
  shift: false,
  alt: false,
  ctrl: false,
  ...more,
});
const CTRL = { ctrl: true };
const SHIFT = { shift: true };

test.each<[Chord, Command | null]>([
  [chord("ArrowLeft"), { kind: "nudge", dx: -1, dy: 0 }],
  [chord("ArrowDown", SHIFT), { kind: "nudge", dx: 0, dy: 10 }],
  [chord("ArrowRight", { alt: true }), { kind: "grow", dx: 1, dy: 0 }],
  [chord("ArrowUp", { alt: true, shift: true }), { kind: "grow", dx: 0, dy: -10 }],
  [chord("n"), { kind: "new" }],
  [chord("N"), { kind: "new" }],
  [chord("z"), { kind: "undo" }],
  [chord("Z"), { kind: "undo" }],
  [chord("Z", SHIFT), { kind: "redo" }],
  [chord("z", CTRL), { kind: "undo" }],
  [chord("Z", { ...CTRL, ...SHIFT }), { kind: "redo" }],
  [chord("y", CTRL), { kind: "redo" }],
  [chord("Delete"), { kind: "remove" }],
  [chord("Escape"), { kind: "remove" }],
  [chord("y"), null],
  [chord("n", CTRL), null],
  [chord("ArrowLeft", CTRL), null],
  [chord("z", { ctrl: true, alt: true }), null],
  [chord("n", { alt: true }), null],
  ...["Enter", "0", "m", "?", "c", "x", "k", "Backspace"].map((key): [Chord, null] => [chord(key), null]),
])("%o means %o", (pressed, command) => {
  expect(commandOf(pressed)).toEqual(command);
});
