/** What a platform's address tells us: who came, and for what. */

import type { Stage } from "../api/types";

export type Arrival =
  /** Somebody looks at the task, and has not accepted it. */
  | { kind: "preview" }
  /** The page was opened without a platform. */
  | { kind: "nobody" }
  /** The call that begins, or goes on with, the place of whoever came. */
  | { kind: "accepted"; path: string; body: Record<string, string> };

const NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE";

/** Reads `location.search`, with Mechanical Turk's names or Prolific's. */
export function arrivalOf(search: string, { stage, token }: { stage: Stage; token: string }): Arrival {
  const said = new URLSearchParams(search);
  const first = (...names: string[]): string => names.map((name) => said.get(name)).find(Boolean) ?? "";
  const assignment = first("assignmentId", "SESSION_ID");
  const worker = first("workerId", "PROLIFIC_PID");
  // If a researcher only looks at the study, Prolific leaves its placeholders in the address.
  if (assignment === NOT_ACCEPTED || assignment.startsWith("{{")) return { kind: "preview" };
  if (assignment === "" || worker === "") return { kind: "nobody" };
  const body = { publication: token, stage, assignment, worker, submit_to: first("turkSubmitTo") };
  return { kind: "accepted", path: "crowd/sessions", body };
}

/** Hands on the address of a batch. The server knows by which name its platform says who came. */
export function arrivalBy(
  { pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">,
  token: string,
): Arrival {
  const participant = /\/([\w-]+)\/?$/.exec(pathname)?.[1] ?? "";
  const body = {
    link: token,
    query: search.slice(1),
    fragment: hash.slice(1),
    participant: participant === token ? "" : participant,
  };
  return { kind: "accepted", path: "crowd/arrivals", body };
}
