/** A stage's sample page with the instructions that the server has for it now. */

import type { Api } from "../api/client";
import { isBag } from "../api/shape";
import type { OwnInstructions, Stage } from "../api/types";
import { instructedBy } from "../sample";
import { Sample } from "./sample.svelte";

interface Newest {
  instructions: OwnInstructions | null;
}

const isNewest = (value: unknown): value is Newest =>
  isBag(value) &&
  (value.instructions === null ||
    (isBag(value.instructions) &&
      isBag(value.instructions.texts) &&
      Array.isArray(value.instructions.examples)));

/** Shows the built-in instructions if nobody is signed in, or the server cannot be reached. */
export async function sampled(api: Pick<Api, "call">, stage: Stage, path: string): Promise<Sample> {
  const said = await api.call({ method: "GET", path }, isNewest);
  return new Sample(stage, instructedBy(said.ok ? said.data.instructions : null));
}
