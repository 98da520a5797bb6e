/** The one thing to tell about the work: of all that there is, what the worker has to act on first. */

import type { Catalogue } from "../texts/index.svelte";
import type { WorkView } from "./view";

/** `bad`: nothing goes on without the worker. `warn`: the worker should know it. `quiet`: all is well. */
export type Severity = "quiet" | "warn" | "bad";

export interface StatusLine {
  severity: Severity;
  text: string;
}

export type Seen = Pick<
  WorkView,
  "phase" | "online" | "kept" | "lease" | "leaseLeft" | "waiting" | "problems" | "aside" | "notice" | "draft"
>;

/** Returns what to tell, or null if there is nothing. `texts` is `text().work`. */
export function statusLine(seen: Seen, texts: Catalogue["work"]): StatusLine | null {
  const { phase, online, kept, lease, leaseLeft, waiting, problems, aside, notice, draft } = seen;
  const bad = (text: string): StatusLine => ({ severity: "bad", text });
  const warn = (text: string): StatusLine => ({ severity: "warn", text });
  const quiet = (text: string): StatusLine => ({ severity: "quiet", text });

  if (phase.kind === "signin") return bad(draft ? texts.signInKept : texts.signIn);
  if (phase.kind === "refused") return bad(texts.refused(phase.detail));
  if (phase.kind === "elsewhere") return bad(texts.elsewhere);
  if (aside.length > 0) return bad(texts.aside(aside.reduce((sum, a) => sum + a.answers, 0)));
  if (phase.kind === "failed") return online ? bad(texts.failed(phase.detail)) : bad(texts.unreachable);
  if (phase.kind === "sending") {
    if (kept === "memory" && !online) return bad(texts.waitingInMemory);
    return online ? quiet(texts.sending) : warn(texts.waiting(Math.max(waiting, 1)));
  }
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
  if (!online) return warn(texts.unreachable);
  return phase.kind === "nothing" ? quiet(texts.nothing) : null;
}
