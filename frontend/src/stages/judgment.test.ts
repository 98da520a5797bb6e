import { fireEvent, screen } from "@testing-library/svelte";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer, Question, Stage } from "../api/types";
import { samplePage } from "../sample";
import { speak, text } from "../texts/index.svelte";
import { clock, firstQuestion, show, told } from "./testing/show";

vi.mock("../picture/Picture.svelte", () => import("./testing/FakePicture.svelte"));

let pass: (ms: number) => void;
beforeEach(() => {
  pass = clock();
});

const press = (key: string, more: KeyboardEventInit = {}): Promise<boolean> =>
  fireEvent.keyDown(document.body, { key, ...more });

describe.each<[Stage, string, string, Answer]>([
  ["link", "1", "Yes, the same", { same: true }],
  ["link", "n", "No", { same: false }],
  ["verification", "y", "Yes, all the same", { same: true }],
  ["verification", "2", "No, not all", { same: false }],
  ["requirement", "1", "A box can be drawn", { requirement: "box" }],
  ["requirement", "2", "A scene or place", { requirement: "scene" }],
  ["requirement", "3", "No box", { requirement: "nobox" }],
  ["quality", "y", "Good", { good: true }],
  ["quality", "n", "Bad", { good: false }],
  ["coverage", "1", "Yes, all are here", { complete: true }],
  ["coverage", "N", "No, not all", { complete: false }],
  ["caption_check", "1", "Describes it", { caption: "right" }],
  ["caption_check", "2", "Minor errors", { caption: "minor" }],
  ["caption_check", "3", "Does not", { caption: "wrong" }],
  ["grading", "1", "Unrelated", { grade: 1 }],
  ["grading", "2", "Somewhat related", { grade: 2 }],
  ["grading", "3", "With minor errors", { grade: 3 }],
  ["grading", "4", "Without any errors", { grade: 4 }],
])("%s, %s: %s", (stage, key, label, answer) => {
  const button = (): HTMLElement =>
    screen.getByText(label, { selector: ".label" }).closest("button") as HTMLElement;

  test("the key answers and goes on", async () => {
    const shown = show(stage);
    pass(150);
    await press(key);
    expect(shown.entry().answer).toEqual(answer);
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("the button answers and goes on", async () => {
    const shown = show(stage);
    await fireEvent.click(button(), { detail: 1 });
    expect(shown.entry().answer).toEqual(answer);
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("going back shows the choice, and no other", () => {
    show(stage, { answer });
    const pressed = [...document.querySelectorAll(".answers [aria-pressed=true]")];
    expect(pressed).toEqual([button()]);
  });
});

describe.each<Stage>(["link", "verification", "requirement", "quality", "coverage"])("%s", (stage) => {
  const unsure = (): HTMLElement | null => screen.queryByRole("button", { name: /^0?Cannot tell/ });
  const offer = (left?: number, answer: Answer | null = null): ReturnType<typeof show> =>
    show(stage, { answer }, undefined, undefined, left);

  test("one can say that one cannot tell, by the button and by 0", async () => {
    const shown = offer(1);
    expect(unsure()?.textContent).toContain("(1 left on this page)");
    await fireEvent.click(unsure() as HTMLElement, { detail: 1 });
    expect(shown.entry().answer).toEqual({ unsure: true });
    expect(unsure()?.getAttribute("aria-pressed")).toBe("true");
    pass(150);
    await press("0");
    expect(shown.onnext).toHaveBeenCalledTimes(2);
  });

  test.each([undefined, 0])("one cannot if it is not offered, or not any more: %s", async (left) => {
    const shown = offer(left);
    pass(150);
    await press("0");
    expect(shown.entry().answer).toBeNull();
    expect(unsure()?.hasAttribute("disabled")).toBe(left === 0 ? true : undefined);
  });
});

test("a caption says which language it is in, and the words round its mention are in the page's", async () => {
  await speak("de");
  const segments = [{ text: "Un chien", mention: true }];
  const [first, second] = [
    { index: 0, language: "fr", segments },
    { index: 1, segments: [{ text: "A dog", mention: true }] },
  ];
  show("link", {}, { ...firstQuestion("link"), captions: [first, second] });
  const said = [...document.querySelectorAll<HTMLElement>("p.caption")];
  expect(said.map((caption) => caption.lang)).toEqual(["fr", "en"]); // an old draft does not say it
  expect(said.map((caption) => caption.querySelector<HTMLElement>("mark .unseen")?.lang)).toEqual([
    "de",
    "de",
  ]);
  await speak("en");
});

test("two mentions of one caption are shown each, with its own words marked", () => {
  const caption = (first: boolean) => ({
    index: 2,
    segments: [
      { text: "A man", mention: first },
      { text: " waves to ", mention: false },
      { text: "another man", mention: !first },
      { text: " .", mention: false },
    ],
  });
  show("verification", {}, { ...firstQuestion("verification"), captions: [caption(true), caption(false)] });
  const marked = [...document.querySelectorAll(".captions mark")].map((mark) => mark.textContent);
  expect(marked).toEqual([expect.stringContaining(" A man "), expect.stringContaining(" another man ")]);
});

describe("a key does not answer", () => {
  test("an item that nobody can have read", async () => {
    const shown = show("link");
    pass(149);
    await press("y");
    expect(shown.entry().answer).toBeNull();
    pass(1);
    await press("y");
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("the next item as well", async () => {
    const shown = show("link");
    pass(1000);
    await press("y");
    const { image, ...words } = firstQuestion("link");
    await shown.go({ image: { ...image, id: `not ${image.id}` }, ...words });
    pass(100);
    await press("y");
    expect(shown.entry().answer).toBeNull();
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test.each<[string, KeyboardEventInit]>([
    ["held down", { repeat: true }],
    ["with Ctrl", { ctrlKey: true }],
    ["with Meta", { metaKey: true }],
    ["with Alt", { altKey: true }],
  ])("%s", async (_how, more) => {
    const shown = show("link");
    pass(1000);
    await press("y", more);
    expect(shown.onnext).not.toHaveBeenCalled();
  });

  test("while a comment is typed", async () => {
    const shown = show("link", { comment: "so" });
    pass(1000);
    await fireEvent.keyDown(screen.getByLabelText("Comment on this item"), { key: "n" });
    expect(shown.onnext).not.toHaveBeenCalled();
  });
});

describe("clicks that follow each other in one place", () => {
  test.each([
    ["the second click of a double click leaves the next item alone", 200, 1],
    ["a quick tap that is meant for the next item answers it", 300, 2],
  ])("%s", async (_name, ms, answers) => {
    const shown = show("quality");
    const good = screen.getByRole("button", { name: /^Good/ });
    pass(1000);
    await fireEvent.click(good, { detail: 1 });
    const { image, ...words } = firstQuestion("quality");
    await shown.go({ image: { ...image, id: `not ${image.id}` }, ...words });
    pass(ms);
    await fireEvent.click(good, { detail: 2 });
    expect(shown.onnext).toHaveBeenCalledTimes(answers);
  });
});

test.each<Stage>(["link", "verification", "requirement", "quality", "coverage"])(
  "%s shows every caption whole, its mention marked, in words as well",
  (stage) => {
    const question = firstQuestion(stage);
    show(stage, {}, question);
    const marks = [...document.querySelectorAll("mark")];
    expect(marks.map((mark) => mark.textContent)).toEqual(
      question.captions.map(
        ({ segments }) => `[marked: ${segments.find(({ mention }) => mention)?.text ?? ""} end of mark]`,
      ),
    );
    const shown = [...document.querySelectorAll(".caption")].map((line) => {
      const copy = line.cloneNode(true) as Element;
      for (const unseen of copy.querySelectorAll(".unseen")) unseen.remove();
      return copy.textContent.replaceAll("\u00a0", " ");
    });
    expect(shown).toEqual(question.captions.map(({ segments }) => segments.map((s) => s.text).join("")));
  },
);

const HOSTILE = `<script>window.broken = 1</script><img src=x onerror="window.broken = 1"> {@html x} &lt;b&gt;`;

test("a caption is text, whatever it says", () => {
  const captions = [
    {
      index: 0,
      segments: [
        { text: HOSTILE, mention: true },
        { text: HOSTILE, mention: false },
      ],
    },
  ];
  show("quality", {}, { ...firstQuestion("quality"), captions });
  const line = document.querySelector(".caption");
  expect(line?.textContent).toBe(`[marked: ${HOSTILE} end of mark]${HOSTILE}`);
  expect(line?.querySelector("script, img, b")).toBeNull();
  expect("broken" in window).toBe(false);
});

test("twenty long captions are all there, in a part that scrolls and takes the focus", () => {
  const words = "a very long tale of a dog that runs ".repeat(40);
  const captions = Array.from({ length: 20 }, (_, index) => ({
    index,
    segments: [
      { text: words, mention: false },
      { text: `dog ${index}`, mention: true },
    ],
  }));
  show("verification", {}, { ...firstQuestion("verification"), captions });
  const matter = screen.getByRole("region", { name: "Captions and remarks" });
  expect(matter.querySelectorAll("li")).toHaveLength(20);
  expect(matter.tabIndex).toBe(0);
  expect(matter.contains(screen.getByRole("heading"))).toBe(false);
  expect(matter.contains(screen.getByRole("button", { name: /^Yes/ }))).toBe(false);
});

test("the boxes are there in words", () => {
  const question: Question = {
    ...firstQuestion("quality"),
    image: { id: "1", url: "/x.webp", width: 100, height: 200 },
    boxes: [
      [0, 0, 10, 20],
      [80, 160, 100, 200],
    ],
    box: [40, 80, 60, 120],
  };
  show("quality", {}, question);
  const list = [...document.querySelectorAll(".unseen li")].map((line) => line.textContent);
  expect(list).toEqual([
    "New box: centre, from 40 to 60 per cent of the width, 40 to 60 per cent of the height",
    "Box 1: top left, from 0 to 10 per cent of the width, 0 to 10 per cent of the height",
    "Box 2: bottom right, from 80 to 100 per cent of the width, 80 to 100 per cent of the height",
  ]);
  expect(screen.getByText("2 boxes so far")).toBeTruthy();
});

test.each<Stage>(["link", "quality", "coverage"])("the picture of %s gets what it has to show", (stage) => {
  const question = firstQuestion(stage);
  show(stage);
  const { image, boxes = [], box = null } = question;
  expect(JSON.parse(screen.getByTestId("given").textContent)).toEqual({
    id: image.id,
    boxes,
    box,
    label: "The photograph",
  });
});

test.each<Stage>(["quality", "coverage"])(
  "boxes that are hidden are shown before an answer: %s",
  async (stage) => {
    const shown = show(stage);
    pass(1000);
    await fireEvent.click(screen.getByText("hide"));
    await press("1");
    expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 0]);
    await press("1");
    expect(shown.onnext).toHaveBeenCalledOnce();
  },
);

test("what a screen reader hears follows the language", async () => {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 9999, 9, 9));
  Element.prototype.scrollBy = vi.fn();
  show("link");
  pass(1000);
  await press("1");
  expect(told()).toContain("Read all captions first.");
  await speak("de");
  expect(told()).not.toContain("Read all captions first.");
  expect(told()).toContain(text().stages.unread);
  await speak("en");
});

test("a photograph that cannot be shown is told of", async () => {
  const shown = show("link");
  await fireEvent.click(screen.getByText("broken"));
  expect(shown.onbroken).toHaveBeenCalledOnce();
});

test("choosing again after going back changes the answer", async () => {
  const shown = show("coverage", { answer: { complete: true } });
  await fireEvent.click(screen.getByRole("button", { name: /^No/ }), { detail: 1 });
  expect(shown.entry().answer).toEqual({ complete: false });
});

test("the sample's next item takes the place of the first", async () => {
  const shown = show("requirement");
  const next = samplePage("requirement").items[1];
  if (!next) throw new Error("no second item");
  await shown.go(next.question);
  expect(document.querySelector("mark")?.textContent).toContain("a beach ball");
});

describe("a photograph that is not there", () => {
  const withUrl = (stage: Stage, url: string | null): Question => {
    const question = firstQuestion(stage);
    return { ...question, image: { ...question.image, url } };
  };

  test.each<[Stage, string | null, boolean]>([
    ["link", "late.jpg", false],
    ["verification", "late.jpg", false],
    ["requirement", "late.jpg", false],
    ["quality", "late.jpg", false],
    ["coverage", "late.jpg", false],
    // A corpus without pictures still has words to compare.
    ["link", null, true],
    ["verification", null, true],
    ["requirement", null, false],
  ])("%s of %s can be answered: %s", async (stage, url, answerable) => {
    const shown = show(stage, {}, withUrl(stage, url));
    const answers = [...document.querySelectorAll(".answers .choices button")];
    const disabled = answers.map((one) => one.getAttribute("aria-disabled"));
    expect(disabled).toEqual(answers.map(() => (answerable ? null : "true")));
    pass(1000);
    await press("1");
    await fireEvent.click(document.querySelector(".answers button") as HTMLElement, { detail: 1 });
    expect(shown.onnext).toHaveBeenCalledTimes(answerable ? 2 : 0);
    expect(shown.entry().answer !== null).toBe(answerable);
  });
});
