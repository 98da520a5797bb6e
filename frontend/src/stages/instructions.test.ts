import { render, screen } from "@testing-library/svelte";
import { afterEach, describe, expect, test } from "vitest";
import { STAGES, type Item, type Stage } from "../api/types";
import { CAPTION_EXAMPLES } from "./caption-examples";
import { IMAGES } from "../sample/scenes";
import { LANGUAGES, speak, text } from "../texts/index.svelte";
import { EXAMPLES, type Example } from "./examples";
import { guideIn } from "./guide";
import Instructions from "./Instructions.svelte";

const examplesOf = (stage: Stage): [string, Example][] =>
  Object.entries({ ...EXAMPLES, ...CAPTION_EXAMPLES }[stage]);

afterEach(() => speak("en"));

describe.each(LANGUAGES)("in %s", (language) => {
  test.each(STAGES)("the rules, pictures and keys of %s are all there", async (stage) => {
    await speak(language);
    const guide = await guideIn(language, stage);
    render(Instructions, { props: { stage, method: "either" } });
    const { aim, rules, examples } = guide.stage;
    // The narrow spaces of French are spaces to the library that looks.
    const spaced = (words: string): string => words.replace(/\s+/gu, " ");
    expect(await screen.findByText(spaced(aim))).toBeTruthy();
    expect(rules.length).toBeGreaterThanOrEqual(3);
    expect(rules.length).toBeLessThanOrEqual(6);
    for (const rule of rules) expect(screen.getByText(spaced(rule))).toBeTruthy();
    const shown = [...document.querySelectorAll("figure")].map((figure) => figure.textContent);
    const words = Object.values(examples);
    expect(shown).toHaveLength(words.length);
    words.forEach(({ verdict, why, marked }, place) => {
      for (const said of [verdict, why, ...marked]) expect(shown[place]).toContain(said);
    });
    expect(document.querySelectorAll("tbody tr")).toHaveLength(guide.rows("either").length);
  });

  test("a verdict is one of the stage's answers, where its examples show them", async () => {
    await speak(language);
    const labels = Object.values(text().stages.choices).map(({ label }) => label);
    for (const stage of [
      ...(["link", "verification", "requirement", "quality", "coverage"] as const),
      ...(["caption_check", "grading"] as const),
    ])
      for (const { verdict } of Object.values((await guideIn(language, stage)).stage.examples))
        expect(labels).toContain(verdict);
  });
});

describe("the keys for a model's suggestions", () => {
  const questions = (suggestions?: number[][]): Item[] => [
    { item: 1, question: { image: { id: "1", url: null, width: 9, height: 9 }, captions: [] } },
    {
      item: 2,
      question: {
        image: { id: "2", url: null, width: 9, height: 9 },
        captions: [],
        ...(suggestions && { suggestions }),
      },
    },
  ];

  test.each(LANGUAGES)("are listed in %s where a question has some", async (language) => {
    const usual = (await guideIn(language, "boxes")).rows("either").length;
    const guide = await guideIn(language, "boxes", questions([[1, 2, 8, 9, 0.5]]));
    const rows = guide.rows("either");
    expect(rows).toHaveLength(usual + 3);
    for (const { does } of rows) expect("key" in does && guide.meanings[does.key]).toBeTruthy();
  });

  test.each([undefined, []])("are not listed where there are none: %j", async (suggestions) => {
    const { rows } = await guideIn("en", "boxes", questions(suggestions));
    expect(rows("either")).toEqual((await guideIn("en", "boxes")).rows("either"));
  });
});

describe.each(STAGES)("the examples of %s", (stage) => {
  test("show something right and something wrong, or each answer", () => {
    const verdicts = examplesOf(stage).map(([, { good }]) => good);
    const each = { requirement: 3, caption_check: 3, grading: 4 }[stage as string];
    if (each) expect(verdicts).toEqual(Array(each).fill(null));
    else expect(new Set(verdicts)).toEqual(new Set([true, false]));
  });

  test.each(examplesOf(stage))(
    "%s: what is drawn lies in the part shown, four to three",
    (_name, example) => {
      const { view, boxes = [], box, points = [], scene } = example;
      const [left, top, right, bottom] = view;
      expect((right - left) * 3).toBe((bottom - top) * 4);
      expect(right).toBeLessThanOrEqual(IMAGES[scene].width);
      expect(bottom).toBeLessThanOrEqual(IMAGES[scene].height);
      for (const edges of [...boxes, ...(box ? [box] : [])]) {
        expect(edges[0]).toBeGreaterThanOrEqual(left);
        expect(edges[1]).toBeGreaterThanOrEqual(top);
        expect(edges[2]).toBeLessThanOrEqual(right);
        expect(edges[3]).toBeLessThanOrEqual(bottom);
      }
      for (const [x, y] of points) {
        expect(x).toBeGreaterThanOrEqual(box?.[0] ?? 0);
        expect(x).toBeLessThanOrEqual(box?.[2] ?? 0);
        expect(y).toBeGreaterThanOrEqual(box?.[1] ?? 0);
        expect(y).toBeLessThanOrEqual(box?.[3] ?? 0);
      }
    },
  );
});

test("four points are not taught where a batch drags only", async () => {
  render(Instructions, { props: { stage: "drawing", method: "drag" } });
  await screen.findByText(/Draw one new box/);
  expect(document.querySelector("circle")).toBeNull();
  expect(screen.queryByText(/Four points/)).toBeNull();
  expect(screen.queryByText("Change between four points and dragging")).toBeNull();
});

test.each(STAGES)("no key of %s means two things", async (stage) => {
  const keys = (await guideIn("en", stage))
    .rows("either")
    .flatMap((row) => row.keys.map((combination) => combination.join(" ")));
  expect(new Set(keys).size).toBe(keys.length);
});
