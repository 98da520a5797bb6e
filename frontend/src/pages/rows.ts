/** The stages as the list shows them. Pure. */

import { PAPER, STAGES, type Me, type Stage, type Standing } from "../api/types";
import { answered } from "./moves";
import type { Record } from "../work/record";

export interface Row {
  stage: Stage;
  /** The key on the keyboard. */
  key: string;
  /** What the server said, or null if it has said nothing yet. */
  standing: Standing | null;
  /** A page that was begun on this device. `over`: its time is over, as far as this device knows. */
  draft: { answered: number; items: number; over: boolean } | null;
  /** Pages that are answered but not sent. */
  unsent: number;
}

export type Kept = Pick<Record, "state" | "draft">;

/**
 * Returns the stages that the server names, or the paper's before it has, and those of pages in hand. `now` is in
 * milliseconds since 1970.
 */
export function rowsOf(me: Me | null, kept: readonly Kept[], now: number): Row[] {
  const named: readonly Stage[] = me?.stages.map(({ stage }) => stage) ?? PAPER;
  const begun = kept.map(({ draft }) => draft.page.stage);
  return STAGES.filter((stage) => named.includes(stage) || begun.includes(stage)).map((stage, at) => {
    const mine = kept.filter(({ draft }) => draft.page.stage === stage);
    const begun = mine.find(({ state }) => state === "draft")?.draft;
    return {
      stage,
      key: String(at + 1),
      standing: me?.stages.find((one) => one.stage === stage) ?? null,
      draft: begun
        ? {
            answered: answered(begun),
            items: begun.page.items.length,
            over: Date.parse(begun.page.expires_at) <= now,
          }
        : null,
      unsent: mine.filter(({ state }) => state === "waiting").length,
    };
  });
}

/** Returns the stage of a number key, or null. */
export function stageAt(key: string, rows: readonly Pick<Row, "stage" | "key">[]): Stage | null {
  return rows.find((row) => row.key === key)?.stage ?? null;
}

/** Whether there is something to do in a stage: work, or the test before it. */
export function worthOpening(standing: Standing): boolean {
  return standing.standing === "test" || (standing.standing === "open" && standing.waiting);
}

/** Whether the list needs a sentence above it: no work waits anywhere, or everything is closed. */
export function mood(rows: readonly Row[]): "closed" | "empty" | null {
  const known = rows.flatMap(({ standing }) => (standing ? [standing] : []));
  if (known.length === 0) return null;
  if (known.every(({ standing }) => standing === "blocked")) return "closed";
  const any = known.some(worthOpening);
  return any || rows.some(({ draft }) => draft) ? null : "empty";
}
