import { fireEvent, render } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { layOut, photograph } from "../picture/testing/layout";
import Surface from "./Surface.svelte";

const SIZE = { width: 400, height: 300 };

beforeEach(() => {
  layOut({ width: 800, height: 600 });
  photograph(() => ({ ...SIZE, there: true }));
  Element.prototype.setPointerCapture = () => undefined;
  vi.stubGlobal("createImageBitmap", () => new Promise(() => undefined));
});

async function show(): Promise<SVGElement> {
  const { container } = render(Surface, {
    image: { id: "1", url: "photo.jpg", ...SIZE },
    boxes: [],
    box: null,
    marks: [],
    method: "drag",
    minimumSide: 5,
    onbox: () => undefined,
    onmarks: () => undefined,
  });
  await new Promise((done) => setTimeout(done));
  return container.querySelector("svg[data-phase=ready]") as SVGElement;
}

/** Returns whether what the browser itself does at this press is left to it. */
async function left(surface: SVGElement, kind: string, pointerType = ""): Promise<boolean> {
  const options = { bubbles: true, cancelable: true, button: 0, clientX: 100, clientY: 100 };
  const event = kind === "mousedown" ? new MouseEvent(kind, options) : undefined;
  return await fireEvent(surface, event ?? new PointerEvent(kind, { ...options, pointerType, pointerId: 2 }));
}

test("a press selects and scrolls nothing, and WebKitGTK goes on to tell of a pen", async () => {
  const surface = await show();
  expect(await left(surface, "pointerdown", "mouse")).toBe(false);
  expect(await left(surface, "pointerdown", "pen")).toBe(true);
  expect(await left(surface, "mousedown")).toBe(false);
});
