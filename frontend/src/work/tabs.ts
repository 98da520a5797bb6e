/**
 * What the tabs of one browser tell each other. These are only hints: the store's records decide who works on a
 * page.
 */

import { isBag, isReceiptFor } from "../api/shape";
import type { Receipt } from "../api/types";
import { randomId } from "./random";

export type Message =
  /** A tab works on this page now. */
  | { kind: "take"; page: string; tab: string }
  /** The page is finished: submitted (with a receipt), given back (`returned`), or refused. */
  | { kind: "settled"; page: string; tab: string; receipt: Receipt | null; returned?: true };

type Untold<M> = M extends Message ? Omit<M, "tab"> : never;
/** A message without its sender. */
export type News = Untold<Message>;

export interface Tabs {
  /** Names this tab until it is reloaded. */
  readonly id: string;
  tell(message: Message): void;
  /** Returns a function that ends the listening. */
  listen(heard: (message: Message) => unknown): () => void;
}

/** The message comes from a tab that may run an earlier or later version of these pages. */
export function messageIn(data: unknown): Message | null {
  if (!isBag(data) || typeof data.page !== "string" || typeof data.tab !== "string") return null;
  const { page, tab, receipt, returned } = data;
  if (data.kind === "take") return { kind: "take", page, tab };
  if (data.kind !== "settled") return null;
  const told = isReceiptFor(page)(receipt) ? receipt : null;
  const settled: Message = { kind: "settled", page, tab, receipt: told };
  return returned === true ? { ...settled, returned } : settled;
}

export function browserTabs(name = "groundcrew"): Tabs {
  const id = randomId();
  let channel: BroadcastChannel | null = null;
  try {
    channel = new BroadcastChannel(name);
  } catch {
    // There is no channel, or this frame may not use it. Tabs then learn about each other from the store's
    // records.
  }
  return {
    id,
    tell: (message) => channel?.postMessage(message),
    listen(heard) {
      const listener = (event: MessageEvent<unknown>) => {
        const message = messageIn(event.data);
        if (message && message.tab !== id) heard(message);
      };
      channel?.addEventListener("message", listener);
      return () => channel?.removeEventListener("message", listener);
    },
  };
}
