/** What the server writes into the pages of a project's instructions, as JSON. */

import type { Edges, ImageInfo, OwnInstructions, Question, Stage, Texts } from "../api/types";
import { parsed } from "../console/parsed";

/** A photograph of the project. */
export interface Photo extends ImageInfo {
  width: number;
  height: number;
  name: string;
}

export interface Example {
  /** Null if its image was withdrawn since, or has another photograph. Workers do not see the example then. */
  image: Photo | null;
  view: Edges;
  boxes: Edges[];
  good: boolean;
  words: string[];
  why: Texts;
}

export interface Content {
  texts: Texts;
  usual_examples: boolean;
  examples: Example[];
}

export interface EditorSetup {
  stage: Stage;
  /** The number of the version that is edited, or 0. */
  based_on: number;
  content: Content;
  limits: { text: number; examples: number; why: number; words: number; boxes: number; view: number };
  /** The addresses of the project's photographs, of the preview, and of this page, where it is saved. */
  images: string;
  preview: string;
  address: string;
}

export interface PreviewSetup {
  stage: Stage;
  /** Empty if the project has no photograph with phrases. The scenes of the sample are shown then. */
  questions: Question[];
  instructions: OwnInstructions | null;
  /** What is previewed, in words. */
  says: string;
}

const read = <T>(json: string, fields: (keyof T)[]): T | null =>
  parsed<T>(json, (found) => fields.every((field) => field in found));

/** Return null if it is not a setup. */
export const readEditor = (json: string): EditorSetup | null =>
  read<EditorSetup>(json, ["stage", "based_on", "content", "limits", "images", "preview", "address"]);
export const readPreview = (json: string): PreviewSetup | null =>
  read<PreviewSetup>(json, ["stage", "questions", "instructions"]);
