import { beforeEach, expect, test, vi } from "vitest";
import { decoded, preload } from "./preload";

const asked: string[] = [];
let fails = false;

beforeEach(() => {
  asked.length = 0;
  fails = false;
  HTMLImageElement.prototype.decode = function (this: HTMLImageElement) {
    asked.push(this.getAttribute("src") ?? "");
    return fails ? Promise.reject(new DOMException("gone")) : Promise.resolve();
  };
});

test("each photograph is asked for once, one without a link never", () => {
  preload(["a.jpg", null, "b.jpg", "a.jpg"]);
  preload(["b.jpg"]);
  expect(asked).toEqual(["a.jpg", "b.jpg"]);
});

test("only a few are kept: the oldest is asked for again", () => {
  preload(["1.jpg", "2.jpg", "3.jpg", "4.jpg"]);
  preload(["4.jpg", "1.jpg"]);
  expect(asked).toEqual(["1.jpg", "2.jpg", "3.jpg", "4.jpg", "1.jpg"]);
});

test("one that could not be loaded is tried again", async () => {
  fails = true;
  preload(["gone.jpg"]);
  await new Promise((done) => setTimeout(done));
  preload(["gone.jpg"]);
  expect(asked).toEqual(["gone.jpg", "gone.jpg"]);
});

test("what a browser refuses to decode is there all the same when it has a size", async () => {
  fails = true;
  const image = new Image();
  vi.spyOn(image, "complete", "get").mockReturnValue(true);
  vi.spyOn(image, "naturalWidth", "get").mockReturnValue(10);
  expect(await decoded(image)).toBe(true);
  vi.spyOn(image, "naturalWidth", "get").mockReturnValue(0);
  expect(await decoded(image)).toBe(false);
});
