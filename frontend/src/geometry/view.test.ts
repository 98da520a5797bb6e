import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageSize, inImage, onScreen, screenSize } from "./units";
import {
  CLOSEST,
  MARGIN,
  aside,
  fit,
  isFitted,
  pan,
  rectOf,
  resized,
  toImage,
  toScreen,
  visible,
  zoomAt,
} from "./view";

const sizes = fc.tuple(
  fc.integer({ min: 1, max: 8000 }),
  fc.integer({ min: 1, max: 8000 }),
  fc.integer({ min: 100, max: 3000 }),
  fc.integer({ min: 100, max: 3000 }),
);
const scenes = sizes.map(([w, h, across, down]) => ({
  image: imageSize(w, h),
  screen: screenSize(across, down),
}));
const factors = fc.double({ min: 0.05, max: 50, noNaN: true });
const places = fc.double({ min: -500, max: 3500, noNaN: true });

test.each([
  ["where there is room below", 500, 375, 360, 372, { x: 0, y: 38 }],
  ["at the right of a high one", 300, 600, 360, 280, { x: 38, y: 0 }],
  ["nowhere, if nothing is shown", 500, 375, 360, 372, { x: 0, y: 0 }, 0],
])("buttons lie %s", (_, width, height, across, down, free, size = 44) => {
  expect(aside(imageSize(width, height), across, down, size)).toEqual(free);
});

describe("a photograph that is fitted", () => {
  test.each([
    ["wide", 4000, 3000, 1024, 624, { scale: 0.2, x: 112, y: 12 }],
    ["high", 300, 1000, 324, 1024, { scale: 1, x: 12, y: 12 }],
    ["small, and enlarged", 10, 10, 424, 424, { scale: 40, x: 12, y: 12 }],
  ])("%s", (_name, width, height, across, down, view) => {
    const [image, screen] = [imageSize(width, height), screenSize(across, down)];
    expect(fit(image, screen)).toEqual(view);
    expect(isFitted(fit(image, screen), image, screen)).toBe(true);
    expect(visible(fit(image, screen), image, screen)).toEqual([0, 0, width, height]);
  });

  test("on a surface without a size has a scale all the same", () => {
    expect(fit(imageSize(100, 100), screenSize(0, 0)).scale).toBeGreaterThan(0);
  });
});

test("a place on the screen and in the image are the same place", () => {
  fc.assert(
    fc.property(scenes, factors, places, places, ({ image, screen }, factor, x, y) => {
      const view = zoomAt(fit(image, screen), factor, onScreen(50, 50), image, screen);
      const back = toScreen(view, toImage(view, onScreen(x, y)));
      expect(back.x).toBeCloseTo(x, 6);
      expect(back.y).toBeCloseTo(y, 6);
    }),
  );
});

test("a box lies on the screen where its corners do", () => {
  const view = { scale: 2, ...onScreen(10, 20) };
  expect(rectOf(view, [1, 2, 11, 22])).toEqual({ x: 12, y: 24, width: 20, height: 40 });
});

describe("zooming", () => {
  const image = imageSize(1000, 1000);
  const screen = screenSize(524, 524);
  const close = zoomAt(fit(image, screen), 4, onScreen(262, 262), image, screen);

  test("leaves in place what is under the pointer", () => {
    const at = onScreen(300, 200);
    const before = toImage(close, at);
    const after = toImage(zoomAt(close, 1.5, at, image, screen), at);
    expect(after.x).toBeCloseTo(before.x, 9);
    expect(after.y).toBeCloseTo(before.y, 9);
  });

  test("in and out again by the same factor changes nothing", () => {
    const at = onScreen(300, 200);
    const there = zoomAt(close, 1.5, at, image, screen);
    const back = zoomAt(there, 1 / 1.5, at, image, screen);
    expect(back.scale).toBeCloseTo(close.scale, 9);
    expect(back.x).toBeCloseTo(close.x, 6);
  });

  test("ends at the whole photograph and at single pixels", () => {
    expect(zoomAt(close, 1e-6, onScreen(0, 0), image, screen)).toEqual(fit(image, screen));
    expect(zoomAt(close, 1e6, onScreen(0, 0), image, screen).scale).toBe(CLOSEST);
  });
});

test("wherever it is moved and zoomed, the photograph fills what it can of the surface", () => {
  fc.assert(
    fc.property(scenes, factors, places, places, places, ({ image, screen }, factor, x, dx, dy) => {
      const near = zoomAt(fit(image, screen), factor, onScreen(x, 100), image, screen);
      const view = pan(near, onScreen(dx * 10, dy * 10), image, screen);
      for (const [at, length, room] of [
        [view.x, image.width * view.scale, screen.width],
        [view.y, image.height * view.scale, screen.height],
      ] as const) {
        if (length <= room - 2 * MARGIN) expect(at).toBeCloseTo((room - length) / 2, 6);
        else {
          expect(at).toBeLessThanOrEqual(MARGIN + 1e-6);
          expect(at + length).toBeGreaterThanOrEqual(room - MARGIN - 1e-6);
        }
      }
    }),
  );
});

describe("a surface that changes its size", () => {
  const image = imageSize(1000, 800);
  const [before, after] = [screenSize(600, 500), screenSize(400, 700)];

  test("shows all of the photograph again, if it did", () => {
    expect(resized(fit(image, before), image, before, after)).toEqual(fit(image, after));
  });

  test("keeps its middle and its scale, if it was zoomed", () => {
    const view = zoomAt(fit(image, before), 5, onScreen(350, 250), image, before);
    const other = resized(view, image, before, after);
    const [was, is] = [toImage(view, onScreen(300, 250)), toImage(other, onScreen(200, 350))];
    expect(other.scale).toBe(view.scale);
    expect(is.x).toBeCloseTo(was.x, 9);
    expect(is.y).toBeCloseTo(was.y, 9);
  });

  test("never shows the photograph smaller than whole", () => {
    const view = zoomAt(fit(image, after), 1.2, onScreen(200, 300), image, after);
    const big = screenSize(2000, 2000);
    expect(resized(view, image, after, big)).toEqual(fit(image, big));
  });
});

test("a corner of the image is where the view says", () => {
  expect(toScreen({ scale: 3, ...onScreen(5, 7) }, inImage(0, 0))).toEqual({ x: 5, y: 7 });
});
