import { expect, test, vi } from "vitest";
import type { Edges } from "../api/types";
import { imageSize } from "../geometry/units";
import { Editor, type Work } from "./editor.svelte";

interface Desk {
  editor: Editor;
  /** What the parent keeps. */
  work: () => Work;
  /** The parent changes it without the editor. */
  put: (work: Work) => void;
  refused: ReturnType<typeof vi.fn>;
  kept: ReturnType<typeof vi.fn>;
}

function desk(work: Work = { box: null, marks: [] }, seen: Edges = [0, 0, 400, 300], minimumSide = 5): Desk {
  const [refused, kept] = [vi.fn(), vi.fn()];
  const editor = new Editor({
    image: imageSize(400, 300),
    minimumSide: () => minimumSide,
    now: () => work,
    visible: () => seen,
    change: (next) => (work = next),
    refused,
    kept,
  });
  return { editor, work: () => work, put: (next) => (work = next), refused, kept };
}
const BOX: Edges = [100, 100, 200, 150];
const POINTS = [
  [50, 20.4],
  [40, 90],
  [20.5, 30],
  [80, 35],
] as const;

test("the fourth point makes the box, in whole pixels", () => {
  const { editor, work } = desk();
  for (const point of POINTS.slice(0, 3)) editor.mark(point);
  expect(work()).toEqual({ box: null, marks: POINTS.slice(0, 3) });
  editor.mark(POINTS[3]);
  expect(work()).toEqual({ box: [21, 20, 80, 90], marks: [] });
});

test("each point is taken back by itself", () => {
  const { editor, work } = desk();
  for (const point of POINTS) editor.mark(point);
  editor.run({ kind: "undo" });
  expect(work()).toEqual({ box: null, marks: POINTS.slice(0, 3) });
  editor.run({ kind: "undo" });
  expect(work().marks).toEqual(POINTS.slice(0, 2));
  editor.run({ kind: "redo" });
  expect(work().marks).toEqual(POINTS.slice(0, 3));
});

test("an answer that a box took the place of comes back, and the box after it", () => {
  const none: Work = { box: null, marks: [], instead: { box: null } };
  for (const points of [POINTS, POINTS.slice(0, 1)]) {
    const { editor, work } = desk(none);
    for (const point of points) editor.mark(point);
    const drawn = work();
    expect(drawn.instead).toBeUndefined();
    while (editor.run({ kind: "undo" }));
    expect(work()).toEqual(none);
    while (editor.run({ kind: "redo" }));
    expect(work()).toEqual(drawn);
  }
});

test("a box that was taken away leaves no answer", () => {
  const { editor, work } = desk({ box: null, marks: [], instead: { unusable: true } });
  editor.draw(BOX);
  editor.run({ kind: "remove" });
  expect(work().instead).toBeUndefined();
  editor.run({ kind: "undo" });
  editor.run({ kind: "undo" });
  expect(work().instead).toEqual({ unusable: true });
});

test("a point beside a finished box leaves it, and it is said why", () => {
  const { editor, work, kept } = desk({ box: BOX, marks: [] });
  editor.mark([5, 6]);
  expect(work()).toEqual({ box: BOX, marks: [] });
  expect(kept).toHaveBeenCalledOnce();
});

test("two points are opposite corners where that is enough", () => {
  const { editor, work } = desk();
  editor.mark([50, 80.4], 2);
  expect(work()).toEqual({ box: null, marks: [[50, 80.4]] });
  editor.mark([20.5, 30], 2);
  expect(work()).toEqual({ box: [21, 30, 50, 80], marks: [] });
});

test("four points too near each other are refused", () => {
  const { editor, work, refused } = desk();
  for (const point of [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ] as const)
    editor.mark(point);
  expect(refused.mock.calls).toEqual([[[0, 0, 5, 5]]]);
  expect(work()).toEqual({ box: null, marks: [] });
});

test.each<[Parameters<Editor["run"]>[0], Edges | null]>([
  [{ kind: "nudge", dx: -10, dy: 1 }, [90, 101, 190, 151]],
  [{ kind: "nudge", dx: 900, dy: 0 }, [300, 100, 400, 150]],
  [{ kind: "grow", dx: 1, dy: -10 }, [100, 100, 201, 140]],
  [{ kind: "grow", dx: -900, dy: 0 }, [100, 100, 105, 150]],
  [{ kind: "new" }, [100, 75, 300, 225]],
  [{ kind: "remove" }, null],
])("%o makes %o of a box, and undo brings it back", (command, box) => {
  const { editor, work } = desk({ box: BOX, marks: [] });
  expect(editor.run(command)).toBe(true);
  expect(work().box).toEqual(box);
  expect(editor.run({ kind: "undo" })).toBe(true);
  expect(work().box).toEqual(BOX);
  expect(editor.run({ kind: "redo" })).toBe(true);
  expect(work().box).toEqual(box);
});

test.each(["remove", "undo", "redo"] as const)("%s of nothing is nothing done", (kind) => {
  expect(desk().editor.run({ kind })).toBe(false);
});

test("with no box arrows are somebody else's", () => {
  expect(desk().editor.run({ kind: "nudge", dx: 1, dy: 0 })).toBe(false);
});

test.each<[string, Edges, Edges]>([
  ["where hardly a pixel is seen", [10, 10, 16, 16], [11, 11, 16, 16]],
  ["in a corner", [396, 0, 400, 4], [395, 0, 400, 5]],
  ["along an edge", [0, 100, 400, 104], [100, 100, 300, 105]],
])("a new box %s is as large as it has to be, inside the photograph", (_name, seen, made) => {
  const { editor, work, refused } = desk({ box: BOX, marks: [] }, seen);
  editor.run({ kind: "new" });
  expect(refused).not.toHaveBeenCalled();
  expect(work().box).toEqual(made);
});

test("a new box in a photograph smaller than a box has to be is refused", () => {
  const { editor, work, refused } = desk({ box: BOX, marks: [] }, [0, 0, 400, 300], 301);
  editor.run({ kind: "new" });
  expect(refused).toHaveBeenCalledOnce();
  expect(work().box).toEqual(BOX);
});

test("what the parent changed is undone like the rest: points dropped with the way of drawing come back", () => {
  const { editor, work, put } = desk();
  editor.mark([5, 6]);
  put({ box: null, marks: [] });
  expect(editor.run({ kind: "undo" })).toBe(true);
  expect(work().marks).toEqual([[5, 6]]);
});
