/** Sends an annotation to the server, and says what became of it. */

import { answerOf } from "./annotation";
import type { Draft } from "./draft";

export type Sent =
  | { kind: "saved"; next: string }
  | { kind: "changed"; version: string; says: string; changes: string[] }
  | { kind: "refused"; says: string };

interface Reply {
  next?: string;
  error?: string;
  version?: string;
  changes?: string[];
}

export async function send(address: string, token: string, draft: Draft): Promise<Sent> {
  const { key, version, purpose, note, doc } = draft;
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": token },
      body: JSON.stringify({ key, version, purpose, note, ...answerOf(doc) }),
    });
  } catch {
    return { kind: "refused", says: "The server does not answer. Your work is kept here: save again later." };
  }
  if (!(response.headers.get("content-type") ?? "").startsWith("application/json")) {
    // Somebody who was logged out is sent a page.
    return {
      kind: "refused",
      says:
        response.status === 413
          ? "This is too much for one image. Your work is kept here: take some of it away, then save again."
          : response.status >= 500
            ? "The server has failed. Your work is kept here: save again."
            : "You are not logged in any more, or may not save. Log in in another tab, then save again.",
    };
  }
  const reply = (await response.json()) as Reply;
  if (response.ok && reply.next !== undefined) return { kind: "saved", next: reply.next };
  if (response.status === 409 && reply.version !== undefined) {
    return {
      kind: "changed",
      version: reply.version,
      says: reply.error ?? "",
      changes: reply.changes ?? [],
    };
  }
  return { kind: "refused", says: reply.error ?? "The server has refused this." };
}
