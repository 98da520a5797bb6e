/** The view of the stage drawing where a model suggests boxes, with a stand-in for the photograph. */
import { fireEvent, screen, within } from "@testing-library/svelte";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Edges, Question } from "../api/types";
import { prefer } from "../stages/method.svelte";
import { clock, firstQuestion, given, press, show, type Shown, told } from "../stages/testing/show";
import { readRest, speak } from "../texts/index.svelte";

vi.mock("../surface/Surface.svelte", () => import("../stages/testing/FakeSurface.svelte"));

let pass: (ms: number) => void;
beforeAll(readRest);
beforeEach(() => {
  pass = clock();
  prefer("extreme");
});

const FIRST: Edges = [10, 20, 110, 70]; // as FakeSurface draws it
const SECOND: Edges = [250, 40, 330, 260];
const SUGGESTIONS = [
  [...FIRST, 0.9],
  [...SECOND, 0.6],
];
const OPEN = ["Suggestion 1, a man", "Suggestion 2, a man"];

function draw(entry = {}, more: Partial<Question> = {}): Shown {
  const captions = [{ index: 0, language: "en", segments: [{ text: "a man", mention: true }] }];
  const question = { ...firstQuestion("drawing"), boxes: [], captions, suggestions: SUGGESTIONS, ...more };
  const shown = show("drawing", entry, question);
  pass(1000);
  return shown;
}
const lines = (): HTMLElement[] =>
  within(screen.getByRole("list", { name: "Suggestions and boxes" })).getAllByRole("listitem");
const list = (): (string | undefined)[] =>
  lines().map((line) => /(Suggestion|Box) \d+(, [^:]*)?/.exec(line.textContent)?.[0]);
const pressed = (): (string | null)[] =>
  lines().map((line) => within(line).getAllByRole("button")[0]?.getAttribute("aria-pressed") ?? null);
const click = (name: RegExp | string): Promise<boolean> =>
  fireEvent.click(screen.getByRole("button", { name }), { detail: 1 });

test("nothing is accepted before somebody does it, and the answer says that they were shown", async () => {
  const shown = draw();
  expect(list()).toEqual(OPEN);
  expect(screen.getByText(/If none is right, draw your own box/)).toBeTruthy();
  await press("Enter");
  expect(shown.onnext).not.toHaveBeenCalled();
  expect(shown.entry()).toMatchObject({ answer: null, also: { suggestions_shown: true } });
});

test("a digit accepts one, which is the box, and the other one takes its place", async () => {
  const shown = draw();
  await press("2");
  expect(shown.entry()).toMatchObject({ answer: { box: SECOND, suggestion: 1 }, drawnBy: undefined });
  expect(given()["box"]).toEqual(SECOND);
  expect(told()).toContain("Suggestion 2 is accepted: ");
  expect([list(), pressed()]).toEqual([OPEN, [null, "true"]]);
  await press("1");
  expect(shown.entry().answer).toEqual({ box: FIRST, suggestion: 0 });
  expect(pressed()).toEqual(["true", null]);
  await press("Enter");
  expect(shown.onnext).toHaveBeenCalledOnce();
});

test("the same digit, or its button, takes it back", async () => {
  const shown = draw();
  for (const take of [() => press("1"), () => click(/^Suggestion 1, a man:/)]) {
    await press("1");
    expect(shown.entry().answer).not.toBeNull();
    await take();
    expect(shown.entry().answer).toBeNull();
    expect(told()).toContain("Suggestion 1 is not accepted any more.");
    expect(pressed()).toEqual([null, null]);
  }
});

test("a suggestion that is moved is still from the model, and a box drawn anew is not", async () => {
  const shown = draw();
  await press("1");
  await fireEvent.click(screen.getByText("by key"));
  expect(shown.entry()).toMatchObject({
    answer: { box: [11, 20, 111, 70], scale: 0.1235, suggestion: 0 },
    drawnBy: undefined,
  });
  await press("2");
  await fireEvent.click(screen.getByText("by key"));
  expect(shown.entry().answer).toMatchObject({ suggestion: 0 });
  await fireEvent.click(screen.getByText("delete"));
  expect(shown.entry().answer).toBeNull();
});

test("a box that is drawn is the worker's own, and a suggestion takes its place", async () => {
  const shown = draw({}, { suggestions: [[...SECOND, 0.6]] });
  await fireEvent.click(screen.getByText("draw"));
  expect(shown.entry()).toMatchObject({ answer: { box: FIRST, scale: 0.1235 }, drawnBy: "extreme" });
  expect("suggestion" in (shown.entry().answer ?? {})).toBe(false);
  await press("1");
  expect(shown.entry().drawnBy).toBeUndefined();
  await fireEvent.click(screen.getByText("draw"));
  expect(shown.entry()).toMatchObject({ answer: { box: FIRST }, drawnBy: "extreme" });
});

test("what is discarded is kept in the draft, and the answer goes with it", async () => {
  const shown = draw();
  await press("2");
  await click("Discard suggestion 2");
  expect(shown.entry()).toMatchObject({ answer: null, part: { hidden: [1] } });
  expect([list(), told()]).toEqual([OPEN.slice(0, 1), expect.stringContaining("Suggestion 2 is discarded.")]);
  await click("Show the discarded suggestion");
  expect(shown.entry().part).toBeUndefined();
  expect(list()).toEqual(OPEN);
});

test("a draft comes back as it was", () => {
  draw({ answer: { box: [251, 40, 331, 260], suggestion: 1 }, part: { hidden: [0] } });
  expect([list(), pressed()]).toEqual([OPEN.slice(1), ["true"]]);
});

test("arrows go along the list as long as none is accepted, and Delete discards", async () => {
  const shown = draw();
  const [first] = lines().map((line) => within(line).getAllByRole("button")[0]);
  first?.focus();
  await press("ArrowRight", first);
  expect(document.activeElement?.textContent).toContain("Suggestion 2");
  await press("Delete", document.activeElement ?? document.body);
  expect(shown.entry().part).toEqual({ hidden: [1] });
});

test("one can say that no further box is needed although some are suggested", async () => {
  const shown = draw();
  await press("1");
  await press("0");
  expect(shown.entry().answer).toEqual({ box: null });
  expect(pressed()).toEqual([null, null]);
});

test("nobody accepts one before the photograph is there, or the question can have been read", async () => {
  const { image } = firstQuestion("drawing");
  const shown = draw({}, { image: { ...image, url: "late.jpg" } });
  await press("1");
  await click(/^Suggestion 1/);
  expect(shown.entry().answer).toBeNull();
});

test("it is said in German, too", async () => {
  draw();
  await speak("de");
  expect(await screen.findByText(/Stimmt keiner, selbst einen Rahmen ziehen/)).toBeTruthy();
  await press("1");
  expect(told()).toContain("Vorschlag 1 ist angenommen: ");
  await speak("en");
});
