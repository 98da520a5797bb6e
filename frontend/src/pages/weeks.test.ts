import { expect, test } from "vitest";
import { weekOf, weeksOf } from "./weeks";

test("an account from a server that knows no weeks has none", () => {
  const week = { begins: "2026-11-09", right_percent: 90 };
  expect(weeksOf({ weeks: [week] })).toEqual([week]);
  expect(weeksOf({ worker: "ada" })).toEqual([]);
});

test.each([
  ["2026-11-09", "en", "Nov 9 – 15, 2026"],
  ["2026-11-09", "de", "9.–15. Nov. 2026"],
  ["2026-12-28", "en", "Dec 28, 2026 – Jan 3, 2027"],
])("the week of %s in %s is %s", (begins, language, words) => {
  expect(weekOf(begins, language).replace(/\s/g, " ")).toBe(words);
});
