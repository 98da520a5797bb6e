/** A sample page, which exists in this document only: there is no token and no request, and nothing is kept. */

import { SvelteMap } from "svelte/reactivity";
import type { Stage } from "../api/types";
import { samplePage, type Own } from "../sample";
import { begin, change, go, type Draft, type Entry } from "../work/draft";
import type { Phase, WorkView } from "../work/view";

export class Sample implements WorkView {
  phase = $state.raw<Phase>({ kind: "working" });
  #draft: Draft;
  readonly online = true;
  readonly kept = "memory";
  readonly lease = "unknown";
  readonly leaseLeft = null;
  readonly waiting = 0;
  readonly earned = [];
  readonly problems: ReadonlyMap<number, string> = new SvelteMap();
  readonly aside = [];
  readonly notice = null;

  /** `own` has what is shown in place of the sample's scenes and of the built-in instructions. */
  constructor(
    readonly stage: Stage,
    private readonly own?: Own,
  ) {
    this.#draft = $state.raw(begin(samplePage(stage, own)));
  }

  get draft(): Draft {
    return this.#draft;
  }

  change(entry: Partial<Entry>): void {
    this.#draft = change(this.#draft, entry);
  }

  go(place: number): void {
    this.#draft = go(this.#draft, place);
  }

  async submit(): Promise<void> {
    const { id, items } = this.#draft.page;
    this.phase = { kind: "done", receipt: { id, accepted: items.length, acknowledged: 0, reward: null } };
  }

  async next(): Promise<void> {
    this.#draft = begin(samplePage(this.stage, this.own));
    this.phase = { kind: "working" };
  }

  // A sample begins at once. It cannot be lost or given back, and needs no signing in.
  async start(): Promise<void> {}
  stop(): void {}
  async giveBack(): Promise<void> {}
  takeOver(): void {}
  async retry(): Promise<void> {}
  async acknowledge(): Promise<void> {}
  async signIn(): Promise<boolean> {
    return false;
  }
}
