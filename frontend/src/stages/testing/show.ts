/** For tests: shows a stage's view with an item whose answers go into a draft entry, as on a page. */

import { fireEvent, render, screen } from "@testing-library/svelte";
import type { Component } from "svelte";
import { vi } from "vitest";
import type { Page, Question, Stage } from "../../api/types";
import * as CAPTION_VIEWS from "../../captions";
import * as JOINT_VIEWS from "../../joint";
import DrawOne from "../../joint/DrawOne.svelte";
import { samplePage } from "../../sample";
import { BLANK, type Entry } from "../../work/draft";
import { viewOf, VIEWS } from "../../pages/views";
import type { StageProps } from "../props";

// These are loaded now. `viewOf` would load them on demand.
Object.assign(VIEWS, JOINT_VIEWS, CAPTION_VIEWS);

export interface Shown {
  /** The entry, with every change so far. */
  entry: () => Entry;
  onnext: ReturnType<typeof vi.fn>;
  onbroken: ReturnType<typeof vi.fn>;
  /** Shows another item in the same place. */
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
  unsure?: number,
  check?: Page["check"],
): Shown {
  let entry: Entry = { ...BLANK, ...given };
  const onnext = vi.fn();
  const onbroken = vi.fn();
  const onchange = (change: Partial<Entry>): void => {
    entry = { ...entry, ...change };
    void rerender({ entry });
  };
  const suggested = stage === "drawing" && question.suggestions?.[0];
  const shown = suggested ? DrawOne : (viewOf(stage) as Component<StageProps>);
  // A view may change the entry while it is rendered.
  let rerender: (changed: Partial<StageProps>) => Promise<void> = () => Promise.resolve();
  const view = render(shown, {
    props: { stage, question, entry, drawing, check, unsure, onchange, onnext, onbroken },
  });
  rerender = (changed) => view.rerender(changed);
  return {
    entry: () => entry,
    onnext,
    onbroken,
    go: async (next, more = {}) => {
      entry = { ...BLANK, ...more };
      await rerender({ question: next, entry });
    },
  };
}

/**
 * Lets `ms` pass on the clock of performance.now, by which items count as seen. It starts long after the page
 * was opened.
 */
export function clock(): (ms: number) => void {
  let now = 60_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  return (ms) => (now += ms);
}

export const press = (key: string, target: Element = document.body): Promise<boolean> =>
  fireEvent.keyDown(target, { key });

/** What the stand-in for the photograph or the surface was given. */
export const given = (): Record<string, unknown> =>
  JSON.parse(screen.getByTestId("given").textContent) as Record<string, unknown>;

/** What is said in the elements whose changes are read aloud. */
export const told = (): string =>
  [...document.querySelectorAll("[role=status]")].map((one) => one.textContent).join(" ");
