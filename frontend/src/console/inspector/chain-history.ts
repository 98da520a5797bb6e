/** A chain's history, in the form of the server's JSON. */

import type { Edges } from "../../api/types";

export interface ChainHistory {
  title: string;
  state: string;
  boxes: { label: string; state: string; box: Edges; by: string }[];
  entries: Entry[];
}

interface Entry {
  kind: string;
  at: string;
  title: string;
  says: string;
  note: string;
  by: string;
  tone: string;
  moves: string[];
  withdrawn: boolean;
  given: Given[];
}

interface Given {
  name: string;
  answer: string;
  seconds: number | null;
  comment: string;
  chunk_flag: boolean;
  aside: string;
}

/** Writes a time as the server's own pages do, in UTC: 1 Mar 12:00. */
export function sayDay(at: string): string {
  const day = new Date(at);
  const date = day.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const time = day.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
  return `${date} ${time}`;
}
