import { expect, test } from "vitest";
import { commandOf, type Where } from "./keys";

const at = (key: string, where: Where, held: { shift?: boolean; ctrl?: boolean } = {}): unknown =>
  commandOf({ key, shift: held.shift ?? false, ctrl: held.ctrl ?? false }, where);

test("among the words a letter names a chain; on the photograph it is about the box", () => {
  expect(at("s", "captions")).toEqual({ kind: "assign", letter: "S" });
  expect(at("s", "photograph")).toEqual({ kind: "flag", flag: "scene" });
  expect(at("n", "photograph")).toBeNull();
  for (const where of ["captions", "photograph"] as const) {
    expect(at("B", where, { shift: true })).toEqual({ kind: "hold", letter: "B" });
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
