import { fireEvent, render, screen } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import type { Method } from "../api/types";
import { answered } from "../work/draft";
import { prefer } from "./method.svelte";
import { readRest, speak } from "../texts/index.svelte";
import { clock, firstQuestion, given, press, show, type Shown, told } from "./testing/show";
import Unusable from "./Unusable.svelte";

vi.mock("../surface/Surface.svelte", () => import("./testing/FakeSurface.svelte"));

let pass: (ms: number) => void;
beforeEach(() => {
  pass = clock();
  prefer("extreme");
});

const confirm = (): HTMLButtonElement => screen.getByRole("button", { name: /Confirm this box/ });
const none = (): HTMLElement => screen.getByRole("button", { name: /No (further )?box is needed/ });
const withMethod = (method: Method, entry = {}): Shown =>
  show("drawing", entry, firstQuestion("drawing"), { method, minimum_side: 7 });

test("the surface gets the entry, the boxes and the batch's rules", () => {
  const boxes: [number, number, number, number][] = [[1, 2, 30, 40]];
  show(
    "drawing",
    { answer: { box: [10, 20, 30, 40] }, marks: [[3, 4]] },
    { ...firstQuestion("drawing"), boxes },
    { method: "drag", minimum_side: 7 },
  );
  expect(given()).toEqual({ box: [10, 20, 30, 40], boxes, marks: [[3, 4]], method: "drag", minimumSide: 7 });
});

test("a box is the answer as soon as it is drawn, and Enter goes on", async () => {
  const shown = show("drawing");
  pass(1000);
  await press("Enter");
  expect(shown.onnext).not.toHaveBeenCalled();
  await fireEvent.click(screen.getByText("draw"));
  expect(shown.entry().answer).toEqual({ box: [10, 20, 110, 70], scale: 0.1235 });
  expect(shown.onnext).not.toHaveBeenCalled();
  await press("Enter");
  expect(shown.onnext).toHaveBeenCalledOnce();
});

test("a box counts as answered once it is confirmed, and stays so when it is changed", async () => {
  const shown = show("drawing");
  await fireEvent.click(screen.getByText("draw"));
  expect(answered(shown.entry())).toBe(false);
  await fireEvent.click(confirm(), { detail: 1 });
  expect(answered(shown.entry())).toBe(true);
  await fireEvent.click(screen.getByText("by key"));
  expect(answered(shown.entry())).toBe(true);
  await fireEvent.click(screen.getByText("delete"));
  await fireEvent.click(screen.getByText("draw"));
  expect(answered(shown.entry())).toBe(false);
  await fireEvent.click(none(), { detail: 1 });
  expect([answered(shown.entry()), shown.entry().answer]).toEqual([true, { box: null }]);
});

test.each([{ box: null }, { unusable: true }] as const)(
  "undo brings back %j, over which a box was drawn",
  async (answer) => {
    const shown = show("drawing", { answer });
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().answer).toMatchObject({ box: [10, 20, 110, 70] });
    await fireEvent.click(screen.getByText("undo"));
    expect([shown.entry().answer, answered(shown.entry())]).toEqual([answer, true]);
  },
);

test("a photograph that is unusable after all is an answer in place of the box", async () => {
  const shown = show("drawing");
  pass(1000);
  await fireEvent.click(screen.getByText("draw"));
  await press("u");
  await screen.findByText("Is the photograph unusable?");
  pass(1000);
  expect(shown.entry().answer).toMatchObject({ box: [10, 20, 110, 70] });
  await press("u");
  expect([answered(shown.entry()), shown.entry().answer]).toEqual([true, { unusable: true }]);
});

const unusable = (): HTMLElement => screen.getByRole("button", { name: /Photograph unusable/ });

const yes = (): HTMLElement => screen.getByRole("button", { name: /Yes, unusable/ });
const asked = async (): Promise<void> => void (await screen.findByText("Is the photograph unusable?"));

