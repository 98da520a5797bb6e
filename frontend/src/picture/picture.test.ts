import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import type { ImageInfo } from "../api/types";
import { speak } from "../texts/index.svelte";
import Picture from "./Picture.svelte";
import { layOut, photograph } from "./testing/layout";

const PHOTO: ImageInfo = { id: "1", url: "photo.jpg", width: 4000, height: 3000 };

/** The photograph as the browser has it. If `there` is false, it cannot be loaded. */
let stored = { width: 4000, height: 3000, there: true };

beforeEach(async () => {
  await speak("en");
  stored = { width: 4000, height: 3000, there: true };
  layOut({ width: 1024, height: 624 });
  photograph(() => stored);
});

const lies = (): string => screen.getByRole("img").style.transform;
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

test("a fresh link to the same photograph keeps what was zoomed to, another photograph is shown whole", async () => {
  const view = render(Picture, { image: PHOTO, label: "Photo" });
  await settled();
  const whole = lies();
  await fireEvent.keyDown(document.body, { key: "+" });
  const close = lies();
  expect(close).not.toBe(whole);
  await view.rerender({ image: { ...PHOTO, url: "photo.jpg?fresh" } });
  expect(lies()).toBe(close);
  await view.rerender({ image: { ...PHOTO, id: "2" } });
  await settled();
  expect(lies()).toBe(whole);
});

test("an item made anew, as by every point of a box, does not load its photograph again", async () => {
  const { container, rerender } = render(Picture, { image: PHOTO, label: "Photo" });
  await settled();
  const phases: unknown[] = [];
  const surface = container.querySelector("svg[data-phase]") as SVGElement;
  new MutationObserver(() => phases.push(surface.dataset.phase)).observe(surface, { attributes: true });
  await rerender({ image: { ...PHOTO } });
  await settled();
  expect(phases).toEqual([]);
  expect(surface.dataset.phase).toBe("ready");
});

test.each(["f", "F"])("%s shows all of it again, also with Caps Lock", async (key) => {
  render(Picture, { image: PHOTO, label: "Photo" });
  await settled();
  const whole = lies();
  await fireEvent.keyDown(document.body, { key: "+" });
  expect(lies()).not.toBe(whole);
  await fireEvent.keyDown(document.body, { key });
  expect(lies()).toBe(whole);
});

test("boxes are numbered, the new one is not", async () => {
  const { container } = render(Picture, {
    image: PHOTO,
    boxes: [
      [1, 2, 30, 40],
      [5, 6, 70, 80],
    ],
    box: [9, 9, 20, 20],
  });
  await settled();
  expect([...container.querySelectorAll("svg text")].map((node) => node.textContent)).toEqual(["1", "2"]);
  expect(container.querySelectorAll(".box-new .casing").length).toBe(1);
});

test("while h is held, or once the button is pressed, boxes and numbers are hidden", async () => {
  const { container } = render(Picture, { image: PHOTO, boxes: [[1, 2, 30, 40]], box: [9, 9, 20, 20] });
  await settled();
  const seen = (): number => container.querySelectorAll("svg rect, svg text").length;
  const all = seen();
  expect(all).toBeGreaterThan(0);
  await fireEvent.keyDown(document.body, { key: "h" });
  await fireEvent.keyDown(document.body, { key: "h", repeat: true });
  expect(seen()).toBe(0);
  await fireEvent.keyUp(document.body, { key: "h" });
  expect(seen()).toBe(all);
  const button = screen.getByRole("button", { name: "Hide the boxes" });
  await fireEvent.click(button);
  expect([seen(), button.getAttribute("aria-pressed")]).toEqual([0, "true"]);
  await fireEvent.click(button);
  expect(seen()).toBe(all);
});

test("without boxes there is nothing to hide", async () => {
  render(Picture, { image: PHOTO });
  await settled();
  expect(screen.getByRole("button", { name: "Hide the boxes" }).hasAttribute("disabled")).toBe(true);
});

test.each<[string, Partial<typeof stored>, Partial<ImageInfo>, RegExp]>([
  ["that cannot be loaded", { there: false, width: 0 }, {}, /cannot be loaded/],
  ["of another shape", { width: 3000, height: 4000 }, {}, /right shape/],
  ["with a strip cut off", { width: 3970 }, {}, /right shape/],
  ["without a link", {}, { url: null }, /missing/],
])("a photograph %s says so, and shows no box", async (_name, how, info, words) => {
  stored = { ...stored, ...how };
  const { container } = render(Picture, { image: { ...PHOTO, ...info }, boxes: [[1, 2, 30, 40]] });
  await settled();
  expect(screen.getByRole("alert").textContent).toMatch(words);
  expect(container.querySelector("rect")).toBeNull();
});

test("a size that is not quite the server's is taken: half the photograph, rounded", async () => {
  stored = { ...stored, width: 1999, height: 1500 };
  const { container } = render(Picture, { image: PHOTO, boxes: [[1, 2, 30, 40]] });
  await settled();
  expect(container.querySelector("rect")).not.toBeNull();
});

test("trying again asks for a fresh link", async () => {
  stored = { ...stored, there: false, width: 0 };
  const onbroken = vi.fn();
  render(Picture, { image: PHOTO, onbroken });
  await settled();
  onbroken.mockClear();
  stored = { ...stored, there: true, width: 4000 };
  await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await settled();
  expect(onbroken).toHaveBeenCalledOnce();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a link that ran out is asked for again by itself, once until the photograph was seen", async () => {
  stored = { ...stored, there: false, width: 0 };
  const onbroken = vi.fn();
  const view = render(Picture, { image: PHOTO, onbroken });
  await settled();
  expect(onbroken).toHaveBeenCalledOnce();
  for (const url of ["photo.jpg?second", "photo.jpg?third"]) {
    await view.rerender({ image: { ...PHOTO, url } });
    await settled();
  }
  expect(onbroken).toHaveBeenCalledOnce();
  stored = { ...stored, there: true, width: 4000 };
  await view.rerender({ image: { ...PHOTO, url: "photo.jpg?fresh" } });
  await settled();
  expect(screen.queryByRole("alert")).toBeNull();
  stored = { ...stored, there: false, width: 0 };
  await view.rerender({ image: { ...PHOTO, url: "photo.jpg?fourth" } });
  await settled();
  expect(onbroken).toHaveBeenCalledTimes(2);
});

