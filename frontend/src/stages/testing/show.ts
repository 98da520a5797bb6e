/** Shows a stage's view with an item that is answered into a draft entry, as a page does. Only for tests. */

import { render } from "@testing-library/svelte";
import { vi } from "vitest";
import type { Page, Question, Stage } from "../../api/types";
import { samplePage } from "../../sample";
import type { Entry } from "../../work/draft";
import { STAGE_VIEWS } from "..";

export const EMPTY: Entry = { answer: null, marks: [], comment: "", chunkFlag: false, seconds: 0 };

export interface Shown {
  /** The entry, with every change so far. */
  entry: () => Entry;
  onnext: ReturnType<typeof vi.fn>;
  onbroken: ReturnType<typeof vi.fn>;
  /** Another item in the same place. */
  go: (question: Question, entry?: Partial<Entry>) => Promise<void>;
}

export function firstQuestion(stage: Stage): Question {
  const item = samplePage(stage).items[0];
  if (!item) throw new Error(`no sample of ${stage}`);
  return item.question;
}

export function show(
  stage: Stage,
  given: Partial<Entry> = {},
  question: Question = firstQuestion(stage),
  drawing: Page["drawing"] = { method: "either", minimum_side: 3 },
): Shown {
  let entry: Entry = { ...EMPTY, ...given };
  const onnext = vi.fn();
  const onbroken = vi.fn();
  const onchange = (change: Partial<Entry>): void => {
    entry = { ...entry, ...change };
    void view.rerender({ entry });
  };
  const view = render(STAGE_VIEWS[stage], {
    props: { question, entry, drawing, onchange, onnext, onbroken },
  });
  return {
    entry: () => entry,
    onnext,
    onbroken,
    go: async (next, more = {}) => {
      entry = { ...EMPTY, ...more };
      await view.rerender({ question: next, entry });
    },
  };
}

/** Lets `ms` pass for performance.now, at which items count as seen. Starts long after the page was opened. */
export function clock(): (ms: number) => void {
  let now = 60_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return (ms) => {
    now += ms;
  };
}
