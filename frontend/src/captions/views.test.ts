/** The two views, with a stand-in for the photograph. */
import { fireEvent, screen } from "@testing-library/svelte";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Question } from "../api/types";
import { samplePage } from "../sample";
import { clock, firstQuestion, press, show, type Shown, told } from "../stages/testing/show";
import { readRest } from "../texts/index.svelte";

vi.mock("../picture/Picture.svelte", () => import("../stages/testing/FakePicture.svelte"));
// jsdom has no layout, so that the last caption is in sight at once.
vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));

let pass: (ms: number) => void;
beforeAll(readRest);
beforeEach(() => {
  pass = clock();
});

describe("which captions describe the photograph", () => {
  function match(entry = {}): Shown {
    const shown = show("relevance", entry);
    pass(1000);
    return shown;
  }

  test("digits tick and take ticks away, and Enter says that these are all", async () => {
    const shown = match();
    await press("1");
    await press("3");
    await press("4");
    await press("4");
    expect(shown.entry()).toMatchObject({ answer: null, part: [true, false, true, false] });
    await press("Enter");
    expect(shown.entry().answer).toEqual({ describes: [true, false, true, false] });
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("Enter without a tick says what to do, and n says that none fits", async () => {
    const shown = match();
    await press("Enter");
    expect(told()).toContain("If none does, say so.");
    expect(shown.onnext).not.toHaveBeenCalled();
    await press("n");
    expect(shown.entry().answer).toEqual({ describes: [false, false, false, false] });
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("n does not throw a tick away", async () => {
    const shown = match();
    await press("2");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: /^None/ }).disabled).toBe(true);
    await press("n");
    expect(shown.entry()).toMatchObject({ answer: null, part: [false, true, false, false] });
    await press("2");
    await press("n");
    expect(shown.entry().answer).toEqual({ describes: [false, false, false, false] });
  });

  test("the boxes can be ticked, and a given answer stays one when it is changed", async () => {
    const shown = match({ answer: { describes: [true, false, false, false] } });
    const boxes = screen.getAllByRole<HTMLInputElement>("checkbox");
    expect(boxes.map(({ checked }) => checked)).toEqual([true, false, false, false]);
    await fireEvent.click(boxes[1] as HTMLInputElement);
    expect(shown.entry().answer).toEqual({ describes: [true, true, false, false] });
    expect(boxes.map(({ checked }) => checked)).toEqual([true, true, false, false]);
  });

  test.each<[boolean[], string]>([
    [[false, false, false, false], "true"],
    [[true, false, false, false], "false"],
  ])("an answer that was given is shown when somebody goes back to it: %j", (describes, pressed) => {
    // As if the captions did not fit, so that the last one is out of sight.
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 9999, 9, 9));
    match({ answer: { describes } });
    const none = screen.getByRole("button", { name: /^None/ });
    const all = screen.getByRole("button", { name: /^(That is all|Tick those)/ });
    expect(none.getAttribute("aria-pressed")).toBe(pressed);
    expect([none, all].map((one) => one.getAttribute("aria-disabled"))).toEqual(
      pressed === "true" ? [null, "true"] : [null, null],
    );
    expect(screen.queryByRole("button", { name: /^Next caption/ })).toBeNull();
  });

  test("a key that was meant for the item before does nothing", async () => {
    const shown = show("relevance");
    await press("1");
    expect(shown.entry().part).toBeUndefined();
  });

  test("the tenth caption has the key 0, and nobody is asked whether words are cut wrongly", async () => {
    const question = firstQuestion("relevance");
    const [one] = question.captions;
    if (!one) throw new Error("a caption");
    const captions = Array.from({ length: 10 }, (_, index) => ({ ...one, index }));
    const shown = show("relevance", {}, { ...question, captions });
    pass(1000);
    await press("0");
    await press("x");
    expect((shown.entry().part as boolean[]).indexOf(true)).toBe(9);
    expect(shown.entry().chunkFlag).toBe(false);
    expect(screen.queryByText("Words cut wrongly")).toBeNull();
  });
});

describe("a caption is written", () => {
  const field = (): HTMLTextAreaElement => screen.getByRole("textbox");
  function write(entry = {}, more: Partial<Question> = {}): Shown {
    const shown = show("writing", entry, { ...firstQuestion("writing"), ...more });
    pass(1000);
    return shown;
  }
  const type = (value: string): Promise<boolean> => fireEvent.input(field(), { target: { value } });

  test("what is typed is kept, and is an answer once it is long enough; Enter goes on", async () => {
    const shown = write();
    await type("A dog ");
    expect(shown.entry()).toMatchObject({ part: "A dog ", answer: null });
    await type(" A dog  runs on\ngrass. ");
    expect(shown.entry().answer).toEqual({ caption: "A dog runs on grass." });
    await press("Enter", field());
    expect(shown.onnext).toHaveBeenCalledOnce();
  });

  test("a caption that is too short is not sent, and it is said why", async () => {
    const shown = write({ part: "A dog" });
    expect(field().value).toBe("A dog");
    await press("Enter", field());
    expect(shown.onnext).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(told()).toContain("at least four words"));
    expect(screen.getAllByText(/at least four words/)).toHaveLength(1);
  });

  test("hints come while writing, and do not stop anybody", async () => {
    const shown = write();
    await type("A man called Peter is probably late .");
    expect(screen.getByText(/looks like a name/)).toBeTruthy();
    expect(screen.getByText(/looks like a guess/)).toBeTruthy();
    await press("Enter", field());
    expect(shown.onnext).toHaveBeenCalledOnce();
    const again = { part: "a man called Peter is probably late" };
    await shown.go(firstQuestion("writing"), again);
    expect(screen.queryByText(/written this already/)).toBeNull();
    const other = samplePage("writing").items[1];
    if (!other) throw new Error("another photograph");
    await shown.go(other.question, again);
    expect(screen.getByText(/written this already/)).toBeTruthy();
    pass(1000);
    expect(screen.getByRole("button", { name: /Done/ }).getAttribute("aria-disabled")).toBe("true");
    await press("Enter", field());
    await vi.waitFor(() => expect(told()).toContain("written this already"));
    expect([shown.entry().answer, shown.onnext.mock.calls.length]).toEqual([null, 1]);
    await type("a man called Peter is late again");
    expect(shown.entry().answer).toEqual({ caption: "a man called Peter is late again" });
  });

  test("letters are letters here, and no keys", async () => {
    const shown = write();
    await press("c", field());
    expect(screen.getAllByRole("textbox")).toHaveLength(1);
    await fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
    await fireEvent.keyDown(field(), { key: "Enter", keyCode: 229 });
    expect(shown.onnext).not.toHaveBeenCalled();
  });

  test("the field has the language of the project", () => {
    write({}, { language: "de" });
    expect(field().lang).toBe("de");
    expect(field().getAttribute("spellcheck")).toBe("true");
  });

  test("a sentence with a mistake has to be changed", async () => {
    const sentence = "A man are riding a horse .";
    const shown = write({}, { correct: sentence });
    expect(field().value).toBe(sentence);
    await press("Enter", field());
    expect(shown.onnext).not.toHaveBeenCalled();
    await type("A man is riding a horse .");
    await press("Enter", field());
    expect(shown.entry().answer).toEqual({ caption: "A man is riding a horse ." });
    expect(screen.queryByText(/looks like/)).toBeNull();
  });
});
