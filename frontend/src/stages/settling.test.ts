import { expect, test } from "vitest";
import { Settling, MIN_SHOWN } from "./settling";

test("an item takes no key until it could be seen", () => {
  let now = 1000;
  const settling = new Settling(() => now);
  const image = { id: "1", url: "/media/1.jpg", width: 640, height: 480 };
  const first = { image, captions: [], boxes: [] };
  settling.shows(first);
  expect(settling.over()).toBe(false);
  now += MIN_SHOWN - 1;
  expect(settling.over()).toBe(false);
  now += 1;
  expect(settling.over()).toBe(true);
  settling.shows({ ...first, image: { ...image, url: "/media/1.jpg?signed=anew" } });
  expect(settling.over()).toBe(true);
  settling.shows({ ...first, boxes: [[1, 2, 30, 40]] });
  expect(settling.over()).toBe(false);
});
