import { beforeEach, expect, test, vi } from "vitest";
import { decoded, preload } from "./preload";

const decodedSources: string[] = [];
const made: string[] = [];
let fails = false;

beforeEach(() => {
  decodedSources.length = made.length = 0;
  fails = false;
  HTMLImageElement.prototype.decode = function (this: HTMLImageElement) {
    decodedSources.push(this.getAttribute("src") ?? "");
    return fails ? Promise.reject(new DOMException("gone")) : Promise.resolve();
  };
  vi.spyOn(HTMLImageElement.prototype, "src", "set").mockImplementation(function (
    this: HTMLImageElement,
    url: string,
  ) {
    made.push(url);
    this.setAttribute("src", url);
  });
});

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

test("the next photograph is decoded, and only then the others are fetched", async () => {
  preload(["a.jpg", null, "b.jpg", "c.jpg"]);
  expect(made).toEqual(["a.jpg"]);
  await settled();
  expect(made).toEqual(["a.jpg", "b.jpg", "c.jpg"]);
  expect(decodedSources).toEqual(["a.jpg"]);
});

test("each is asked for once", async () => {
  preload(["d.jpg", "e.jpg", "d.jpg"]);
  await settled();
  preload(["e.jpg"]);
  await settled();
  expect(made).toEqual(["d.jpg", "e.jpg"]);
  expect(decodedSources).toEqual(["d.jpg", "e.jpg"]);
});

test("a page's worth is kept: the oldest is asked for again", async () => {
  const urls = Array.from({ length: 14 }, (_, n) => `${n}.jpg`);
  preload(urls);
  await settled();
  expect(made).toEqual(urls.slice(0, 12));
  preload(["12.jpg", "13.jpg"]);
  await settled();
  made.length = 0;
  preload(["11.jpg", "0.jpg"]);
  await settled();
  expect(made).toEqual(["0.jpg"]);
});

test("one that could not be loaded is tried again", async () => {
  fails = true;
  preload(["gone.jpg"]);
  await settled();
  preload(["gone.jpg"]);
  expect(made).toEqual(["gone.jpg", "gone.jpg"]);
});

test("nothing ahead is nothing to do", () => {
  preload([]);
  preload([null]);
  expect(made).toEqual([]);
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
