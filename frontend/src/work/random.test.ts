import { expect, test, vi } from "vitest";
import { randomId } from "./random";

test("a name has 128 bits, is another one each time, and needs no secure context", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const [one, other] = [randomId(), randomId()];
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(other).not.toBe(one);
  vi.unstubAllGlobals();
});
