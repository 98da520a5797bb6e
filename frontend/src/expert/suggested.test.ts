import { afterEach, expect, test } from "vitest";
import type { Edges } from "../api/types";
import { setBox, type Doc } from "./annotation";
import { keepTurned, madeFrom, offered, takenIn, turnedOff } from "./suggested";

const ONE: Edges = [10, 20, 110, 220];
const TWO: Edges = [200, 20, 300, 220];
const MOVED: Edges = [201, 20, 301, 220];
const phrase = (start: number, chain: string) => ({ start, end: start + 2, types: [], visual: true, chain });
const DOC: Doc = {
  captions: [[phrase(0, "A"), phrase(3, "")], [phrase(0, "A")]],
  chains: { A: { boxes: [], flag: "" } },
};
const at = (caption: number, start: number): [number, number, number] => [caption, start, start + 2];
const ALL = [
  { id: 0, at: at(0, 0), box: ONE },
  { id: 1, at: at(0, 3), box: [1, 2, 3, 4] as Edges },
  { id: 2, at: at(1, 0), box: ONE },
  { id: 3, at: at(1, 0), box: TWO },
];
const CURSOR = { caption: 0, start: 3 };

afterEach(() => keepTurned(false));

test("a chain is offered what its phrases have, each box once", () => {
  expect(offered(ALL, DOC, "A", CURSOR)).toEqual([
    { id: 0, place: 0, box: ONE },
    { id: 3, place: 1, box: TWO },
  ]);
});

test("without a chain, the phrase at the cursor counts, and only as it is cut", () => {
  expect(offered(ALL, DOC, "", CURSOR).map(({ id }) => id)).toEqual([1]);
  expect(offered(ALL, DOC, "", { caption: 0, start: 4 })).toEqual([]);
  const longer: Doc = { ...DOC, captions: [[{ ...phrase(3, ""), end: 6 }], []] };
  expect(offered(ALL, longer, "", CURSOR)).toEqual([]);
});

test("what is taken is not offered again, moved or not, and the others keep their numbers", () => {
  const taken = madeFrom(setBox(DOC, "A", 0, ONE), null, ONE, 0);
  expect(offered(ALL, taken, "A", CURSOR)).toEqual([{ id: 3, place: 1, box: TWO }]);
  const moved = madeFrom(setBox(taken, "A", 1, TWO), null, TWO, 3);
  const both = madeFrom(setBox(moved, "A", 1, MOVED), TWO, MOVED);
  expect(offered(ALL, both, "A", CURSOR)).toEqual([]);
  expect(takenIn(both)).toEqual([
    { box: ONE, suggestion: 0 },
    { box: MOVED, suggestion: 3 },
  ]);
});

test("a box that is drawn anew in the place of a suggestion is from none", () => {
  const taken = madeFrom(setBox(DOC, "A", 0, ONE), null, ONE, 0);
  const anew: Edges = [400, 300, 480, 390];
  expect(takenIn(madeFrom(setBox(taken, "A", 0, anew), ONE, anew))).toEqual([]);
  expect(takenIn(madeFrom(setBox(taken, "A", 0, null), ONE, null))).toEqual([]);
});

test("they are turned off for this browser", () => {
  expect(turnedOff()).toBe(false);
  keepTurned(true);
  expect(turnedOff()).toBe(true);
});
