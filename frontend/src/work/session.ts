/**
 * Who is working. The token in this tab is the same in every tab of the worker, and is renewed for those who
 * come often.
 */

import type { Tokens } from "../api/client";
import type { Result } from "../api/result";
import { isBag } from "../api/shape";
import { NAME } from "../api/site";
import { subjectOf, tokenIn } from "./token";
import type { Vault } from "./vault";

export const TOKEN_KEY = `${NAME}.token`;
/** Stands in the token's place. */
const SIGNED_OUT = "";
const DAY = 24 * 3600 * 1000;

interface Held {
  token: string;
  /** When to ask for a fresh token, in ms since 1970. 0: at the next start. */
  renewAt: number;
}

function heldIn(text: string | null): Held | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (!isBag(value) || typeof value.token !== "string" || typeof value.renewAt !== "number") return null;
    return tokenIn(value.token) === null ? null : { token: value.token, renewAt: value.renewAt };
  } catch {
    return null; // something else has written it, so it is ignored
  }
}

export class Session implements Tokens {
  #held: Held | null;
  /** A second token of the same worker, tried when the first is rejected. */
  #spare: string | null = null;
  #bad = new Set<string>();
  #listeners = new Set<() => void>();

  /** `tab` is this tab's own storage, `shared` that of all tabs. `wall` returns ms since 1970. */
  constructor(
    private readonly tab: Vault,
    private readonly shared: Vault,
    private readonly wall: () => number,
  ) {
    const [own, common] = [heldIn(tab.get(TOKEN_KEY)), heldIn(shared.get(TOKEN_KEY))];
    this.#held = own;
    if (common && (!own || (this.#same(common) && common.renewAt > own.renewAt))) this.#held = common;
  }

  /**
   * Names the worker. Null as long as nobody is known. It stays when the token ends, since the drafts are still
   * theirs.
   */
  get subject(): string | null {
    return this.#held && subjectOf(this.#held.token);
  }

  current(): string | null {
    return this.#held && !this.#bad.has(this.#held.token) ? this.#held.token : null;
  }

  rejected(token: string): string | null {
    this.#bad.add(token);
    // Another tab may have a fresh token, or the link in the address may be newer than the stored token.
    const common = heldIn(this.shared.get(TOKEN_KEY));
    const others = [this.#held?.token, common && this.#same(common) ? common.token : null, this.#spare];
    const next = others.find((t) => t && !this.#bad.has(t) && subjectOf(t) === subjectOf(token)) ?? null;
    if (next !== null && next !== this.#held?.token) this.#keep({ token: next, renewAt: 0 });
    return next;
  }

  /**
   * Takes the token out of the address, which does not show it any more then. A worker's old bookmark does not
   * replace their fresh token: it is tried when the fresh one fails.
   */
  arrive(address: Pick<Location, "hash" | "pathname" | "search">, history: History): void {
    if (!/[#&]token=/.test(address.hash)) return;
    const token = tokenIn(address.hash);
    history.replaceState(history.state, "", address.pathname + address.search);
    if (token === null || token === this.#held?.token) return;
    if (subjectOf(token) === this.subject && this.current() !== null) this.#spare = token;
    else {
      this.take(token);
      this.#tell();
    }
  }

  /** Works with this token from now on. */
  take(token: string): void {
    this.#bad.delete(token);
    this.#spare = null;
    this.#keep({ token, renewAt: 0 });
  }

  /** Signs out, in every tab. The worker's answers stay where they are kept. */
  forget(): void {
    this.#held = null;
    this.#spare = null;
    this.tab.set(TOKEN_KEY, SIGNED_OUT);
    this.shared.set(TOKEN_KEY, SIGNED_OUT);
  }

  /** Reads what another tab wrote (a storage event's new value). A fresh token of this worker is used here, too. */
  hear(written: string | null): void {
    if (written === SIGNED_OUT && this.#held) {
      this.forget();
      this.#tell();
    }
    const other = heldIn(written);
    if (!other || other.token === this.#held?.token || this.#bad.has(other.token)) return;
    const stuck = this.current() === null;
    if (this.#held && !(this.#same(other) && (stuck || other.renewAt > this.#held.renewAt))) return;
    this.#held = other;
    this.tab.set(TOKEN_KEY, JSON.stringify(other));
    if (stuck) this.#tell();
  }

  /**
   * Calls `listener` when a link in the address or another tab has signed in here, or when another tab has
   * signed out.
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Gets a fresh token once a day, so that a worker who comes regularly is never signed out. After a failure,
   * it is tried at the next start.
   */
  async freshen(ask: () => Promise<Result<{ token: string }>>): Promise<void> {
    const held = this.#held;
    if (!held || this.wall() < held.renewAt || this.current() === null) return;
    const result = await ask();
    if (!result.ok || subjectOf(result.data.token) !== this.subject || tokenIn(result.data.token) === null)
      return;
    this.#keep({ token: result.data.token, renewAt: this.wall() + DAY });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  #same(other: Held): boolean {
    return this.#held !== null && subjectOf(other.token) === subjectOf(this.#held.token);
  }

  #keep(held: Held): void {
    this.#held = held;
    this.tab.set(TOKEN_KEY, JSON.stringify(held));
    this.shared.set(TOKEN_KEY, JSON.stringify(held));
  }
}

/** A link that is opened while a page is shown. If it is another worker's, they start with a new document. */
export function follow(
  session: Session,
  address: Pick<Location, "hash" | "pathname" | "search" | "reload">,
  history: History,
): void {
  const before = session.subject;
  session.arrive(address, history);
  if (before !== null && session.subject !== before) address.reload();
}
