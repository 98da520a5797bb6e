/** What the server and this device know of the worker: for the list of tasks and the worker's own page. */

import type { Result } from "../api/result";
import type { Me } from "../api/types";
import type { Kept } from "./rows";

/** Where an account comes from. In the browser, it is the API and the device's storage; tests use others. */
export interface Sources {
  me(): Promise<Result<Me>>;
  /** This worker's pages that are kept on the device. */
  kept(): Promise<readonly Kept[]>;
  /**
   * Calls `changed` when another page changed what is kept or who is signed in. Returns a function that ends
   * this.
   */
  listen(changed: () => void): () => void;
  /** Returns whether somebody has signed in here, even if their token has ended. */
  known(): boolean;
  /** Returns whether the words contained a token. */
  signIn(tokenOrLink: string): boolean;
  /** Forgets the token and, if the worker says so, the answers. */
  signOut(forget: boolean): Promise<void>;
}

export type State =
  | { kind: "loading" }
  | { kind: "shown" }
  /** There is no token, or it has `ended`. */
  | { kind: "signin"; ended: boolean }
  /** The server could not be reached, or is busy. */
  | { kind: "offline" }
  | { kind: "refused" | "failed"; detail: string };

export class Account {
  state = $state.raw<State>({ kind: "loading" });
  /** Null until the server has said something. */
  me = $state.raw<Me | null>(null);
  kept = $state.raw<readonly Kept[]>([]);

  /** The number of the latest load. Results of earlier loads come too late. */
  #turn = 0;

  constructor(private readonly sources: Sources) {}

  /** Loads now, and again whenever there is news. Returns a function that ends this. */
  follow(): () => void {
    void this.load();
    return this.sources.listen(() => void this.load());
  }

  async load(): Promise<void> {
    const turn = ++this.#turn;
    const kept = await this.sources.kept();
    if (turn !== this.#turn) return;
    this.kept = kept;
    const said = await this.sources.me();
    if (turn !== this.#turn) return;
    if (said.ok) {
      this.me = said.data;
      this.state = { kind: "shown" };
    } else if (said.kind === "unauthorised") this.state = { kind: "signin", ended: this.sources.known() };
    else if (said.kind === "offline" || said.kind === "busy") this.state = { kind: "offline" };
    else this.state = { kind: said.kind === "refused" ? "refused" : "failed", detail: said.detail };
  }

  async signIn(tokenOrLink: string): Promise<boolean> {
    if (!this.sources.signIn(tokenOrLink)) return false;
    this.me = null;
    await this.load();
    return this.state.kind !== "signin";
  }

  async signOut(forget: boolean): Promise<void> {
    await this.sources.signOut(forget);
    this.#turn += 1;
    this.me = null;
    this.kept = [];
    this.state = { kind: "signin", ended: false };
  }
}
