import { expect, test } from "vitest";
import { read, versionsRead } from "./read-versions";

test("what earlier pages have kept means the built-in instructions", () => {
  expect(versionsRead(null).size).toBe(0);
  expect([...versionsRead("yes")]).toEqual([null]);
  expect(read(null, null)).toBe("yes");
});

test("every version is read once, and the built-in ones are one of them", () => {
  const kept = read(read("yes", 3), 7);
  expect([...versionsRead(kept)]).toEqual([null, 3, 7]);
  expect(read(kept, 3)).toBe("yes,7,3");
  expect(versionsRead(kept).has(4)).toBe(false);
});

test("only the last ones are kept", () => {
  let kept = "";
  for (let id = 1; id <= 30; id += 1) kept = read(kept, id);
  expect(versionsRead(kept).has(30)).toBe(true);
  expect(versionsRead(kept).has(1)).toBe(false);
  expect(versionsRead(kept).size).toBe(20);
});
