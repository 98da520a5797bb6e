import { beforeEach, expect, test, vi } from "vitest";
import type { ImageInfo } from "../api/types";
import { decoded, isThere, noteRoom, preload, waits } from "./preload";

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

const photos = (...urls: (string | null)[]): ImageInfo[] =>
  urls.map((url) => ({ id: String(url), url, width: 400, height: 300 }));

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

test("the next photograph is decoded, and only then the others are fetched", async () => {
  let done = (): void => undefined;
  HTMLImageElement.prototype.decode = function (this: HTMLImageElement) {
    decodedSources.push(this.getAttribute("src") ?? "");
    return new Promise((come) => (done = come));
  };
  preload(photos("a.jpg", null, "b.jpg", "c.jpg"));
  await settled();
  expect(made).toEqual(["a.jpg"]);
  done();
  await settled();
  expect(made).toEqual(["a.jpg", "b.jpg", "c.jpg"]);
  expect(decodedSources).toEqual(["a.jpg"]);
});

test("each is asked for once", async () => {
  preload(photos("d.jpg", "e.jpg", "d.jpg"));
  await settled();
  preload(photos("e.jpg"));
  await settled();
  expect(made).toEqual(["d.jpg", "e.jpg"]);
  expect(decodedSources).toEqual(["d.jpg", "e.jpg"]);
});

test("a page's worth is kept: the oldest is asked for again", async () => {
  const urls = Array.from({ length: 14 }, (_, n) => `${n}.jpg`);
  preload(photos(...urls));
  await settled();
  expect(made).toEqual(urls.slice(0, 12));
  preload(photos("12.jpg", "13.jpg"));
  await settled();
  made.length = 0;
  preload(photos("11.jpg", "0.jpg"));
  await settled();
  expect(made).toEqual(["0.jpg"]);
});

test("one that could not be loaded is tried again", async () => {
  fails = true;
  preload(photos("gone.jpg"));
  await settled();
  preload(photos("gone.jpg"));
  await settled();
  expect(made).toEqual(["gone.jpg", "gone.jpg"]);
});

test("nothing ahead is nothing to do", () => {
  preload(photos());
  preload(photos(null));
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

test("the copy is fetched that will be sharp enough in the room that there is", async () => {
  const copies = [640, 1280].map((width) => ({ width, url: `copy-${width}` }));
  const photo = { id: "1", url: "whole", width: 4000, height: 3000, renditions: copies };
  noteRoom(390, 500);
  preload([photo]);
  await settled();
  noteRoom(1400, 900);
  preload([photo]);
  await settled();
  noteRoom(390, 500);
  await settled();
  expect(made).toEqual(["copy-640", "copy-1280"]);
});

test("nothing is fetched ahead while somebody waits for a photograph", async () => {
  let come = (): void => undefined;
  waits(new Promise((done) => (come = done)));
  preload(photos("early.jpg"));
  const cancel = preload(photos("cancelled.jpg"));
  await settled();
  expect(made).toEqual([]);
  cancel();
  come();
  await settled();
  expect(made).toEqual(["early.jpg"]);
});

test("one that was fetched ahead is known to be there", async () => {
  preload(photos("there.jpg"));
  await settled();
  vi.spyOn(HTMLImageElement.prototype, "complete", "get").mockReturnValue(true);
  expect([isThere("there.jpg"), isThere("elsewhere.jpg")]).toEqual([true, false]);
});
