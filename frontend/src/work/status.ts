/** The one thing to tell about the work: of all that there is, what the worker has to act on first. */

import type { Catalogue } from "../texts/catalogue";
import type { WorkView } from "./view";

/** `bad`: nothing goes on without the worker. `warn`: the worker should know it. `quiet`: all is well. */
export type Severity = "quiet" | "warn" | "bad";

export interface StatusLine {
  severity: Severity;
  text: string;
}

export type Seen = Pick<
  WorkView,
  "phase" | "online" | "kept" | "lease" | "leaseLeft" | "waiting" | "problems" | "aside" | "notice"
>;

/** Returns what to tell, or null if there is nothing. `texts` is `text().work`. */
export function statusLine(seen: Seen, texts: Catalogue["work"]): StatusLine | null {
  const { phase, online, kept, lease, leaseLeft, waiting, problems, aside, notice } = seen;
  const bad = (text: string): StatusLine => ({ severity: "bad", text });
  const warn = (text: string): StatusLine => ({ severity: "warn", text });
  const quiet = (text: string): StatusLine => ({ severity: "quiet", text });

  // What takes the place of the work says itself what the matter is.
  if (["signin", "refused", "elsewhere", "failed", "sending"].includes(phase.kind)) return null;
  if (aside.length > 0) return bad(texts.aside(aside.reduce((sum, a) => sum + a.answers, 0)));
  if (phase.kind === "working") {
    if (problems.size > 0) return bad(texts.problems(problems.size));
    if (lease === "over") return warn(texts.over);
    if (kept === "memory") return warn(texts.memory);
    if (!online) return warn(texts.offline);
    if (notice !== null) return warn(texts.notice(notice));
    if (lease === "soon") return warn(texts.soon(Math.max(1, Math.ceil((leaseLeft ?? 0) / 60))));
    return quiet(kept === "saving" ? texts.saving : texts.saved);
  }
  if (waiting > 0) return warn(texts.waiting(waiting));
  return online ? null : warn(texts.unreachable);
}
