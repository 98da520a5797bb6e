import fc from "fast-check";
import { expect, test } from "vitest";
import {
  answerOf,
  assign,
  chainOf,
  freeLetter,
  join,
  letterOf,
  letters,
  mark,
  phraseAt,
  phrases,
  placeOf,
  setBox,
  settled,
  stretch,
  toggleFlag,
  toggleType,
  toggleVisual,
  troubles,
  unmark,
  type Doc,
  type Word,
} from "./annotation";

const words = (text: string): Word[] =>
  text
    .split(" ")
    .map((word, place) => ({ before: place === 0 ? "" : " ", text: word, types: ["animals"] as const }));
const FIRST = words("a man walks a dog");
const SECOND = words("the man is here");
const CAPTIONS = [FIRST, SECOND];

/** Two men without a chain and a dog in chain A. */
const doc: Doc = {
  captions: [
    [
      { start: 0, end: 2, types: ["people"], visual: true, chain: "" },
      { start: 3, end: 5, types: ["animals"], visual: true, chain: "A" },
    ],
    [{ start: 0, end: 2, types: ["people"], visual: true, chain: "" }],
  ],
  chains: { A: { boxes: [[1, 2, 30, 40]], flag: "" } },
};
const man = { caption: 0, start: 0 };
const dog = { caption: 0, start: 3 };
const other = { caption: 1, start: 0 };

test("letters count on after Z", () => {
  expect([0, 25, 26, 701, 702].map(letterOf)).toEqual(["A", "Z", "AA", "ZZ", "AAA"]);
  fc.assert(fc.property(fc.nat(5000), (place) => placeOf(letterOf(place)) === place));
});

test("a phrase gets the first letter that is free, or a given one", () => {
  expect(freeLetter(doc)).toBe("B");
  const made = assign(assign(doc, man, "B"), other, "B");
  expect(letters(made)).toEqual(["A", "B"]);
  expect(phraseAt(made, other)?.chain).toBe("B");
});

test("a chain that is joined to another passes on the boxes that this one lacks", () => {
  const two = setBox(assign(doc, man, "B"), "B", 0, [1, 2, 31, 40]);
  const more = setBox(two, "B", 1, [100, 100, 150, 150]);
  const joined = join(more, "B", "A");
  expect(letters(joined)).toEqual(["A"]);
  expect(chainOf(joined, "A").boxes).toEqual([
    [1, 2, 30, 40],
    [100, 100, 150, 150],
  ]);
  expect(chainOf(joined, "B").boxes).toEqual([]);
});

test("words that are marked take the place of phrases they overlap, and keep their chain", () => {
  const marked = mark(doc, FIRST, 0, 2, 5);
  expect(marked.captions[0]?.map(({ start, end, chain }) => [start, end, chain])).toEqual([
    [0, 2, ""],
    [2, 5, "A"],
  ]);
  expect(phraseAt(mark(doc, SECOND, 1, 3, 4), { caption: 1, start: 3 })?.types).toEqual(["animals"]);
});

test("a phrase stretches up to its neighbours and keeps a word", () => {
  const longer = stretch(doc, FIRST, man, "end", 1);
  expect(phraseAt(longer, man)?.end).toBe(3);
  expect(stretch(longer, FIRST, man, "end", 1)).toBe(longer);
  expect(phraseAt(stretch(doc, FIRST, dog, "start", 1), { caption: 0, start: 4 })?.chain).toBe("A");
  const single = stretch(doc, FIRST, man, "end", -1);
  expect(stretch(single, FIRST, man, "end", -1)).toBe(single);
});

test("a phrase has its types in their order, and at least one", () => {
  const all = ["people", "animals", "scene", "food"];
  const more = ["food", "scene", "people"].reduce((so_far, type) => toggleType(so_far, dog, type, all), doc);
  expect(phraseAt(more, dog)?.types).toEqual(["people", "animals", "scene", "food"]);
  expect(phraseAt(toggleType(doc, dog, "animals", all), dog)?.types).toEqual(["animals"]);
});

test("what is not visual has no chain", () => {
  const hidden = toggleVisual(doc, dog);
  expect(letters(hidden)).toEqual([]);
  expect(answerOf(hidden).chains).toEqual([]);
  expect(phraseAt(toggleVisual(hidden, dog), dog)).toMatchObject({ visual: true, chain: "" });
});

test("a chain has boxes or a flag, never both", () => {
  const flagged = toggleFlag(doc, "A", "scene");
  expect(chainOf(flagged, "A")).toEqual({ boxes: [], flag: "scene" });
  expect(chainOf(setBox(flagged, "A", 0, [0, 0, 9, 9]), "A")).toEqual({ boxes: [[0, 0, 9, 9]], flag: "" });
  expect(settled(toggleFlag(flagged, "A", "scene"), "A")).toBe(false);
});

test("what is missing is told", () => {
  expect(troubles(doc, CAPTIONS, false).map(({ says }) => says)).toEqual([
    "“a man” has no chain",
    "“the man” has no chain",
  ]);
  const chained = assign(assign(doc, man, "B"), other, "B");
  expect(troubles(chained, CAPTIONS, false)).toEqual([
    { says: "B: “the man” has no box and no reason why", chain: "B" },
  ]);
  expect(troubles(chained, CAPTIONS, true)).toEqual([]);
});

test("what is sent names only chains that have a phrase", () => {
  const gone = unmark(doc, dog);
  expect(answerOf(gone).chains).toEqual([]);
  expect(answerOf(doc).captions[0]?.phrases[1]).toEqual({ start: 3, end: 5, types: ["animals"], chain: "A" });
});

test("phrases never overlap, whatever is done", () => {
  const act = fc.record({
    kind: fc.constantFrom("mark", "stretch", "assign", "unmark"),
    caption: fc.nat(1),
    start: fc.nat(4),
    length: fc.integer({ min: 1, max: 3 }),
    back: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
      let now = doc;
      for (const { kind, caption, start, length, back } of acts) {
        const own = CAPTIONS[caption] ?? [];
        const at = { caption, start };
        if (kind === "mark" && start + length <= own.length)
          now = mark(now, own, caption, start, start + length);
        if (kind === "stretch") now = stretch(now, own, at, back ? "start" : "end", back ? -1 : 1);
        if (kind === "assign") now = assign(now, at, letterOf(length));
        if (kind === "unmark") now = unmark(now, at);
      }
      for (const [caption, list] of now.captions.entries()) {
        const length = CAPTIONS[caption]?.length ?? 0;
        list.forEach((phrase, place) => {
          expect(phrase.start).toBeLessThan(phrase.end);
          expect(phrase.end).toBeLessThanOrEqual(list[place + 1]?.start ?? length);
        });
      }
      expect(letters(now).every((letter) => phrases(now).some(({ chain }) => chain === letter))).toBe(true);
    }),
  );
});