test("the photograph is unusable once this is confirmed, after it was said what that means", async () => {
  const shown = show("drawing");
  expect(unusable().classList.contains("quiet")).toBe(false);
  expect(screen.queryByText(/Somebody else is asked/)).toBeNull();
  await fireEvent.click(unusable(), { detail: 1 });
  await asked();
  expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 0]);
  expect(screen.getByText(/Somebody else is asked/)).toBeTruthy();
  expect([document.activeElement, yes().classList.contains("primary")]).toEqual([yes(), false]);
  await fireEvent.click(yes(), { detail: 1 }); // a second tap that was meant for the first button
  await press("u");
  pass(1000);
  await fireEvent.click(yes(), { detail: 2 }); // the second click of a double click
  expect(shown.entry().answer).toBeNull();
  await fireEvent.click(yes(), { detail: 1 });
  expect(shown.entry().answer).toEqual({ unusable: true });
  expect(shown.onnext).toHaveBeenCalledOnce();
});

test.each(["button", "Escape"])("whoever is asked can go back to the answers: %s", async (how) => {
  const shown = show("drawing");
  await press("u");
  pass(1000);
  await press("u");
  await asked();
  expect(screen.queryByRole("button", { name: /Confirm/ })).toBeNull();
  if (how === "Escape") await press("Escape");
  else await fireEvent.click(screen.getByRole("button", { name: /Back/ }), { detail: 1 });
  expect(screen.queryByText("Is the photograph unusable?")).toBeNull();
  expect([confirm(), unusable()]).toHaveLength(2);
  expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 0]);
});

test.each([true, false])("pay is named only where the page is paid: %s", async (paid) => {
  await readRest();
  const shown = render(Unusable, {
    props: { said: false, failed: false, onsay: vi.fn(), onback: vi.fn() },
    context: new Map([["paid", () => paid]]),
  });
  expect(shown.container.textContent.includes("paid")).toBe(paid);
});

test("an unusable photograph that is shown again is the answer, and leads to the others", async () => {
  const shown = show("drawing", { answer: { unusable: true } });
  const other = await screen.findByRole("button", { name: /Another answer/ });
  expect(unusable().getAttribute("aria-pressed")).toBe("true");
  expect(screen.queryByText(/Somebody else is asked/)).toBeNull();
  await fireEvent.click(other, { detail: 1 });
  expect([confirm(), unusable().getAttribute("aria-pressed")]).toEqual([confirm(), "true"]);
  await fireEvent.click(unusable(), { detail: 1 });
  expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([{ unusable: true }, 1]);
});

test("whoever draws a box does not mean any more that the photograph is unusable", async () => {
  const shown = show("drawing");
  await fireEvent.click(unusable(), { detail: 1 });
  await asked();
  await fireEvent.click(screen.getByText("draw"));
  expect(screen.queryByText(/Somebody else is asked/)).toBeNull();
  await fireEvent.click(unusable(), { detail: 1 });
  expect(shown.entry().answer).toMatchObject({ box: [10, 20, 110, 70] });
});

test.each(["button", "Enter"])("who confirms without a box is told what is missing: %s", async (how) => {
  const shown = show("drawing", { marks: [[3, 4]] });
  pass(1000);
  if (how === "button") await fireEvent.click(confirm(), { detail: 1 });
  else await press("Enter");
  expect(told()).toContain("Click the next point: 1 of 4.");
  await speak("de");
  expect(told()).toContain("1 von 4");
  await speak("en");
  expect(shown.onnext).not.toHaveBeenCalled();
});

test.each(["middle", "hide"])(
  "a box that nobody looked at is confirmed at the second press: %s",
  async (how) => {
    const shown = show("drawing");
    await fireEvent.click(screen.getByText(how === "hide" ? "draw" : how));
    if (how === "hide") await fireEvent.click(screen.getByText(how));
    await fireEvent.click(confirm(), { detail: 1 });
    expect([answered(shown.entry()), shown.onnext.mock.calls.length]).toEqual([false, 0]);
    expect(told()).toContain("Move the edges until the box is tight");
    await fireEvent.click(confirm(), { detail: 1 });
    expect([answered(shown.entry()), shown.onnext.mock.calls.length]).toEqual([true, 1]);
  },
);

test("beside the photograph stands what to do next", async () => {
  show("drawing");
  expect(screen.getByText(/top, bottom, left and right ends of one thing: 0 of 4/)).toBeTruthy();
  await fireEvent.click(screen.getByText("mark"));
  expect(screen.getByText("Click the next point: 1 of 4.")).toBeTruthy();
  await fireEvent.click(screen.getByText("draw"));
  expect(screen.getByText(/Move the edges until the box is tight/)).toBeTruthy();
});

