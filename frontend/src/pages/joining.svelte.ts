/** Joining by an invitation: what it asks for, and how it ends. */

import type { Api } from "../api/client";
import type { Failure, Result } from "../api/result";
import { isBag, isToken } from "../api/shape";
import type { Schemas } from "../api/types";

/** What the invitation asks for. Without `name`, this device comes back as the worker that it is. */
export type Asked = Schemas["Seen"];

export type Field = "name" | "passcode";

export type State =
  | { kind: "loading" | "shown" }
  /**
   * The link cannot be used. `cut`: it is not an invitation. `used`: others have used it. `over`: it has ended
   * for everybody. `closed`: this worker may not use it.
   */
  | { kind: "cut" | "used" | "over" | "closed" }
  /** It may work later. `limited`: there were too many tries. */
  | { kind: "offline" | "limited" };

const isAsked = (value: unknown): value is Asked =>
  isBag(value) &&
  typeof value.project === "string" &&
  typeof value.passcode === "boolean" &&
  typeof value.name === "boolean";

/** Seconds from which a wait is more than a hiccup of the server. */
const LONG = 60;

/** Returns the code of an invitation's address. A platform may have appended ids of its own behind it. */
export const codeIn = (hash: string): string => hash.slice(1).split(/[?&]/, 1)[0] ?? "";

export class Joining {
  state = $state.raw<State>({ kind: "loading" });
  asked = $state.raw<Asked | null>(null);
  /** What is wrong with a field: it is `empty`, or the server does not accept it. */
  problem = $state.raw<{ field: Field; kind: "empty" | "refused" } | null>(null);
  busy = $state(false);

  /** `code` is the part of the link after #. The browser is recognised by `device`. `enter` takes a token. */
  constructor(
    private readonly api: Pick<Api, "call">,
    private readonly code: string,
    private readonly device: string,
    private readonly enter: (token: string) => void,
  ) {}

  async load(): Promise<void> {
    if (this.code === "") {
      this.state = { kind: "cut" };
      return;
    }
    const said = await this.#ask("invitation", {}, isAsked);
    if (said.ok) this.asked = said.data;
    this.state = said.ok ? { kind: "shown" } : { kind: whyNot(said) };
  }

  async join(name: string, passcode: string): Promise<void> {
    if (this.busy || this.asked === null) return;
    const empty =
      this.asked.name && !name.trim() ? "name" : this.asked.passcode && !passcode ? "passcode" : null;
    this.problem = empty && { field: empty, kind: "empty" };
    if (empty) return;
    this.busy = true;
    const said = await this.#ask("joining", { name, passcode }, isToken);
    if (said.ok) return this.enter(said.data.token); // it stays busy until the list of tasks is there
    this.busy = false;
    const field = said.kind === "invalid" ? fieldOf(said) : null;
    this.problem = field && { field, kind: "refused" };
    this.state = { kind: field ? "shown" : whyNot(said) };
  }

  #ask<T>(path: string, more: object, is: (data: unknown) => data is T): Promise<Result<T>> {
    return this.api.call(
      { method: "POST", path, body: { code: this.code, device: this.device, ...more } },
      is,
    );
  }
}

function fieldOf(said: Failure & { kind: "invalid" }): Field | null {
  const pointers = said.errors.map(({ pointer }) => pointer);
  return pointers.includes("/passcode") ? "passcode" : pointers.includes("/name") ? "name" : null;
}

function whyNot(said: Failure): Exclude<State["kind"], "loading" | "shown"> {
  if (said.kind === "over") return "used";
  if (said.kind === "refused") return "closed";
  if (said.kind === "busy") return (said.retryAfter ?? 0) >= LONG ? "limited" : "offline";
  // 410 names no field. If a link was cut or changed, the server names its code.
  if (said.kind === "invalid") return said.errors.length === 0 ? "over" : "cut";
  return said.kind === "gone" ? "cut" : "offline";
}

/** Returns a random mark of this browser, so that nobody else can come back with it. */
export function newDevice(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
