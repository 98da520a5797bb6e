import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Edges } from "../api/types";
import { useSingleKeys } from "../parts/shortcuts.svelte";
import Surface from "./Surface.svelte";
import { layOut } from "../picture/testing/layout";

/** jsdom has no layout and decodes no images, so only the keys, the bar and the numbers can be tested here. */
beforeEach(() => {
  layOut();
  useSingleKeys(true);
  document.body.replaceChildren();
});

const BOX: Edges = [100, 100, 200, 150];

function show(box: Edges | null = BOX, within: HTMLElement = document.body): () => Edges | null {
  let now = box;
  let marks: [number, number][] = [];
  const props = {
    image: { id: "1", url: "photo.jpg", width: 400, height: 300 },
    boxes: [],
    box,
    marks,
    method: "drag" as const,
    minimumSide: 5,
    onbox: (made: Edges | null) => {
      now = made;
      void view.rerender({ box: made });
    },
    onmarks: (made: [number, number][]) => {
      marks = made;
      void view.rerender({ marks });
    },
  };
  const view = render(Surface, { target: within, props });
  return () => now;
}

test("a box that was put into the middle is not looked at until it is changed, or once that was said", async () => {
  const at = {
    image: { id: "1", url: "photo.jpg", width: 400, height: 300 },
    boxes: [],
    box: BOX,
    marks: [],
  };
  const { component } = render(Surface, {
    props: {
      ...at,
      method: "drag",
      minimumSide: 5,
      onbox: (made) => (last = made),
      onmarks: () => undefined,
    },
  });
  let last: Edges | null = null;
  await fireEvent.click(screen.getByRole("button", { name: "New box" }));
  const made = last as Edges | null;
  expect(made).not.toBeNull();
  expect(component.unseen([BOX, made])).toBe(1);
  expect(component.unseen([BOX, made])).toBe(-1);
  await fireEvent.click(screen.getAllByRole("button", { name: "Hide the boxes" })[0] as HTMLElement);
  expect([component.unseen([BOX]), component.unseen([BOX])]).toEqual([1, -1]);
});

const press = (
  key: string,
  more: KeyboardEventInit = {},
  target: Element = document.body,
): Promise<boolean> => fireEvent.keyDown(target, { key, ...more });

test("arrows move the box wherever the focus is, and are held", async () => {
  const box = show();
  await press("ArrowRight");
  await press("ArrowRight", { repeat: true });
  await press("ArrowUp", { altKey: true }, screen.getByRole("button", { name: "New box" }));
  expect(box()).toEqual([102, 100, 202, 149]);
});

test.each(["textarea", "input"])("in a %s arrows and Ctrl+Z are for what is typed", async (tag) => {
  const box = show();
  await press("ArrowRight");
  const field = document.body.appendChild(document.createElement(tag));
  await press("ArrowRight", {}, field);
  expect(await press("z", { ctrlKey: true }, field)).toBe(true);
  expect(box()).toEqual([101, 100, 201, 150]);
});

test("Ctrl+Z undoes on a button, and where single keys are turned off", async () => {
  const box = show();
  await press("ArrowRight");
  useSingleKeys(false);
  await press("z");
  expect(box()).toEqual([101, 100, 201, 150]);
  await press("z", { ctrlKey: true }, screen.getByRole("button", { name: "Undo" }));
  expect(box()).toEqual(BOX);
});

test("while a dialog is open no key changes the box", async () => {
  const box = show();
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.setAttribute("open", "");
  await press("Delete");
  await press("z", { ctrlKey: true });
  expect(box()).toEqual(BOX);
});

test("the bar's buttons say when there is nothing to do", () => {
  const box = show(null);
  for (const name of ["Undo", "Redo", "Remove the box"]) {
    expect(screen.getByRole<HTMLButtonElement>("button", { name }).disabled).toBe(true);
  }
  expect(box()).toBeNull();
});