test("the answer says how its box was made, however it is changed later", async () => {
  const shown = show("drawing");
  await fireEvent.click(screen.getByText("draw"));
  expect(shown.entry().drawnBy).toBe("extreme");
  await fireEvent.click(screen.getByText("by key"));
  expect(shown.entry().drawnBy).toBe("extreme");
  await fireEvent.click(screen.getByText("delete"));
  await fireEvent.click(screen.getByText("by key"));
  expect(shown.entry().drawnBy).toBe("keys");
});

test("the confirm button waits for a box", async () => {
  const shown = show("drawing");
  expect(confirm().getAttribute("aria-disabled")).toBe("true");
  await fireEvent.click(screen.getByText("draw"));
  await fireEvent.click(confirm(), { detail: 1 });
  expect(shown.onnext).toHaveBeenCalledOnce();
});

test("a deleted box is no answer", async () => {
  const shown = show("drawing", { answer: { box: [1, 2, 30, 40] } });
  await fireEvent.click(screen.getByText("delete"));
  expect(shown.entry().answer).toBeNull();
  expect(confirm().getAttribute("aria-disabled")).toBe("true");
});

test.each(["0", "button"])("no further box, by %s, forgets the points and goes on", async (how) => {
  const shown = show("drawing", { marks: [[3, 4]] });
  pass(1000);
  if (how === "0") await press("0");
  else await fireEvent.click(none(), { detail: 1 });
  expect(shown.entry()).toMatchObject({ answer: { box: null }, marks: [] });
  expect(shown.onnext).toHaveBeenCalledOnce();
});

test("going back shows that no further box was needed", () => {
  show("drawing", { answer: { box: null } });
  expect(none().getAttribute("aria-pressed")).toBe("true");
});

test.each<[[number, number, number, number][], string]>([
  [[], "No box is needed"],
  [[[1, 2, 30, 40]], "No further box is needed"],
])("with the boxes %o, the answer that draws none is %s", (boxes, words) => {
  show("drawing", {}, { ...firstQuestion("drawing"), boxes });
  expect(none().textContent).toContain(words);
});

test("a drawn box takes the place of no further box", async () => {
  const shown = show("drawing", { answer: { box: null } });
  await fireEvent.click(screen.getByText("draw"));
  expect(shown.entry().answer).toEqual({ box: [10, 20, 110, 70], scale: 0.1235 });
  expect(none().getAttribute("aria-pressed")).toBe("false");
});

test("a point is kept, and counted in words", async () => {
  const shown = show("drawing");
  await fireEvent.click(screen.getByText("mark"));
  expect(shown.entry().marks).toEqual([[5, 6]]);
  expect(screen.getByText(/1 of 4/)).toBeTruthy();
});

test.each(["0", "Enter"])("%s does not answer an item that nobody can have read", async (key) => {
  const shown = show("drawing", { answer: { box: [1, 2, 30, 40] } });
  pass(100);
  await press(key);
  expect(shown.onnext).not.toHaveBeenCalled();
});

test("Enter on a button is that button's", async () => {
  const shown = show("drawing", { answer: { box: [1, 2, 30, 40] } });
  pass(1000);
  await press("Enter", none());
  expect(shown.onnext).not.toHaveBeenCalled();
});

test.each(["drag", "extreme"] as const)(
  "a batch with %s only has no switch, and m does nothing",
  async (method) => {
    withMethod(method);
    expect(screen.queryByRole("group", { name: "How to draw" })).toBeNull();
    await press("m");
    expect(given()["method"]).toBe(method);
  },
);

test("m and the buttons change how to draw, and half a box of points is dropped", async () => {
  const shown = withMethod("either", { marks: [[3, 4]] });
  expect(given()["method"]).toBe("extreme");
  await press("m");
  expect(given()["method"]).toBe("drag");
  expect(shown.entry().marks).toEqual([]);
  await fireEvent.click(screen.getByRole("button", { name: /^Four points/ }));
  expect(given()["method"]).toBe("extreme");
  expect(screen.getByRole("button", { name: /^Four points/ }).getAttribute("aria-pressed")).toBe("true");
});

test("the way to draw is kept for the next page", async () => {
  prefer("drag");
  vi.resetModules();
  const { wayOf } = await import("./method.svelte");
  expect(wayOf("either")).toBe("drag");
  expect(wayOf("extreme")).toBe("extreme");
});
