import { expect, test } from "vitest";
import type { Answer, Stage } from "../api/types";
import de from "../texts/de";
import en from "../texts/en";
import { answerText } from "./answers";

test.each<[Stage, Answer | null, string, string]>([
  ["link", { same: true }, "Yes, the same", "Ja, dasselbe"],
  ["link", null, "Not answered yet", "Noch nicht beantwortet"],
  ["verification", { same: false }, "No, not all", "Nein, nicht alle"],
  ["requirement", { requirement: "scene" }, "A scene or place", "Szene oder Ort"],
  ["drawing", { box: null }, "No further box is needed", "Kein weiterer Rahmen nötig"],
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
  ["drawing", { unusable: true }, "Photograph unusable", "Foto unbrauchbar"],
])("%s: %o in words", (stage, answer, english, german) => {
  expect(answerText(stage, answer, en)).toBe(english);
  expect(answerText(stage, answer, de)).toBe(german);
});
