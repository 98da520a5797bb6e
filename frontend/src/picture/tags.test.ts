import fc from "fast-check";
import { expect, test } from "vitest";
import { screenSize } from "../geometry/units";
import { shared, type Rect } from "../geometry/view";
import { tagsAt } from "./tags";

const phone = screenSize(390, 470);
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });

test("twelve small boxes on a phone are all seen, and so are their numbers", () => {
  const boxes = Array.from({ length: 12 }, (_, n) =>
    rect(120 + (n % 6) * 24, 200 + (n >= 6 ? 48 : 0), 14, 30),
  );
  const tags = tagsAt(boxes, phone);
  for (const tag of tags) {
    for (const box of boxes) expect(shared(tag, box)).toBe(0);
    for (const other of tags) if (other !== tag) expect(shared(tag, other)).toBe(0);
  }
});

test.each<[string, Rect, (tag: Rect, box: Rect) => boolean]>([
  ["above", rect(100, 100, 60, 60), (tag, box) => tag.y + tag.height <= box.y],
  ["below, at the upper edge", rect(100, 0, 60, 60), (tag, box) => tag.y >= box.y + box.height],
  ["beside, as high as the picture", rect(100, 0, 60, 470), (tag, box) => tag.x + tag.width <= box.x],
  ["inside, as large as the picture", rect(0, 0, 390, 470), (tag) => tag.x === 0 && tag.y === 0],
])("the number of a box is %s", (_where, box, right) => {
  const [tag] = tagsAt([box], phone);
  expect(tag && right(tag, box)).toBe(true);
});

test("a number keeps off the new box", () => {
  const fresh = rect(96, 80, 200, 18);
  const [tag] = tagsAt([rect(100, 100, 60, 60)], phone, [fresh]);
  expect(tag && shared(tag, fresh)).toBe(0);
});

test("a box alone is never hidden by its number, unless it is as large as the picture", () => {
  const place = (most: number): fc.Arbitrary<number> => fc.double({ min: 0, max: most, noNaN: true });
  fc.assert(
    fc.property(place(380), place(460), place(300), place(300), (x, y, width, height) => {
      const box = rect(x, y, Math.max(width, 0.5), Math.max(height, 0.5));
      const [tag] = tagsAt([box], phone);
      expect(tag && shared(tag, box)).toBe(0);
    }),
  );
});
