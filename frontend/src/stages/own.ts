/** How a researcher's own instructions are read: their language, their paragraphs and lists, their boxes. */

import type { OwnExample, Stage, Texts } from "../api/types";
import type { Language } from "../texts/index.svelte";
import type { Example } from "./examples";

/** A paragraph or a list, line by line. */
export interface Block {
  kind: "paragraph" | "list";
  lines: string[];
}

/** Returns the text in a language, or in the one that there is, or null. */
export function spoken(texts: Texts, language: Language): { text: string; language: Language } | null {
  // Researchers write in one of these two languages, or in both.
  const found = ([language, "en", "de"] as const).find((one) => one in texts && texts[one as keyof Texts]);
  return found === undefined ? null : { text: texts[found as keyof Texts] ?? "", language: found };
}

/** Lines that begin like this are items of a list. */
const ITEM = /^\s*[-*•]\s+/;

/** Returns a plain text in blocks: an empty line begins a new paragraph, and lines that begin with - are a list. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let ended = true;
  for (const line of text.split("\n")) {
    const last = blocks.at(-1);
    const kind = ITEM.test(line) ? "list" : "paragraph";
    const said = line.replace(ITEM, "").trim();
    if (line.trim() === "") ended = true;
    else if (!ended && last?.kind === kind) last.lines.push(said);
    else {
      blocks.push({ kind, lines: [said] });
      ended = false;
    }
  }
  return blocks;
}

/** Returns what is drawn over the photograph. The box of drawing and quality is the new one, and so are all of a joint stage. */
export function drawnIn(
  stage: Stage,
  { view, boxes }: Pick<OwnExample, "view" | "boxes">,
): Pick<Example, "view" | "boxes" | "box" | "fresh"> {
  if (stage === "boxes" || stage === "check") return { view, fresh: boxes };
  const [box, ...others] = boxes;
  const drawn = stage === "drawing" || stage === "quality";
  return drawn && box ? { view, box, boxes: others } : { view, boxes };
}
