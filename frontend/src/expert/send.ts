/** Sends an annotation to the server, and says what became of it. */

import { post } from "../console/post";
import { answerOf } from "./annotation";
import type { Draft } from "./draft";
import { takenIn } from "./suggested";

export type Sent =
  | { kind: "saved"; next: string }
  | { kind: "changed"; version: string; says: string; changes: string[] }
  | { kind: "refused"; says: string };

interface Reply {
  next?: string;
  version?: string;
  changes?: string[];
}

const WORDS = {
  kept: "Your work is kept here.",
  large: "This is too much for one image: take some of it away, then save again.",
};

export async function send(address: string, token: string, draft: Draft): Promise<Sent> {
  const { key, version, purpose, note, doc, seen } = draft;
  const suggestions = seen === undefined ? undefined : { set: seen, boxes: takenIn(doc) };
  const body = { key, version, purpose, note, suggestions, ...answerOf(doc) };
  const posted = await post<Reply>(address, token, body, WORDS);
  if ("says" in posted) return { kind: "refused", says: posted.says };
  const { status, reply } = posted;
  if (status < 300 && reply.next !== undefined) return { kind: "saved", next: reply.next };
  const says = reply.error ?? "The server has refused this.";
  if (status === 409 && reply.version !== undefined)
    return { kind: "changed", version: reply.version, says, changes: reply.changes ?? [] };
  return { kind: "refused", says };
}
