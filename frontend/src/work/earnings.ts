/** What was earned in this browser session. Each receipt counts once, also after a reload. */

import { isBag } from "../api/shape";
import type { Money, Receipt } from "../api/types";
import { NAME } from "../api/site";
import type { Vault } from "./vault";

const KEY = `${NAME}.earned`;

interface Earned {
  /** The assignments whose receipts are in the sums. */
  ids: string[];
  sums: Money[];
}

/** Returns the sums by currency, with one more amount. */
export function plus(sums: readonly Money[], reward: Money): Money[] {
  if (!sums.some((sum) => sum.currency === reward.currency)) return [...sums, reward];
  return sums.map((s) => (s.currency === reward.currency ? { ...s, amount: s.amount + reward.amount } : s));
}

function earnedIn(text: string | null): Earned {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (isBag(value) && Array.isArray(value.ids) && Array.isArray(value.sums) && value.sums.every(isMoney))
      return { ids: value.ids.filter((id) => typeof id === "string"), sums: value.sums };
  } catch {
    // Nothing is stored yet, or it is not ours: the session starts at nothing.
  }
  return { ids: [], sums: [] };
}

function isMoney(value: unknown): value is Money {
  return isBag(value) && Number.isFinite(value.amount) && typeof value.currency === "string";
}

export class Earnings {
  constructor(private readonly vault: Vault) {}

  of(subject: string): Money[] {
    return this.#read(subject).sums;
  }

  add(subject: string, receipt: Receipt): void {
    const { ids, sums } = this.#read(subject);
    if (receipt.reward === null || ids.includes(receipt.id)) return;
    const now: Earned = { ids: [...ids, receipt.id], sums: plus(sums, receipt.reward) };
    this.vault.set(`${KEY}.${subject}`, JSON.stringify(now));
  }

  #read(subject: string): Earned {
    return earnedIn(this.vault.get(`${KEY}.${subject}`));
  }
}
