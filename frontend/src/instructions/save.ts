/** Sends instructions to the server, and says what became of them. */

import { post } from "../console/post";
import { sent } from "./edit";
import type { Content } from "./setup";

export type Saved =
  | { kind: "saved"; next: string }
  /** Somebody else saved a version meanwhile, which is `newest`. */
  | { kind: "changed"; says: string; newest: number }
  | { kind: "refused"; says: string };

interface Reply {
  next?: string;
  newest?: number;
}

const KEPT = "What you wrote is still here.";

export async function save(
  address: string,
  token: string,
  basedOn: number,
  content: Content,
): Promise<Saved> {
  const body = { based_on: basedOn, content: sent(content) };
  const posted = await post<Reply>(address, token, body, { kept: KEPT });
  if ("says" in posted) return { kind: "refused", says: posted.says };
  const { status, reply } = posted;
  if (status < 300 && reply.next !== undefined) return { kind: "saved", next: reply.next };
  if (status === 409 && reply.newest !== undefined)
    return { kind: "changed", says: `${reply.error ?? ""} ${KEPT}`, newest: reply.newest };
  return { kind: "refused", says: reply.error ?? "The server has refused this." };
}
