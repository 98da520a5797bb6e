import { expect, test } from "vitest";
import { weekOf } from "./weeks";

test.each([
  ["2026-11-09", "en", "Nov 9 – 15, 2026"],
  ["2026-11-09", "de", "9.–15. Nov. 2026"],
  ["2026-12-28", "en", "Dec 28, 2026 – Jan 3, 2027"],
])("the week of %s in %s is %s", (begins, language, words) => {
  expect(weekOf(begins, language).replace(/\s/g, " ")).toBe(words);
});
