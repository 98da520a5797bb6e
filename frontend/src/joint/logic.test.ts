/** The rules of the joint stages, without a page. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer, Edges } from "../api/types";
import { onScreen } from "../geometry/units";
import { answerOf as checkedAnswer, badOnes, begun, firstOpen, judged, partOf, withMissing } from "./checked";
import { answerOf, isSmall, placeOfSame, put, takenBack, without, workOf, type Work } from "./drawn";
import { numberSaid } from "./numbers";
import { boxAt, LONG, MAX_SLIP, Taps } from "./taps";

const ONE: Edges = [10, 10, 60, 90];
const TWO: Edges = [100, 10, 160, 90];
const two: Work = { drawn: [{ box: ONE, scale: 1 }, { box: TWO }], marks: [] };

describe("boxes that are drawn", () => {
  test.each<[Answer | null, number]>([
    [null, 0],
    [{ none: "scene" }, 0],
    [{ unusable: true }, 0],
    [{ boxes: [{ box: ONE, scale: 0.5 }, { box: TWO }] }, 2],
    [{ boxes: [{ box: null }] }, 0],
    [{ boxes: ["good"], missing: false }, 0],
  ])("of %o there are %i", (answer, count) => {
    expect(workOf({ answer, marks: [] }).drawn).toHaveLength(count);
  });

  test("an answer has them in the order in which they were drawn, and none is no answer", () => {
    expect(answerOf(put(two, 2, [1, 2, 3, 4], 0.123456))).toEqual({
      boxes: [{ box: ONE, scale: 1 }, { box: TWO }, { box: [1, 2, 3, 4], scale: 0.1235 }],
    });
    expect(answerOf({ drawn: [], marks: [[1, 2]] })).toBeNull();
  });

  test("a box is changed in its place, and removed from it", () => {
    expect(put(two, 0, TWO, 2).drawn.map(({ box }) => box)).toEqual([TWO, TWO]);
    expect(without(two, 0).drawn).toEqual([{ box: TWO }]);
  });

  test("what is taken back is a point, the box in hand, the last box, and then nothing", () => {
    expect(takenBack({ ...two, marks: [[1, 1], [2, 2]] }, null)).toEqual({ ...two, marks: [[1, 1]] }); // prettier-ignore
    expect(takenBack(two, 0)?.drawn).toEqual([{ box: TWO }]);
    expect(takenBack(two, null)?.drawn).toEqual([{ box: ONE, scale: 1 }]);
    expect(takenBack({ drawn: [], marks: [] }, null)).toBeNull();
  });

  test("the same box is found, whatever its scale", () => {
    expect([placeOfSame(two, [...TWO]), placeOfSame(two, [1, 2, 3, 4])]).toEqual([1, -1]);
  });

  test.each([
    [[0, 0, 10, 100], 2.3, true],
    [[0, 0, 10, 100], 2.4, false],
  ] as [Edges, number, boolean][])("%o at %f is small: %s", (box, scale, small) => {
    expect(isSmall(box, scale)).toBe(small);
  });
});

describe("a check", () => {
  test("begins with all good and nothing missing, or with nothing", () => {
    expect(checkedAnswer(begun(2, "good"))).toEqual({ boxes: ["good", "good"], missing: false });
    expect(begun(1, "none")).toEqual({ boxes: [null], missing: null, point: null });
    expect(checkedAnswer(begun(0, "good"))).toEqual({ boxes: [], missing: false });
  });

  test("is an answer once everything was said", () => {
    const open = begun(2, "none");
    const one = judged(open, 1, "loose");
    expect([firstOpen(open), firstOpen(one), checkedAnswer(one)]).toEqual([0, 0, null]);
    const both = judged(one, 0, "good");
    expect([firstOpen(both), checkedAnswer(both)]).toEqual([null, null]);
    const all = withMissing(both, true, [3, 4]);
    expect(checkedAnswer(all)).toEqual({ boxes: ["good", "loose"], missing: true, point: [3, 4] });
    expect(badOnes(all.boxes)).toBe(1);
  });

  test("has a point only of something that is missing", () => {
    expect(withMissing(begun(0, "good"), false, [3, 4]).point).toBeNull();
    expect(checkedAnswer(withMissing(begun(0, "good"), true))).toEqual({ boxes: [], missing: true });
  });

  const kept = { boxes: ["cut", null], missing: null, point: null };
  test.each<[string, unknown, Answer | null, unknown]>([
    ["what was begun", kept, null, kept],
    ["an answer", undefined, { boxes: ["good", "cut"], missing: true, point: [1, 2] }, { boxes: ["good", "cut"], missing: true, point: [1, 2] }],
    ["an abstention", undefined, { unsure: true }, begun(2, "good")],
    ["another number of boxes", { ...kept, boxes: ["cut"] }, null, begun(2, "good")],
    ["other words", { ...kept, boxes: ["cut", "fine"] }, null, begun(2, "good")],
    ["no boxes", { missing: true }, null, begun(2, "good")],
    ["damage", "cut", null, begun(2, "good")],
    ["a damaged point", { ...kept, missing: true, point: [1, "2"] }, null, { ...kept, missing: true }],
    ["a point of nothing", { ...kept, missing: false, point: [1, 2] }, null, { ...kept, missing: false }],
  ])("goes on from %s", (_name, part, answer, expected) => {
    expect(partOf({ answer, part }, 2, "good")).toEqual(expected);
  }); // prettier-ignore
});

describe("taps", () => {
  const [tap, long] = [vi.fn(), vi.fn()];
  let taps: Taps;
  beforeEach(() => {
    vi.useFakeTimers();
    tap.mockClear();
    long.mockClear();
    taps = new Taps({ tap, long });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const at = onScreen(50, 50);

  test("a short press is a tap, and a long one is told while it lasts", () => {
    taps.down(1, at);
    vi.advanceTimersByTime(LONG - 1);
    taps.up(1, onScreen(50 + MAX_SLIP, 50));
    expect([tap.mock.calls.length, long.mock.calls.length]).toEqual([1, 0]);
    taps.down(1, at);
    vi.advanceTimersByTime(LONG);
    expect(long).toHaveBeenCalledExactlyOnceWith(at);
    taps.up(1, at);
    expect(tap).toHaveBeenCalledOnce();
  });

  test.each<[string, () => void]>([
    ["moves", () => taps.move(1, onScreen(50 + MAX_SLIP + 1, 50))],
    ["is one of two", () => taps.down(2, onScreen(90, 90))],
    ["is taken away", () => taps.cancel(1)],
    ["is forgotten", () => taps.drop()],
  ])("nothing comes of a press that %s", (_what, happens) => {
    taps.down(1, at);
    happens();
    vi.advanceTimersByTime(LONG);
    taps.up(1, at);
    taps.up(2, onScreen(90, 90));
    expect([tap.mock.calls.length, long.mock.calls.length]).toEqual([0, 0]);
    taps.down(1, at);
    taps.up(1, at);
    expect(tap).toHaveBeenCalledOnce();
  });
});

test.each([
  [15, 15, 0],
  [150, 50, 1],
  [95, 50, 1],
  [80, 50, null],
  [30, 30, 2],
])("at %i, %i is the box %s", (x, y, place) => {
  expect(boxAt([ONE, TWO, [25, 25, 35, 35]], x, y, 8)).toBe(place);
});

test.each([
  ["en", "six white males", 6],
  ["en-GB", "Two dogs", 2],
  ["en", "two of the six men", null],
  ["en", "a man", null],
  ["en", "12 eggs", 12],
  ["en", "40 people", null],
  ["de", "zwei Hunde", 2],
  ["fr", "two dogs", null],
  [undefined, "three-wheeler", 3],
])("in %s, the words %s name %s", (language, words, number) => {
  const segments = [
    { text: "Five days before ", mention: false },
    { text: words, mention: true },
  ];
  expect(numberSaid({ segments, ...(language !== undefined && { language }) })).toBe(number);
});
