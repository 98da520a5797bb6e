/**
 * A server for tests. It has one test of links, with two practice questions and three scored ones, and the
 * right answer is always yes.
 */

import type { Failure, Result } from "../../api/result";
import type { Answer, Explanation, Item, Me, Outcome, Qualification, Try } from "../../api/types";
import { memoryVault, Time } from "../../work/testing/world";
import { LastWord } from "../../work/lastword";
import { BrowserStore, type Store } from "../../work/store";
import type { Calls, Held } from "../calls";
import type { Place } from "../place";
import { NOTHING_DONE } from "../../crowd/place";

const OFFLINE: Failure = { ok: false, kind: "offline", detail: "" };

function items(count: number): Item[] {
  const image = { id: "1", url: null, width: 9, height: 9 };
  return Array.from({ length: count }, (_, n) => ({ item: n + 1, question: { image, captions: [] } }));
}

export class TestServer implements Calls {
  network = true;
  /** The reply to the next call, in place of its usual one. */
  refusal: Failure | null = null;
  state: Qualification["state"] = "none";
  answered: number[] = [];
  standing: Me["stages"][number]["standing"] = "test";
  handed: { item: number; answer: Answer }[][] = [];
  calls: string[] = [];
  outcome: Outcome | null = null;

  look = () => this.#reply("look", () => this.#shown());
  begin = () =>
    this.#reply("begin", () => {
      if (this.state === "none") this.state = "training";
      return this.#try();
    });
  train = (_: Held, item: number, answer: Answer) =>
    this.#reply("train", (): Explanation => {
      if (!this.answered.includes(item)) this.answered.push(item);
      if (this.answered.length === 2) this.state = "testing";
      return { right: "same" in answer && answer.same, explanation: "", answer: { same: true } };
    });
  handIn = (_: Held, answers: { item: number; answer: Answer }[]) =>
    this.#reply("handIn", (): Outcome => {
      this.handed.push(answers);
      const right = answers.filter(({ answer }) => "same" in answer && answer.same).length;
      const passed = right === 3;
      this.state = passed ? "passed" : "waiting";
      if (passed) this.standing = "open";
      return (this.outcome ??= { ...this.#situation(), passed, right, asked: 3 });
    });
  me = () =>
    this.#reply("me", (): Me => {
      const link = { ...NOTHING_DONE, stage: "link" as const, standing: this.standing, waiting: true };
      return {
        worker: "ada",
        project: "p",
        contact: "",
        earned: [],
        stages: [link],
        weeks: [],
        captions: null,
      };
    });

  #situation() {
    const waits = this.state === "waiting";
    return { state: this.state, tries_left: 2, retry_in: waits ? 60 : null, pass_mark: 0.8 };
  }

  #try(): Try {
    const part = this.state === "training" ? "training" : "testing";
    const drawing = { method: "either" as const, minimum_side: 3 };
    const asked = items(part === "training" ? 2 : 3);
    return { number: 1, stage: "link", part, answered: [...this.answered], drawing, items: asked };
  }

  #shown(): Qualification {
    const held = this.state === "training" || this.state === "testing" ? this.#try() : null;
    return { ...this.#situation(), stage: "link", training_items: 2, test_items: 3, try: held };
  }

  async #reply<T>(name: string, data: () => T): Promise<Result<T>> {
    this.calls.push(name);
    if (!this.network) return OFFLINE;
    const { refusal } = this;
    if (refusal && name !== "me") {
      this.refusal = null;
      return refusal;
    }
    return { ok: true, status: 200, data: data(), retryAfter: null };
  }
}

let made = 0;

/** A tab that uses this server. Tabs with the same store belong to one browser. */
export function placeOf(server: TestServer, time = new Time(), store: Store = storeOf()): Place {
  return {
    calls: server,
    store,
    session: { subject: "ada" },
    tab: `tab-${++made}`,
    timers: time,
    now: () => ({ mono: time.now * 1000, wall: time.now * 1000 }),
    random: () => 0.5,
    attach: () => () => undefined,
  };
}

export function storeOf(): Store {
  return new BrowserStore(`tests-${++made}`, undefined, new LastWord(memoryVault()));
}
