import { expect, test } from "vitest";
import type { Doc, Phrase, Place, Word } from "./annotation";
import { beside, following, inCaption, stops } from "./cursor";

const phrase = (start: number, end: number, chain = "", visual = true): Phrase => ({
  start,
  end,
  types: ["people"],
  visual,
  chain,
});
const words: Word[][] = ["a tall man walks", "he", "the dog and the man"].map((caption) =>
  caption.split(" ").map((text) => ({ before: " ", text, types: [] })),
);
/** [a tall man] walks; he; [the dog] and [the man] */
const doc: Doc = {
  captions: [[phrase(0, 3)], [phrase(0, 1, "", false)], [phrase(0, 2, "A"), phrase(3, 5)]],
  chains: {},
};

test("a phrase is one stop", () => {
  expect([0, 1, 2, 3].map((caption) => stops(doc, words, caption))).toEqual([[0, 3], [0], [0, 2, 3], []]);
});

test("arrows go through all captions, and stay at either end", () => {
  let at: Place = { caption: 0, start: 0 };
  const way = Array.from({ length: 6 }, () => {
    at = beside(doc, words, at, 1);
    return [at.caption, at.start].join(":");
  });
  expect(way).toEqual(["0:3", "1:0", "2:0", "2:2", "2:3", "2:3"]);
  expect(beside(doc, words, { caption: 2, start: 0 }, -1)).toEqual({ caption: 1, start: 0 });
  expect(beside(doc, words, { caption: 0, start: 0 }, -1)).toEqual({ caption: 0, start: 0 });
});

test("another caption is entered at the same word, or at the phrase that has it", () => {
  expect(inCaption(doc, words, { caption: 0, start: 3 }, 2)).toEqual({ caption: 2, start: 3 });
  expect(inCaption(doc, words, { caption: 2, start: 2 }, 0)).toEqual({ caption: 0, start: 0 });
  expect(inCaption(doc, words, { caption: 2, start: 2 }, 3)).toEqual({ caption: 2, start: 2 });
});

test("what follows is a visual phrase without a chain, then the first one again", () => {
  expect(following(doc, { caption: 0, start: 0 })).toEqual({ caption: 2, start: 3 });
  expect(following(doc, { caption: 2, start: 3 })).toEqual({ caption: 0, start: 0 });
  expect(following({ captions: [], chains: {} }, { caption: 1, start: 0 })).toEqual({ caption: 1, start: 0 });
});
