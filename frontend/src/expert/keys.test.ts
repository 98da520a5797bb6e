import { expect, test } from "vitest";
import { commandOf, KEYS, typeKeys, type Where } from "./keys";

const at = (key: string, where: Where, held: { shift?: boolean; ctrl?: boolean } = {}): unknown =>
  commandOf({ key, shift: held.shift ?? false, ctrl: held.ctrl ?? false }, where);

test("a letter means the same wherever the focus is, alone, with Shift and with Ctrl", () => {
  for (const letter of "abcdefghijklmnopqrstuvwxyz") {
    for (const held of [{}, { shift: true }, { ctrl: true }, { ctrl: true, shift: true }]) {
      expect(at(letter, "captions", held)).toEqual(at(letter, "photograph", held));
    }
  }
});

test("with Shift a letter names a chain, and no letter alone does", () => {
  expect(at("C", "photograph", { shift: true })).toEqual({ kind: "hold", letter: "C" });
  expect(at("v", "captions")).toEqual({ kind: "box" });
  expect(at("V", "captions")).toEqual({ kind: "box" }); // Caps Lock
  expect(at("n", "captions")).toBeNull();
});

test("no key is in the table twice where it is heard", () => {
  for (const where of ["captions", "photograph"] as const) {
    const rows = [...KEYS[where], ...KEYS.everywhere];
    const chords = rows.flatMap(({ chords: own = {} }) => Object.keys(own));
    expect(chords).toEqual([...new Set(chords)]);
    const shown = rows.map((row) => row.shown);
    expect(shown).toEqual([...new Set(shown)]);
  }
});

test("numbers are types, and 0 is not visual", () => {
  expect(at("1", "captions")).toEqual({ kind: "type", place: 0 });
  expect(at("9", "captions")).toEqual({ kind: "type", place: 8 });
  expect(at("0", "captions")).toEqual({ kind: "visual" });
  expect(at("1", "photograph")).toEqual({ kind: "accept", place: 0 });
  expect(at("1", "photograph", { shift: true })).toBeNull();
});

test("arrows walk, and with Shift they change a phrase; those on the photograph move its box", () => {
  expect(at("ArrowRight", "captions")).toEqual({ kind: "go", by: 1 });
  expect(at("ArrowUp", "captions", { shift: true })).toEqual({ kind: "stretch", edge: "start", by: -1 });
  expect(at("ArrowRight", "photograph")).toBeNull();
  expect(at("ArrowRight", "photograph", { shift: true })).toBeNull();
});

test("everything is undone and saved with Ctrl, wherever one is", () => {
  for (const where of ["captions", "photograph"] as const) {
    expect(at("z", where, { ctrl: true })).toEqual({ kind: "undo" });
    expect(at("Z", where, { ctrl: true, shift: true })).toEqual({ kind: "redo" });
    expect(at("y", where, { ctrl: true })).toEqual({ kind: "redo" });
    expect(at("Enter", where, { ctrl: true })).toEqual({ kind: "save" });
    expect(at("c", where, { ctrl: true })).toBeNull();
  }
});

test("what Shift makes of another key is a key of its own", () => {
  expect(at("?", "captions", { shift: true })).toEqual({ kind: "help" });
  expect(at(".", "captions", { shift: true })).toEqual({ kind: "image", to: "next" }); // French keyboards
});

test.each([
  [1, "1"],
  [8, "1 … 8"],
  [12, "1 … 9"],
])("%i types have the keys %s", (types, keys) => {
  expect(typeKeys(types)).toBe(keys);
  expect(KEYS.captions.filter(({ typing }) => typing)).toHaveLength(1);
});
