/** The two views, with a stand-in for the photograph. */
import { fireEvent, screen, within } from "@testing-library/svelte";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Edges, Question } from "../api/types";
import { prefer } from "../stages/method.svelte";
import { clock, firstQuestion, given, press, show, type Shown, told } from "../stages/testing/show";
import { answered } from "../work/draft";
import { readRest, speak } from "../texts/index.svelte";

vi.mock("../surface/Surface.svelte", () => import("../stages/testing/FakeSurface.svelte"));
vi.mock("./CheckPicture.svelte", () => import("../stages/testing/FakeCheckPicture.svelte"));

let pass: (ms: number) => void;
beforeAll(readRest);
beforeEach(() => {
  pass = clock();
  prefer("extreme");
});

const click = (name: RegExp | string): Promise<boolean> =>
  fireEvent.click(screen.getByRole("button", { name }), { detail: 1 });

const NEW: Edges = [10, 20, 110, 70]; // as FakeSurface draws it
const OTHER: Edges = [300, 300, 400, 400];

describe("drawing all boxes", () => {
  /** With single answers of `boxes`, `words` are what the caption marks. */
  function draw(entry = {}, more: Partial<Question> = {}, words = "the dogs"): Shown {
    const captions = [{ index: 0, language: "en", segments: [{ text: words, mention: true }] }];
    const shown = show("boxes", entry, {
      ...firstQuestion("boxes"),
      boxes: [],
      points: [],
      captions,
      ...more,
    });
    pass(1000);
    return shown;
  }
  const one = { answer: { boxes: [{ box: OTHER }] } };

  test("boxes count as answered once they are confirmed", async () => {
    const shown = draw();
    await fireEvent.click(screen.getByText("draw"));
    await press("Enter"); // the small box is right
    expect([answered(shown.entry()), shown.onnext.mock.calls.length]).toEqual([false, 0]);
    await press("Enter"); // and so is their number: "the dogs" names none
    expect([answered(shown.entry()), shown.onnext.mock.calls.length]).toEqual([true, 1]);
  });

  test("a pointer's box is in the answer and is let be, and Enter says that these are all", async () => {
    const shown = draw(one);
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().answer).toEqual({ boxes: [{ box: OTHER }, { box: NEW, scale: 0.1235 }] });
    // It is shown at 0.12 pixels for one, so it is small, and stays in hand.
    expect(given()).toMatchObject({ box: NEW, boxes: [OTHER] });
    await press("Enter");
    expect([given()["box"], shown.onnext.mock.calls.length]).toEqual([null, 0]);
    expect(answered(shown.entry())).toBe(true); // this one came with an answer
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("the answer says how its boxes were drawn, however one is changed later", async () => {
    const shown = draw();
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().drawnBy).toBe("extreme");
    await press("1");
    await press("1");
    await fireEvent.click(screen.getByText("by key"));
    expect(shown.entry().drawnBy).toBe("extreme");
    await press("Escape");
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().drawnBy).toBe("extreme");
    await press("Escape");
    await click("Remove box 1");
    await fireEvent.click(screen.getByText("by key"));
    expect(shown.entry().drawnBy).toBe("several");
  });

  test("a digit takes a box, and what is drawn then changes it", async () => {
    const shown = draw(one);
    await press("2");
    expect(given()["box"]).toBeNull();
    await press("1");
    expect(given()).toMatchObject({ box: OTHER, boxes: [] });
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().answer).toEqual({ boxes: [{ box: NEW, scale: 0.1235 }] });
    await press("Escape");
    expect(given()["box"]).toBeNull();
  });

  test("Backspace takes back a point, then boxes, and then leads to the question before", async () => {
    const shown = draw({ ...one, marks: [[1, 2], [3, 4]] }); // prettier-ignore
    const leads = vi.fn();
    window.addEventListener("keydown", (event) => leads(event.defaultPrevented));
    for (let times = 0; times < 4; times++) await press("Backspace");
    expect(shown.entry()).toMatchObject({ answer: null, marks: [] });
    expect(leads.mock.calls.flat()).toEqual([true, true, true, false]);
  });

  test("the boxes can be taken and removed in the list", async () => {
    const shown = draw({ answer: { boxes: [{ box: OTHER }, { box: NEW }] } });
    const list = screen.getByRole("list", { name: "Your boxes" });
    expect(
      [...list.querySelectorAll("li")].map((line) => line.textContent.replace(/\s+/g, " ").trim()),
    ).toEqual([
      "1 Box 1: bottom centre, from 47 to 63 per cent of the width, 63 to 83 per cent of the height ✕",
      "2 Box 2: top left, from 2 to 17 per cent of the width, 4 to 15 per cent of the height ✕",
    ]);
    await click(/^Box 2:/);
    expect(given()).toMatchObject({ box: NEW });
    await click("Remove box 1");
    expect(shown.entry().answer).toEqual({ boxes: [{ box: NEW }] });
    expect(given()["box"]).toBeNull();
  });

  test("the same box is not sent twice", async () => {
    const shown = draw({ answer: { boxes: [{ box: NEW }] } });
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().answer).toEqual({ boxes: [{ box: NEW }] });
    expect(told()).toContain("That is the same as box 1.");
  });

  test.each([
    ["1", { none: "scene" }],
    ["2", { none: "nobox" }],
    ["3", { none: "done" }],
  ])("0 and %s say why no box is needed", async (key, answer) => {
    const shown = draw({}, { boxes: [OTHER] });
    await press(key);
    expect(shown.onnext).not.toHaveBeenCalled();
    await press("0");
    await press(key);
    expect(shown.entry().answer).toEqual(answer);
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("nothing is there already if nothing is, and the reasons can be left", async () => {
    const shown = draw();
    await click(/^0?No box is needed/);
    const button = screen.getByRole("button", { name: /^3?Everything has a box/ });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await press("3");
    expect(shown.entry().answer).toBeNull();
    await press("Escape");
    expect(screen.queryByText("Why is no box needed?")).toBeNull();
  });

  test("who has drawn is told that boxes have to be removed first", async () => {
    const shown = draw(one);
    await press("0");
    expect(screen.queryByText("Why is no box needed?")).toBeNull();
    expect(told()).toContain("remove them first");
    expect(shown.entry().answer).toEqual(one.answer);
  });

  test("a reason that was given is shown, and a box takes its place", async () => {
    const shown = draw({ answer: { none: "scene" } });
    expect(screen.getByRole("button", { name: /It is a scene or place/ })).toBeTruthy();
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry().answer).toEqual({ boxes: [{ box: NEW, scale: 0.1235 }] });
  });

  test.each([
    [{}, "Draw a box first."],
    [{ ...one, marks: [[1, 2]] }, "A box is begun."],
  ])("Enter says what is left to do: %#", async (entry, words) => {
    const shown = draw(entry);
    await press("Enter");
    expect(told()).toContain(words);
    expect(shown.onnext).not.toHaveBeenCalled();
  });

  test("if the words name another number, it asks once", async () => {
    const shown = draw(one, { boxes: [NEW] }, "three dogs");
    await press("Enter");
    expect(told()).toContain("The words name 3 things; there are 2 boxes.");
    expect(shown.onnext).not.toHaveBeenCalled();
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("what is said is said in the language in use, and names no keys", async () => {
    draw();
    await press("Enter");
    expect(told()).toContain("If none is needed, say so.");
    await speak("de");
    expect(told()).toContain("Zuerst einen Rahmen ziehen. Ist keiner nötig, das sagen.");
    await speak("en");
  });

  test("what is only read aloud follows the language, too", async () => {
    draw();
    await fireEvent.click(screen.getByText("draw"));
    await press("Escape");
    await click("Remove box 1");
    prefer("drag");
    await fireEvent.click(screen.getByText("large"));
    expect(told()).toContain("Box 1 is drawn");
    await speak("de");
    expect(told()).toContain("Rahmen 1 ist gezogen");
    await speak("en");
  });

  test("a box that nobody looked at is not among those that are all, until it is said again", async () => {
    const shown = draw();
    await fireEvent.click(screen.getByText("middle"));
    await press("Escape"); // it is let be
    await press("Enter");
    expect(given()).toMatchObject({ box: [20, 20, 120, 80] });
    expect(told()).toContain("Pull the edges until the box is tight.");
    await press("Enter"); // it is right
    await press("Enter"); // and these are all
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("boxes that are hidden are shown before they are all", async () => {
    const shown = draw(one);
    await fireEvent.click(screen.getByText("hide"));
    await press("Enter");
    expect([given()["box"], shown.onnext.mock.calls.length]).toEqual([null, 0]);
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("if the number is right, it does not ask", async () => {
    const shown = draw(one, { boxes: [NEW] }, "two dogs");
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("a checker's mark is told in words", () => {
    draw({}, { points: [[500, 400]] });
    expect(
      screen.getByText(/Somebody marked a place where something may be missing: bottom right\./),
    ).toBeTruthy();
  });

  test.each([{ none: "scene" } as const, { unusable: true } as const])(
    "undo brings an answer without boxes back: %j",
    async (answer) => {
      const shown = draw({ answer });
      await fireEvent.click(screen.getByText("draw"));
      expect([answered(shown.entry()), "boxes" in (shown.entry().answer ?? {})]).toEqual([false, true]);
      await fireEvent.click(screen.getByText("undo"));
      expect([answered(shown.entry()), shown.entry().answer]).toEqual([true, answer]);
    },
  );

  test.each(["button", "3"])("where nothing has a box, it is said that not all have one: %s", async (how) => {
    const shown = draw();
    await press("0");
    if (how === "button") await click(/Everything has a box already/);
    else await press("3");
    expect(told()).toContain("No box so far");
    expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 0]);
    await click(/Back to drawing/);
    expect(told()).not.toContain("No box so far");
  });

  test.each(["0", "Enter"])("%s does nothing to an item that nobody can have read", async (key) => {
    const shown = show("boxes", one, { ...firstQuestion("boxes"), captions: [] });
    pass(100);
    await press(key);
    expect([shown.onnext.mock.calls.length, told().trim()]).toEqual([0, ""]);
  });
});

describe("drawing where a model suggests boxes", () => {
  const FIRST: Edges = [20, 30, 200, 300];
  const SECOND: Edges = [250, 40, 330, 260];
  const suggestions = [
    [...FIRST, 0.9],
    [...SECOND, 0.6],
    [...OTHER, 0.3],
  ];

  async function draw(entry = {}, more: Partial<Question> = {}): Promise<Shown> {
    const captions = [{ index: 0, language: "en", segments: [{ text: "a man", mention: true }] }];
    const question = { ...firstQuestion("boxes"), boxes: [], points: [], captions, suggestions, ...more };
    const shown = show("boxes", entry, question);
    pass(1000);
    await screen.findByText(/Dashed boxes are a model’s suggestions/);
    return shown;
  }
  const list = (): (string | undefined)[] =>
    within(screen.getByRole("list", { name: "Suggestions and boxes" }))
      .getAllByRole("listitem")
      .map((line) => /(Suggestion|Box) \d+(, [^:]*)?/.exec(line.textContent)?.[0]);
  const OPEN = ["Suggestion 1, a man", "Suggestion 2, a man", "Suggestion 3, a man"];

  test("nothing is accepted before somebody does it, and the answer says that they were shown", async () => {
    const shown = await draw();
    expect(list()).toEqual(OPEN);
    expect(shown.entry().also).toEqual({ suggestions_shown: true });
    expect(screen.queryByText("Your boxes")).toBeNull();
    await press("Enter");
    expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 0]);
    expect(told()).toContain("Accept a suggestion or draw a box first.");
  });

  test("a digit accepts, and is read aloud; then it takes the box, which can be changed", async () => {
    const shown = await draw();
    await press("2");
    expect(shown.entry()).toMatchObject({ answer: { boxes: [{ box: SECOND, suggestion: 1 }] } });
    expect(shown.entry().drawnBy).toBeUndefined();
    expect(told()).toContain("Suggestion 2 is accepted: ");
    expect(list()).toEqual(["Suggestion 1, a man", "Box 2", "Suggestion 3, a man"]);
    expect(given()).toMatchObject({ box: null, boxes: [SECOND] });
    await press("2");
    expect(given()).toMatchObject({ box: SECOND });
    await fireEvent.click(screen.getByText("by key"));
    expect(shown.entry().answer).toEqual({
      boxes: [{ box: [11, 20, 111, 70], scale: 0.1235, suggestion: 1 }],
    });
    await press("Enter");
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("a click in the list accepts, Delete there discards, and both are undone", async () => {
    const shown = await draw();
    await click(/^Suggestion 1, a man:/);
    expect(shown.entry().answer).toEqual({ boxes: [{ box: FIRST, suggestion: 0 }] });
    const third = screen.getByRole("button", { name: /^Suggestion 3/ });
    third.focus();
    await press("Delete", third);
    expect(list()).toEqual(["Box 1", "Suggestion 2, a man"]);
    expect(told()).toContain("Suggestion 3 is discarded.");
    expect(document.activeElement?.textContent).toContain("Suggestion 2");
    await press("3");
    expect(shown.entry().answer).toEqual({ boxes: [{ box: FIRST, suggestion: 0 }] });
    for (let times = 0; times < 2; times++) await fireEvent.click(screen.getByText("undo"));
    expect(shown.entry().answer).toBeNull();
    expect(list()).toEqual(OPEN);
  });

  test("arrows go along the list as long as no box is in hand", async () => {
    await draw();
    const first = screen.getByRole("button", { name: /^Suggestion 1/ });
    first.focus();
    await press("ArrowRight", first);
    expect(document.activeElement?.textContent).toContain("Suggestion 2");
    await press("1");
    await press("1");
    await press("ArrowRight", document.activeElement ?? document.body);
    expect(document.activeElement?.textContent).toContain("Suggestion 2");
  });

  test("a box that is removed is a suggestion again, and discarded ones can be shown again", async () => {
    const shown = await draw();
    await press("1");
    await click("Remove box 1");
    expect(told()).toContain("Suggestion 1 is not accepted any more.");
    expect([list(), shown.entry().answer]).toEqual([OPEN, null]);
    await press("1");
    await press("Backspace");
    expect(list()).toEqual(OPEN);
    await click("Discard suggestion 1");
    await click("Discard suggestion 2");
    expect(list()).toEqual(["Suggestion 3, a man"]);
    expect(shown.entry().part).toEqual({ hidden: [0, 1] });
    await click("Show 2 discarded suggestions");
    expect(list()).toEqual(OPEN);
  });

  test("what is drawn besides has the numbers after all suggestions", async () => {
    const shown = await draw();
    await press("2");
    await fireEvent.click(screen.getByText("draw"));
    expect(shown.entry()).toMatchObject({
      answer: {
        boxes: [
          { box: SECOND, suggestion: 1 },
          { box: NEW, scale: 0.1235 },
        ],
      },
      drawnBy: "extreme",
    });
    expect(list()).toEqual(["Suggestion 1, a man", "Box 2", "Suggestion 3, a man", "Box 4"]);
    expect(screen.getByRole("button", { name: /Box 4 is right/ })).toBeTruthy();
    await click("Remove box 4");
    expect(shown.entry()).toMatchObject({ answer: { boxes: [{ suggestion: 1 }] }, drawnBy: undefined });
  });

  test("one can say that no box is needed although some are suggested", async () => {
    const shown = await draw();
    await press("0");
    await press("2");
    expect(shown.entry().answer).toEqual({ none: "nobox" });
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("a draft comes back as it was", async () => {
    await draw({ answer: { boxes: [{ box: SECOND, suggestion: 1 }] }, part: { hidden: [0] } });
    expect(list()).toEqual(["Box 2", "Suggestion 3, a man"]);
  });

  test("a suggestion that is the same as a box of the answer is not sent twice", async () => {
    const shown = await draw({ answer: { boxes: [{ box: OTHER }] } });
    await press("3");
    expect(shown.entry().answer).toEqual({ boxes: [{ box: OTHER }] });
    expect(told()).toContain("That is the same as box 4.");
  });

  test("nobody accepts one before the photograph is there", async () => {
    const { image } = firstQuestion("boxes");
    const shown = await draw({}, { image: { ...image, url: "late.jpg" } });
    await press("1");
    await click(/^Suggestion 1/);
    expect(shown.entry().answer).toBeNull();
  });

  test("it is said in German, too", async () => {
    await draw();
    await speak("de");
    expect(await screen.findByText(/Gestrichelte Rahmen schlägt ein Modell vor/)).toBeTruthy();
    await press("1");
    expect(told()).toContain("Vorschlag 1 ist angenommen: ");
    await speak("en");
  });
});

describe("checking all boxes", () => {
  const fresh: Edges[] = [NEW, OTHER, [500, 10, 600, 90]];
  function check(entry = {}, preset: "good" | "none" = "good", more: Partial<Question> = {}): Shown {
    const question = { ...firstQuestion("check"), boxes: [], new_boxes: fresh, ...more };
    const shown = show("check", entry, question, undefined, 1, { preset });
    pass(1000);
    return shown;
  }

  test("if all is well, Enter is enough", async () => {
    const shown = check();
    expect(screen.getByRole("button", { name: /All 3 are good, nothing is missing/ })).toBeTruthy();
    expect(shown.entry().answer).toBeNull();
    await press("Enter");
    expect(shown.entry().answer).toEqual({ boxes: ["good", "good", "good"], missing: false });
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("a digit takes a box, and another one says what it is like", async () => {
    const shown = check();
    await press("2");
    expect(given()["looks"]).toEqual(["box-new", "box-held", "box-new"]);
    await press("3");
    expect(given()).toMatchObject({
      looks: ["box-new", "box-bad", "box-new"],
      names: ["1", "✗2", "3"],
    });
    expect(shown.entry().answer).toBeNull();
    await press("Enter");
    expect(shown.entry().answer).toEqual({ boxes: ["good", "cut", "good"], missing: false });
  });

  test("taps do the same", async () => {
    const shown = check();
    await fireEvent.click(screen.getByText("tap 0"));
    await click(/^2?Loose/);
    await click(/Box 3/);
    await click(/^5?Double/);
    await fireEvent.click(screen.getByText("long press"));
    await click(/2 boxes bad, 1 good, something is missing/);
    expect(shown.entry().answer).toEqual({
      boxes: ["loose", "good", "double"],
      missing: true,
      point: [30, 40],
    });
  });

  test("the marked words are said beside the question about a box, whose answers may cover the caption", async () => {
    check();
    const words = firstQuestion("check").captions[0]?.segments.find((one) => one.mention)?.text ?? "";
    expect(words).not.toBe("");
    expect(document.querySelectorAll(".held .words")).toHaveLength(0);
    await press("2");
    expect([...document.querySelectorAll(".held .words")].map((one) => one.textContent)).toContain(words);
  });

  test("a second place takes that of the first, which is said in the language in use", async () => {
    const shown = check();
    await fireEvent.click(screen.getByText("long press"));
    expect(told()).not.toContain("An answer has one mark.");
    await fireEvent.click(screen.getByText("long press"));
    expect(told()).toContain("The mark is here now. An answer has one mark.");
    await speak("de");
    expect(told()).toContain("Die Marke ist jetzt hier.");
    await speak("en");
    await press("Enter");
    expect(shown.entry().answer).toMatchObject({ missing: true, point: [30, 40] });
  });

  test("m says that something is missing and asks where, and m again takes it back", async () => {
    const shown = check();
    await press("m");
    expect(given()).toMatchObject({ placing: true, point: null });
    await fireEvent.click(screen.getByText("long press"));
    expect(given()).toMatchObject({ placing: false, point: [30, 40] });
    expect(told()).toContain("Marked: top left.");
    await press("m");
    expect(given()).toMatchObject({ placing: false, point: null });
    await press("m");
    await press("Enter");
    expect(shown.entry().answer).toEqual({ boxes: ["good", "good", "good"], missing: true });
  });

  test("marks are undone and done again", async () => {
    check();
    for (const key of ["1", "4", "m", "z"]) await press(key);
    expect(given()).toMatchObject({ names: ["✗1", "2", "3"], placing: false });
    await press("z");
    expect(given()).toMatchObject({ names: ["1", "2", "3"] });
    await press("Z");
    expect(given()).toMatchObject({ names: ["✗1", "2", "3"] });
  });

  test("what was begun is in the draft, and what was answered stays an answer when it changes", async () => {
    const shown = check();
    for (const key of ["1", "4"]) await press(key);
    expect(shown.entry()).toMatchObject({ answer: null, part: { boxes: ["wrong", "good", "good"] } });
    await press("Enter");
    for (const key of ["1", "1"]) await press(key);
    expect(shown.entry().answer).toEqual({ boxes: ["good", "good", "good"], missing: false });
  });

  test("where each box is judged, one is asked about after the other, and then what is missing", async () => {
    const shown = check({}, "none");
    await press("1");
    await press("Enter");
    expect(told()).toContain("Box 2 is not judged yet.");
    await press("2");
    await press("1");
    await press("Enter");
    expect(told()).toContain("Say first whether anything is missing.");
    expect(shown.onnext).not.toHaveBeenCalled();
    await press("n");
    await press("Enter");
    expect(shown.entry().answer).toEqual({ boxes: ["good", "loose", "good"], missing: false });
  });

  test("one can say that one cannot tell, and that the photograph is unusable", async () => {
    const shown = check();
    await press("0");
    expect(shown.entry().answer).toEqual({ unsure: true });
    await press("u");
    await screen.findByText("Is the photograph unusable?");
    pass(1000);
    await press("u");
    expect(shown.entry().answer).toEqual({ unusable: true });
    expect(shown.onnext).toHaveBeenCalledTimes(2);
  });

  test("boxes that are hidden are shown before they are good", async () => {
    const shown = check();
    await fireEvent.click(screen.getByText("hide"));
    await press("Enter");
    expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 0]);
    await press("Enter");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("the second click of a double click on a judgment says nothing about the photograph", async () => {
    const shown = check({}, "none");
    await press("1");
    await press("1");
    await press("Escape");
    const missing = screen.getByRole("button", { name: /Something is missing/ });
    await fireEvent.click(missing, { detail: 2 });
    expect(missing.getAttribute("aria-pressed")).toBe("false");
    await fireEvent.click(missing, { detail: 1 });
    expect(missing.getAttribute("aria-pressed")).toBe("true");
    expect(shown.entry().answer).toBeNull();
  });

  test("without a new box, it is only asked whether anything is missing", async () => {
    const shown = check({}, "none", { new_boxes: [] });
    expect(screen.getByText(/There is no new box/)).toBeTruthy();
    await press("m");
    await press("Enter");
    expect(shown.entry().answer).toEqual({ boxes: [], missing: true });
  });

  test("nobody answers before the photograph is there", async () => {
    const { image } = firstQuestion("check");
    const shown = check({}, "good", { image: { ...image, url: "late.jpg" } });
    for (const key of ["1", "2", "m", "Enter"]) await press(key);
    expect([shown.entry().answer, shown.entry().part]).toEqual([null, undefined]);
    expect(shown.onnext).not.toHaveBeenCalled();
    // Nothing says that boxes are good that could not be seen.
    const end = screen.getByRole("button", { name: /Look at the boxes first/ });
    const other = screen.getByRole("button", { name: /Something is missing/ });
    expect([end, other].map((one) => one.getAttribute("aria-disabled"))).toEqual(["true", "true"]);
    expect(screen.queryByText(/good, nothing is missing/)).toBe(null);
  });
});
