import { afterEach, expect, test } from "vitest";
import { cellAt, written } from "./cell-keys";

afterEach(() => {
  Reflect.deleteProperty(navigator, "keyboard");
});

test("a key is known by its place, and without one by what is written on it", () => {
  expect(cellAt({ code: "KeyQ", key: "a" })).toBe(4); // French keyboards
  expect(cellAt({ code: "Digit4", key: "'" })).toBe(3);
  expect(cellAt({ code: "", key: "v" })).toBe(15);
  expect(cellAt({ code: "KeyT", key: "t" })).toBeNull();
  expect(cellAt({ code: "", key: "Enter" })).toBeNull();
});

test("the cells show what is written on the keys, as far as it is known", async () => {
  expect((await written()).join("")).toBe("1234QWERASDFZXCV");
  const map = new Map([
    ["KeyQ", "a"],
    ["Digit1", "&"],
  ]);
  Object.assign(navigator, { keyboard: { getLayoutMap: () => Promise.resolve(map) } });
  expect((await written()).join("")).toBe("&234AWERASDFZXCV");
});
