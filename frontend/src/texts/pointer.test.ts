import { afterEach, expect, test, vi } from "vitest";
import { pointing, type Pointing } from "./pointer";

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each<[string[], Pointing]>([
  [["fine"], "click"],
  [["coarse"], "tap"],
  [["fine", "coarse"], "both"],
  [[], "click"],
])("with pointers that are %j, people %s", (there, expected) => {
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: there.some((kind) => query.includes(kind)) }));
  expect(pointing()).toBe(expected);
});
