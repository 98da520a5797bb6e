import { expect, test } from "vitest";
import { Settling, UNREAD } from "./settling";

test("an item takes no key until it could be seen", () => {
  let now = 1000;
  const settling = new Settling(() => now);
  const first = {};
  settling.shows(first);
  expect(settling.over()).toBe(false);
  now += UNREAD - 1;
  expect(settling.over()).toBe(false);
  now += 1;
  expect(settling.over()).toBe(true);
  settling.shows(first);
  expect(settling.over()).toBe(true);
  settling.shows({});
  expect(settling.over()).toBe(false);
});
