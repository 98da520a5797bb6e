/** Sends instructions to the server, and says what became of them. */

import { sent } from "./edit";
import type { Content } from "./setup";

export type Saved =
  | { kind: "saved"; next: string }
  /** Somebody else saved a version meanwhile, which is `newest`. */
  | { kind: "changed"; says: string; newest: number }
  | { kind: "refused"; says: string };

interface Reply {
  next?: string;
  error?: string;
  newest?: number;
}

const KEPT = "What you wrote is still here.";

export async function save(
  address: string,
  token: string,
  basedOn: number,
  content: Content,
): Promise<Saved> {
  let response: Response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": token },
      body: JSON.stringify({ based_on: basedOn, content: sent(content) }),
    });
  } catch {
    return { kind: "refused", says: `The server does not answer. ${KEPT} Save again later.` };
  }
  if (!(response.headers.get("content-type") ?? "").startsWith("application/json")) {
    // Somebody who was logged out is sent a page.
    const says =
      response.status >= 500
        ? "The server has failed."
        : "You are not logged in any more, or may not save. Log in in another tab.";
    return { kind: "refused", says: `${says} ${KEPT} Save again then.` };
  }
  const reply = (await response.json()) as Reply;
  if (response.ok && reply.next !== undefined) return { kind: "saved", next: reply.next };
  if (response.status === 409 && reply.newest !== undefined) {
    return { kind: "changed", says: `${reply.error ?? ""} ${KEPT}`, newest: reply.newest };
  }
  return { kind: "refused", says: reply.error ?? "The server has refused this." };
}
