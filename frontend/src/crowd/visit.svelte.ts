/** A visit from a platform: its session, and how the platform is told that the page is done. */

import type { Api } from "../api/client";
import type { Failure } from "../api/result";
import { isBag, isStage } from "../api/shape";
import type { Schemas } from "../api/types";
import type { Later } from "../work/later";
import type { Arrival } from "./arrival";

/** How the browser tells the platform. */
export type Finish =
  | { kind: "form"; action: string; fields: Record<string, string> }
  | { kind: "link"; href: string }
  /** Workers type the code on the platform themselves. */
  | { kind: "code"; code: string };

/** The server's answer. It is the same however often it is asked. */
export interface Begun extends Omit<Schemas["CrowdReply"], "finish"> {
  finish: Finish | null;
}

export type State =
  | { kind: "loading" | "preview" | "nobody" }
  | { kind: "working"; begun: Begun }
  /** The answers are on the server. */
  | { kind: "reporting"; begun: Begun; finish: Finish }
  | { kind: "over"; begun: Begun }
  /** There is no work for this worker. Some platforms have a way back for that. */
  | { kind: "away"; begun: Begun }
  /**
   * `gone`: it is not published any more. `crowded`: more people came than there are places. `address`: the
   * address was changed.
   */
  | { kind: "refused"; why: "gone" | "crowded" | "address" }
  /** It is tried again automatically. `limited`: too many people came from the same network. */
  | { kind: "failed"; limited: boolean };

function isFinish(value: unknown): value is Finish {
  if (!isBag(value)) return false;
  if (value.kind === "code") return typeof value.code === "string";
  if (value.kind === "link") return typeof value.href === "string" && /^https?:/.test(value.href);
  if (value.kind !== "form" || typeof value.action !== "string" || !isBag(value.fields)) return false;
  return /^https?:/.test(value.action) && Object.values(value.fields).every((f) => typeof f === "string");
}

export const isBegun = (value: unknown): value is Begun =>
  isBag(value) &&
  typeof value.token === "string" &&
  isStage(value.stage) &&
  typeof value.key === "string" &&
  (value.state === "working" ||
    value.state === "submitted" ||
    value.state === "over" ||
    value.state === "away") &&
  (value.finish === null || isFinish(value.finish)) &&
  typeof value.contact === "string";

const WHY: Partial<Record<Failure["kind"], "gone" | "crowded" | "address">> = {
  gone: "gone",
  over: "crowded",
  refused: "gone",
  invalid: "address",
};

export class Visit {
  state = $state.raw<State>({ kind: "loading" });
  #turn = 0;
  #ended = 0;

  constructor(
    private readonly arrival: Arrival,
    private readonly api: Pick<Api, "call">,
    private readonly later: Later,
  ) {}

  /**
   * Finds out what to do. Called at the beginning, after a page is submitted, and whenever that is not known
   * any more.
   */
  async begin(): Promise<void> {
    const { arrival } = this;
    const turn = ++this.#turn;
    this.later.cancel();
    if (arrival.kind !== "accepted") {
      this.state = { kind: arrival.kind };
      return;
    }
    const { path, body } = arrival;
    const said = await this.api.call({ method: "POST", path, body }, isBegun);
    if (turn !== this.#turn) return;
    if (said.ok) {
      this.later.well();
      this.state = stateOf(said.data);
      return;
    }
    const why = WHY[said.kind];
    this.state = why
      ? { kind: "refused", why }
      : { kind: "failed", limited: said.kind === "busy" && said.limited === true };
    if (!why) this.later.again(() => this.begin(), said.kind === "busy" ? said.retryAfter : null);
  }

  /** No page came after those that are done: asks whether the place has ended with them, once. */
  async end({ pages_done }: Begun): Promise<void> {
    if (!(pages_done > this.#ended)) return; // also if an older server says nothing of pages
    this.#ended = pages_done;
    await this.begin();
  }

  stop(): void {
    this.#turn += 1;
    this.later.cancel();
  }
}

function stateOf(begun: Begun): State {
  if (begun.state === "working") return { kind: "working", begun };
  if (begun.state === "away") return { kind: "away", begun };
  if (begun.state === "submitted" && begun.finish) return { kind: "reporting", begun, finish: begun.finish };
  return { kind: "over", begun };
}