/** A photograph with copies. The surface is 1024 x 624, so that it lies over 800 pixels. */
const COPIED: ImageInfo = {
  ...PHOTO,
  renditions: [640, 1280, 2560].map((width) => ({ width, url: `copy-${width}` })),
};
const files = (): string[] =>
  [...document.querySelectorAll("img")]
    .filter((image) => image.style.visibility !== "hidden")
    .map((image) => image.getAttribute("src") ?? "");
const later = (ms = 400): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Boxes as they lie on the screen, and the photograph's rectangle. */
const drawn = (container: Element): unknown => [
  lies(),
  [...document.querySelectorAll("img")].map((image) => [image.getAttribute("width"), image.height]),
  container.querySelector(".box-new .outline:not(.casing)")?.getAttributeNames(),
  ["x", "y", "width", "height"].map((name) =>
    container.querySelector(".box-new .outline:not(.casing)")?.getAttribute(name),
  ),
];

test("a copy is shown, and the photograph once somebody has zoomed in", async () => {
  stored = { ...stored, width: 640, height: 480 };
  const { container } = render(Picture, { image: COPIED, label: "Photo", box: [9, 9, 2000, 1500] });
  await settled();
  await later(20);
  expect(files()).toEqual(["copy-640"]);
  for (let times = 0; times < 6; times += 1) await fireEvent.keyDown(document.body, { key: "+" });
  stored = { ...stored, width: 4000, height: 3000 };
  const before = drawn(container);
  await later();
  expect(files()).toEqual(["photo.jpg"]);
  expect(drawn(container)).toEqual(before);
});

test("if the next item is about the same photograph, it stays as it was, and nothing is loaded", async () => {
  const first = render(Picture, { image: PHOTO, label: "Photo" });
  await settled();
  await fireEvent.keyDown(document.body, { key: "+" });
  await later();
  const before = lies();
  first.unmount();
  render(Picture, { image: PHOTO, label: "Photo" });
  expect(files()).toEqual(["photo.jpg"]);
  expect(screen.queryByRole("progressbar")).toBeNull();
  expect(lies()).toEqual(before);
});

test.each([
  ["another photograph", { ...PHOTO, id: "another" }, null],
  ["a new box that is out of sight", PHOTO, [1, 1, 9, 9] as [number, number, number, number]],
])("%s is shown whole", async (_what, image, box) => {
  const fresh = render(Picture, { image, label: "Photo", box });
  await settled();
  const whole = lies();
  fresh.unmount();
  await settled();
  const first = render(Picture, { image: PHOTO, label: "Photo" });
  await settled();
  for (let times = 0; times < 4; times += 1) await fireEvent.keyDown(document.body, { key: "+" });
  expect(lies()).not.toEqual(whole);
  first.unmount();
  render(Picture, { image, label: "Photo", box });
  await settled();
  expect(lies()).toEqual(whole);
});

test("a box lies over a copy as it lies over the photograph", async () => {
  const box: [number, number, number, number] = [1001, 777, 2003, 1499];
  const whole = render(Picture, { image: PHOTO, label: "Photo", box });
  await settled();
  const expected = drawn(whole.container);
  whole.unmount();
  await settled();
  stored = { ...stored, width: 640, height: 480 };
  const { container } = render(Picture, { image: COPIED, label: "Photo", box });
  await settled();
  await later(20);
  expect(files()).toEqual(["copy-640"]);
  expect(drawn(container)).toEqual(expected);
});

test("if a copy cannot be had, the photograph is shown, and its link is not called broken", async () => {
  const onbroken = vi.fn();
  HTMLImageElement.prototype.decode = function (this: HTMLImageElement) {
    return this.getAttribute("src") === "photo.jpg" ? Promise.resolve() : Promise.reject(new DOMException());
  };
  vi.spyOn(HTMLImageElement.prototype, "complete", "get").mockReturnValue(false);
  render(Picture, { image: COPIED, onbroken });
  await settled();
  await later(20);
  expect(files()).toEqual(["photo.jpg"]);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(onbroken).not.toHaveBeenCalled();
});

test("if the photograph cannot be had, what is seen stays, and it is not asked for again", async () => {
  stored = { ...stored, width: 640, height: 480 };
  const { container } = render(Picture, { image: COPIED });
  await settled();
  await later(20);
  let asked = 0;
  HTMLImageElement.prototype.decode = () => {
    asked += 1;
    return Promise.reject(new DOMException("gone"));
  };
  stored = { ...stored, there: false, width: 0 };
  for (let times = 0; times < 6; times += 1) await fireEvent.keyDown(document.body, { key: "+" });
  await later();
  await later();
  expect(asked).toBe(1);
  expect(files()).toEqual(["copy-640"]);
  expect(container.querySelector("svg[data-phase=ready]")).not.toBeNull();
});

test("while a photograph is fetched, a bar says so", async () => {
  HTMLImageElement.prototype.decode = () => new Promise(() => undefined);
  render(Picture, { image: PHOTO });
  await settled();
  expect(screen.getByRole("progressbar", { name: "The photograph is on its way." })).toBeTruthy();
});