test("the bar's buttons do what the keys do", async () => {
  const box = show();
  await fireEvent.click(screen.getByRole("button", { name: "Remove the box" }));
  expect(box()).toBeNull();
  await fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(box()).toEqual(BOX);
  await fireEvent.click(screen.getByRole("button", { name: "Redo" }));
  expect(box()).toBeNull();
});

test("an edge is set as a number, and what makes no box is refused and said", async () => {
  const box = show();
  const left = await screen.findByRole<HTMLInputElement>("spinbutton", { name: "Left", hidden: true });
  await fireEvent.change(left, { target: { value: "150" } });
  expect(box()).toEqual([150, 100, 200, 150]);
  await fireEvent.change(left, { target: { value: "199" } });
  expect(box()).toEqual([150, 100, 200, 150]);
  expect(left.value).toBe("150");
  expect(screen.getByText(/too small: each side needs 5 pixels/).getAttribute("role")).toBe("alert");
});

test("while a pointer makes a box no key is heard by anybody, and Escape gives it up", async () => {
  vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(400);
  vi.spyOn(HTMLImageElement.prototype, "naturalHeight", "get").mockReturnValue(300);
  HTMLImageElement.prototype.decode = () => Promise.resolve();
  vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("none here")));
  SVGElement.prototype.setPointerCapture = () => undefined;
  const box = show();
  await vi.waitFor(() => document.querySelector("svg[data-phase=ready]") ?? Promise.reject(new Error()));
  const surface = document.querySelector("svg[data-phase=ready]") as SVGElement;
  const heard: string[] = [];
  const listen = (event: KeyboardEvent): unknown => heard.push(event.key);
  window.addEventListener("keydown", listen);

  await fireEvent.pointerDown(surface, { pointerId: 1, clientX: 10, clientY: 10 });
  await fireEvent.pointerMove(surface, { pointerId: 1, clientX: 60, clientY: 60 });
  for (const key of ["Enter", "0", "m", "Backspace", "k", "ArrowLeft", "Delete", "?"]) await press(key);
  expect(heard).toEqual([]);
  expect(box()).toEqual(BOX);
  await press("Escape");
  await fireEvent.pointerUp(surface, { pointerId: 1, clientX: 60, clientY: 60 });
  expect(box()).toEqual(BOX);
  await press("Enter");
  expect(heard).toEqual(["Enter"]);
  window.removeEventListener("keydown", listen);
});

