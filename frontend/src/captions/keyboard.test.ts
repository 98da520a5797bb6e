import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stayAbove } from "./keyboard";

const root = document.documentElement;
const screen = (): string => root.style.getPropertyValue("--screen");
let viewport: VisualViewport;

/** What Safari says after a keyboard came or went, or fingers zoomed. */
function shows(height: number, scale = 1): void {
  Object.assign(viewport, { height, scale });
  viewport.dispatchEvent(new Event("resize"));
}

beforeEach(() => {
  viewport = new EventTarget() as VisualViewport;
  vi.stubGlobal("innerHeight", 640);
  vi.stubGlobal("scrollTo", vi.fn());
});
afterEach(() => vi.unstubAllGlobals());

test("the page is as high as what is shown above a keyboard, and as before without one", () => {
  const stop = stayAbove(viewport, root);
  expect(screen()).toBe("");
  shows(340);
  expect(screen()).toBe("340px");
  expect(scrollTo).toHaveBeenCalledWith(0, 0);
  shows(640);
  expect(screen()).toBe("");
  stop();
});

test("neither a bar of the browser nor a zoom is a keyboard", () => {
  const stop = stayAbove(viewport, root);
  shows(560);
  expect(screen()).toBe("");
  shows(320, 2);
  expect(screen()).toBe("");
  stop();
});

test("the next stage has the whole window again", () => {
  const stop = stayAbove(viewport, root);
  shows(340);
  stop();
  expect(screen()).toBe("");
  shows(340);
  expect(screen()).toBe("");
});

test("a browser without such a report is left alone", () => {
  stayAbove(null, root)();
  expect(screen()).toBe("");
});
