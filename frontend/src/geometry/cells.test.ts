import { describe, expect, test } from "vitest";
import type { Edges } from "../api/types";
import { iou } from "./box";
import { boxOf, cellOf, choose, region, search, shift, turn, type Search } from "./cells";
import { imageSize, type ImagePx, type Size } from "./units";

const IMAGE = imageSize(400, 200);

/** Presses the cell that has the corner, as somebody does who makes no mistake. */
function pressed(now: Search, box: Edges): Search {
  const [x, y] = turn(now) === 0 ? [box[0], box[1]] : [box[2], box[3]];
  const [left, top, right, bottom] = region(now);
  const at = (value: number, low: number, high: number): number =>
    Math.min(Math.max(Math.floor(((value - low) / (high - low)) * 4), 0), 3);
  return choose(now, at(y, top, bottom) * 4 + at(x, left, right));
}

/** The presses until the box is as good (IoU), at most 20. */
function presses(box: Edges, image: Size<ImagePx>, good: number): number {
  let now = search(image);
  for (let n = 1; n <= 20; n += 1) {
    now = pressed(now, box);
    const made = boxOf(now, image, 3);
    if (made && iou(made, box) >= good) return n;
  }
  return 21;
}

/** Boxes of every place and size from 8% of a side on, of which a fifth of the edges are those of the picture. */
function usual(): { box: Edges; image: Size<ImagePx> }[] {
  let seed = 7;
  const random = (): number => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const side = (length: number): [number, number] => {
    const size = length * (0.08 + 0.72 * random());
    const from = random() < 0.2 ? 0 : random() * (length - size);
    return [Math.round(from), Math.round(from + size)];
  };
  return Array.from({ length: 600 }, (_, n) => {
    const image = n % 2 === 0 ? imageSize(500, 375) : imageSize(375, 500);
    const [[left, right], [top, bottom]] = [side(image.width), side(image.height)];
    return { box: [left, top, right, bottom], image };
  });
}

test("cells are counted row by row", () => {
  expect(cellOf([0, 0, 400, 200], 0)).toEqual([0, 0, 100, 50]);
  expect(cellOf([0, 0, 400, 200], 6)).toEqual([200, 50, 300, 100]);
});

test("the corners take turns, and the second one is right of the first and below it", () => {
  const first = choose(search(IMAGE), 5);
  expect([turn(first), region(first)]).toEqual([1, [100, 50, 400, 200]]);
  expect(boxOf(first, IMAGE, 3)).toBeNull();
  const second = choose(first, 15);
  expect([turn(second), region(second)]).toEqual([0, [100, 50, 200, 100]]);
  // A cell at the edge of the picture means that edge.
  expect(boxOf(second, IMAGE, 3)).toEqual([150, 75, 400, 200]);
});

test("a corner beside its cell is reached, and nothing leaves the picture", () => {
  const now = choose(choose(search(IMAGE), 5), 15);
  expect(region(shift(now, 1, 0, IMAGE))).toEqual([150, 50, 250, 100]);
  expect(region(shift(shift(shift(now, -1, 0, IMAGE), -1, 0, IMAGE), -1, 0, IMAGE))).toEqual([
    0, 50, 100, 100,
  ]);
});

test("a box that is too small is none", () => {
  let now = search(IMAGE);
  for (let n = 0; n < 10; n += 1) now = choose(now, turn(now) === 0 ? 10 : 0);
  expect(boxOf(now, IMAGE, 5)).toBeNull();
});

describe("how many presses a box takes", () => {
  const sorted = (good: number): number[] =>
    usual()
      .map(({ box, image }) => presses(box, image, good))
      .sort((a, b) => a - b);

  test("usual boxes (IoU 0.9): 6 on average, 8 at most for nine of ten", () => {
    const all = sorted(0.9);
    expect(all.reduce((sum, n) => sum + n, 0) / all.length).toBeLessThanOrEqual(6);
    expect(all[Math.floor(all.length * 0.9)]).toBeLessThanOrEqual(8);
  });

  test("each box is reached to the pixel", () => {
    expect(sorted(1).at(-1)).toBeLessThanOrEqual(14);
  });
});
