import { expect, test } from "vitest";
import { mergedBoxes, rawBoxes, sayMerged, sayOrigins, tagOffsets, under, type Merged } from "./boxes";
import type { Chain } from "./setup";

const chain = (letter: string, ...boxes: Chain["boxes"]): Chain => ({
  letter,
  look: `look-${letter}`,
  text: "a man",
  boxes,
  pk: 1,
  page: "",
});
const A = chain("A", [0, 0, 100, 100], [200, 0, 300, 100]);
const B = chain("B", [10, 10, 50, 50]);
const MERGED: Merged = {
  boxes: [
    {
      box: [5, 5, 60, 60],
      letters: ["A", "B"],
      from: [
        { letter: "A", box: [0, 0, 100, 100] },
        { letter: "B", box: [10, 10, 50, 50] },
      ],
    },
    { box: [200, 0, 300, 100], letters: ["A"], from: [{ letter: "A", box: [200, 0, 300, 100] }] },
  ],
  joined: [],
  boxes_raw: 3,
  chains_raw: 2,
  chains: 2,
};

test.each<[string, number, number, string[]]>([
  ["a box", 250, 50, ["A"]],
  ["two boxes: the smaller", 20, 20, ["B"]],
  ["the larger one's own part", 60, 60, ["A"]],
  ["nothing", 150, 50, []],
  ["the column after a box's last", 100, 60, []],
])("under a pointer is %s", (_name, x, y, letters) => {
  expect(under(rawBoxes([A, B]), x, y)).toEqual(letters);
});

test("a merged box is all its chains', in the colour of the first", () => {
  const boxes = mergedBoxes(MERGED, [A, B]);
  expect(boxes.map(({ letters, look }) => [letters, look])).toEqual([
    [["A", "B"], "look-A"],
    [["A"], "look-A"],
  ]);
  expect(under(boxes, 30, 30)).toEqual(["A", "B"]);
});

test("what merging removes is said, and what a box was made of", () => {
  expect(sayMerged(MERGED)).toBe("Merging removes 1 of 3 boxes and no chain.");
  expect(sayMerged({ ...MERGED, boxes_raw: 2, chains: 1 })).toBe("Merging removes no box and 1 of 2 chains.");
  expect(sayOrigins(MERGED)).toEqual(["5 5 60 60 is the median of 2: A 0 0 100 100; B 10 10 50 50"]);
});

test("tags of boxes with one corner stand in a row", () => {
  const at = (x: number, y: number, ...letters: string[]) => ({ rect: { x, y }, letters });
  expect(tagOffsets([at(0, 0, "A"), at(5, 5, "B", "C"), at(50, 0, "D"), at(0, 0, "E")])).toEqual([
    0, 18, 0, 45,
  ]);
});