describe("on a photograph that is there", () => {
  let surface: SVGElement;
  let box: () => Edges | null;

  beforeEach(async () => {
    vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(400);
    vi.spyOn(HTMLImageElement.prototype, "naturalHeight", "get").mockReturnValue(300);
    HTMLImageElement.prototype.decode = () => Promise.resolve();
    vi.stubGlobal("createImageBitmap", () => Promise.reject(new DOMException("none here")));
    SVGElement.prototype.setPointerCapture = () => undefined;
    layOut({ width: 824, height: 624 });
    box = show(null);
    await vi.waitFor(() => document.querySelector("svg[data-phase=ready]") ?? Promise.reject(new Error()));
    surface = document.querySelector("svg[data-phase=ready]") as SVGElement;
  });

  /** Sends an event of a pointer, so many milliseconds after the page was opened. */
  function pointer(type: string, kind: "pen" | "touch" | "mouse", at: number, x: number, more = {}): void {
    const event = new MouseEvent(type, { bubbles: true, clientX: x, clientY: x, ...more });
    const id = { pen: 1, touch: 2, mouse: 3 }[kind];
    Object.defineProperties(event, {
      pointerId: { value: id },
      pointerType: { value: kind },
      timeStamp: { value: at },
    });
    surface.dispatchEvent(event);
  }

  test("a hand beside the pen draws nothing, and moves nothing", () => {
    pointer("pointermove", "pen", 1000, 100);
    pointer("pointerdown", "touch", 1100, 400);
    pointer("pointerdown", "pen", 1200, 100);
    pointer("pointermove", "touch", 1210, 500);
    pointer("pointermove", "pen", 1250, 300);
    pointer("pointerup", "pen", 1300, 300);
    pointer("pointerup", "touch", 1310, 500);
    expect(box()).toEqual([44, 44, 144, 144]);
  });

  test("a hand that comes down before the pen gives way to it", () => {
    pointer("pointerdown", "touch", 1000, 400);
    pointer("pointerdown", "pen", 1050, 100);
    pointer("pointermove", "touch", 1060, 420);
    pointer("pointermove", "pen", 1080, 300);
    pointer("pointerup", "pen", 1090, 300);
    expect(box()).toEqual([44, 44, 144, 144]);
  });

  test("some time after the pen, a finger draws again", () => {
    pointer("pointermove", "pen", 1000, 100);
    pointer("pointerdown", "touch", 1600, 100);
    pointer("pointermove", "touch", 1650, 300);
    pointer("pointerup", "touch", 1660, 300);
    expect(box()).toEqual([44, 44, 144, 144]);
  });

  test("a press with Ctrl, which opens a menu on a Mac, begins nothing", () => {
    pointer("pointerdown", "mouse", 1000, 100, { ctrlKey: true });
    pointer("pointermove", "mouse", 1100, 300);
    pointer("pointerup", "mouse", 1200, 300);
    expect(box()).toBe(null);
  });

  test("a press whose end is lost is given up, and the next one draws", () => {
    pointer("pointerdown", "mouse", 1000, 100);
    pointer("pointermove", "mouse", 1100, 200);
    pointer("lostpointercapture", "mouse", 1150, 200);
    pointer("pointermove", "mouse", 1200, 300);
    expect(box()).toBe(null);
    pointer("pointerdown", "mouse", 1300, 100);
    pointer("pointermove", "mouse", 1400, 300);
    pointer("pointerup", "mouse", 1500, 300);
    pointer("lostpointercapture", "mouse", 1500, 300);
    expect(box()).toEqual([44, 44, 144, 144]);
  });
});

test("without a box, arrows and Enter set two corners, and it is said where the crosshair is", async () => {
  layOut({ width: 824, height: 624 });
  document.body.append(Object.assign(document.createElement("section"), { tabIndex: -1 }));
  const section = document.querySelector("section") as HTMLElement;
  const box = show(null, section);
  await new Promise((done) => setTimeout(done));
  const heard: string[] = [];
  const listen = (event: KeyboardEvent): unknown => heard.push(event.key);
  window.addEventListener("keydown", listen);

  await press("Enter");
  expect(heard).toEqual(["Enter"]);
  // A photograph of 400 × 300 is shown twice as large, and the crosshair begins in its middle.
  await press("ArrowLeft");
  await press("ArrowUp");
  await vi.waitFor(
    () => {
      expect(screen.getByText(/^Crosshair 192 from the left, 142 from the top, of 400 by 300/)).toBeTruthy();
    },
    { timeout: 15_000 },
  );
  await press("Enter");
  await press("ArrowRight");
  await press("ArrowRight", { repeat: true });
  await press("ArrowDown");
  await press("ArrowDown", { shiftKey: true });
  await new Promise((done) => setTimeout(done));
  expect(box()).toBeNull();
  await press("Enter");
  expect(box()).toEqual([192, 142, 208, 151]);
  expect(heard.filter((key) => key === "Enter")).toHaveLength(1);
  await press("ArrowRight");
  expect(box()).toEqual([193, 142, 209, 151]);
  await press("Enter");
  expect(heard.filter((key) => key === "Enter")).toHaveLength(2);
  window.removeEventListener("keydown", listen);
});

test("where the page round it scrolls, arrows are the page's", async () => {
  layOut({ width: 824, height: 624 });
  show(null);
  await new Promise((done) => setTimeout(done));
  expect(await press("ArrowDown")).toBe(true);
});
