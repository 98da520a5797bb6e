/** The one thing to say of the saving, the network and the lease: the most pressing. */

import type { WorkView } from "../work/work.svelte";

export type State = Pick<WorkView, "kept" | "online" | "waiting" | "leaseLeft">;

/** What is said; `left` as minutes:seconds. */
export type Standing =
  | { kind: "over" | "memory"; tone: "warning" }
  | { kind: "lease"; tone: "warning"; left: string }
  | { kind: "offline"; tone: "warning"; waiting: number }
  | { kind: "saved" | "saving"; tone: "fine" };

/** Below this many seconds the time that is left is shown: an active worker's lease is renewed before. */
export const SOON = 120;

/** Seconds as minutes:seconds, never below 0. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function standing({ kept, online, waiting, leaseLeft }: State): Standing {
  if (leaseLeft !== null && leaseLeft <= 0) return { kind: "over", tone: "warning" };
  if (!online) return { kind: "offline", tone: "warning", waiting };
  if (leaseLeft !== null && leaseLeft < SOON)
    return { kind: "lease", tone: "warning", left: clock(leaseLeft) };
  if (kept === "memory") return { kind: "memory", tone: "warning" };
  return { kind: kept, tone: "fine" };
}
