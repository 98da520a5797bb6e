import { expect, test } from "vitest";
import type { Answer, Stage } from "../api/types";
import de from "../texts/de";
import deRest from "../texts/de/rest";
import en from "../texts/en";
import enRest from "../texts/en/rest";
import { answerText } from "./answers";

test.each<[Stage, Answer | null, string, string]>([
  ["link", { same: true }, "Yes, the same", "Ja, dasselbe"],
  ["link", null, "Not answered yet", "Noch nicht beantwortet"],
  ["verification", { same: false }, "No, not all", "Nein, nicht alle"],
  ["requirement", { requirement: "scene" }, "A scene or place", "Szene oder Ort"],
  ["drawing", { box: null }, "No box is needed", "Kein Rahmen nötig"],
  [
    "drawing",
    { box: [10.4, 20, 110, 60.7] },
    "A new box, 100 × 41 pixels",
    "Ein neuer Rahmen, 100 × 41 Pixel",
  ],
  ["drawing", null, "Not answered yet", "Noch nicht beantwortet"],
  ["quality", { good: false }, "Bad", "Schlecht"],
  ["coverage", { complete: true }, "Yes, all are here", "Ja, alle sind da"],
  ["coverage", { unsure: true }, "Cannot tell", "Weiß nicht"],
  ["boxes", { boxes: [{ box: [1, 2, 3, 4] }] }, "1 new box", "1 neuer Rahmen"],
  ["boxes", { none: "done" }, "Everything has a box already", "Alles hat schon einen Rahmen"],
  ["boxes", null, "Not answered yet", "Noch nicht beantwortet"],
  [
    "check",
    { boxes: ["good", "good"], missing: false },
    "All 2 are good, nothing is missing",
    "Alle 2 sind gut, es fehlt nichts",
  ],
  [
    "check",
    { boxes: ["good", "cut"], missing: true, point: [3, 4] },
    "1 box bad, 1 good, something is missing (Box 2: Cut off)",
    "1 Rahmen schlecht, 1 gut, es fehlt etwas (Rahmen 2: Abgeschnitten)",
  ],
  ["check", { boxes: [], missing: true }, "Something is missing", "Es fehlt etwas"],
  ["check", { unsure: true }, "Cannot tell", "Weiß nicht"],
  ["grading", { grade: 3 }, "With minor errors", "Mit kleinen Fehlern"],
  ["caption_check", { caption: "wrong" }, "Does not", "Beschreibt es nicht"],
  ["writing", { caption: "A dog runs ." }, "A dog runs .", "A dog runs ."],
  ["writing", null, "Not answered yet", "Noch nicht beantwortet"],
  ["relevance", { describes: [false, true, true] }, "Captions 2 and 3 of 3", "Bildtexte 2 und 3 von 3"],
  ["relevance", { describes: [false, false, true] }, "Caption 3 of 3", "Bildtext 3 von 3"],
  ["relevance", { describes: [false, false] }, "None of them", "Keiner"],
  ["relevance", null, "Not answered yet", "Noch nicht beantwortet"],
  ["drawing", { unusable: true }, "Photograph unusable", "Foto unbrauchbar"],
])("%s: %o in words", (stage, answer, english, german) => {
  expect(answerText(stage, answer, en, enRest)).toBe(english);
  expect(answerText(stage, answer, de, deRest)).toBe(german);
});

test("where a box is shown, no further one is needed", () => {
  expect(answerText("drawing", { box: null }, en, enRest, 1)).toBe("No further box is needed");
  expect(answerText("drawing", { box: null }, de, deRest, 1)).toBe("Kein weiterer Rahmen nötig");
});
