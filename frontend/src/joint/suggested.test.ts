import { expect, test } from "vitest";
import type { Edges, Page, Question } from "../api/types";
import { begin, change, draftIn, replies } from "../work/draft";
import { page } from "../work/testing/page";
import { answerOf, numbersOf, ownOf, put, without, workOf, type Work } from "./drawn";
import { accepted, allShown, discarded, linesOf, MAX_SUGGESTIONS, openIn } from "./suggested";
import { suggestionsIn, withoutLine } from "./suggested";

const image = { id: "1", url: null, width: 640, height: 480 };
const ONE: Edges = [10, 20, 110, 220];
const TWO: Edges = [300, 40, 400, 200];
const OWN: Edges = [500, 300, 600, 400];
const NOTHING: Work = { drawn: [], marks: [] };
const given = (...boxes: number[][]): Pick<Question, "image" | "suggestions"> => ({
  image,
  suggestions: boxes,
});
const BOTH = suggestionsIn(given([...ONE, 0.9], [...TWO, 0.4]), 3);
const [first, second] = BOTH as [(typeof BOTH)[0], (typeof BOTH)[0]];

test("suggestions are whole boxes in the photograph, and keep their places", () => {
  const found = suggestionsIn(
    given(
      [9.6, 19.5, 110.4, 220, 0.9],
      [50, 50, 52, 90, 0.8],
      [700, 0, 900, 90, 0.7],
      [-5, 400, 90, 500, 0.6],
    ),
    3,
  );
  expect(found).toEqual([
    { place: 0, box: [10, 20, 110, 220] },
    { place: 3, box: [0, 400, 90, 480] },
  ]);
});

test("a question without suggestions has none, and no question has more than the API may send", () => {
  expect([suggestionsIn({ image }, 3), suggestionsIn(given(), 3)]).toEqual([[], []]);
  const many = Array.from({ length: 25 }, (_, n) => [n, 0, n + 10, 10, 0.5]);
  expect(suggestionsIn(given(...many), 3)).toHaveLength(MAX_SUGGESTIONS);
});

test("nothing is accepted by default, and what is accepted or discarded is not open any more", () => {
  expect(openIn(BOTH, NOTHING)).toEqual(BOTH);
  expect(answerOf(NOTHING)).toBeNull();
  const work = accepted(NOTHING, second);
  expect(answerOf(work)).toEqual({ boxes: [{ box: TWO, suggestion: 1 }] });
  expect(openIn(BOTH, work)).toEqual([first]);
  expect(openIn(BOTH, discarded(work, first))).toEqual([]);
  expect(openIn(BOTH, allShown(discarded(work, first)))).toEqual([first]);
});

test("a box that is removed from the answer is a suggestion again", () => {
  const work = accepted(accepted(NOTHING, second), first);
  expect(openIn(BOTH, without(work, 0))).toEqual([second]);
});

test("a box that was changed still says which suggestion it was", () => {
  const moved = put(accepted(NOTHING, second), 0, [301, 40, 401, 200], 0.5);
  expect(moved.drawn).toEqual([{ box: [301, 40, 401, 200], scale: 0.5, suggestion: 1 }]);
  expect(put(moved, 1, OWN, 0.5).drawn[1]).toEqual({ box: OWN, scale: 0.5 });
});

test("no two things have one number, and without suggestions boxes are counted from 1", () => {
  const work = put(accepted(put(NOTHING, 0, OWN, 1), second), 2, [1, 2, 30, 40], 1);
  expect(numbersOf(work, 2)).toEqual([3, 2, 4]);
  expect(ownOf(work)).toHaveLength(2);
  expect(numbersOf({ drawn: [{ box: ONE }, { box: TWO }], marks: [] }, 0)).toEqual([1, 2]);
  // The page was fetched again and has no suggestions any more.
  expect(numbersOf(work, 0)).toEqual([1, 2, 3]);
});

test("the list goes by number, and what is accepted stays where it was", () => {
  const work = accepted(put(NOTHING, 0, OWN, 1), first);
  const lines = linesOf(openIn(BOTH, work), work, numbersOf(work, 2));
  expect(lines).toEqual([
    { number: 1, box: ONE, at: 1 },
    { number: 2, suggestion: second },
    { number: 3, box: OWN, at: 0 },
  ]);
  const [box, suggestion] = lines;
  expect(box && withoutLine(work, box).drawn).toEqual([{ box: OWN, scale: 1 }]);
  expect(suggestion && withoutLine(work, suggestion)).toEqual({ ...work, hidden: [1] });
});

test("a draft keeps what was accepted and discarded, and says what was accepted when it is sent", () => {
  const work = discarded(accepted(NOTHING, second), first);
  const held: Page = { ...page(1), stage: "boxes" };
  const draft = change(begin(held), { answer: answerOf(work), part: { hidden: work.hidden } });
  const read = draftIn(JSON.parse(JSON.stringify(draft)));
  const entry = read?.entries[0];
  expect(entry && workOf(entry)).toEqual(work);
  expect(read && replies(read)).toMatchObject([
    { item: 1, answer: { boxes: [{ box: TWO, suggestion: 1 }] } },
  ]);
});

test.each([undefined, null, 7, { boxes: ["good"] }, { hidden: "all" }, { hidden: [0.5, "1"] }])(
  "a draft in which %j is kept has nothing discarded",
  (part) => {
    expect(openIn(BOTH, workOf({ answer: null, marks: [], part }))).toEqual(BOTH);
  },
);
