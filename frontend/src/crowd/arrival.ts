/** What a platform's address tells us: who came, and for what. */

export type Arrival =
  /** Somebody looks at the task, and has not accepted it. */
  | { kind: "preview" }
  /** The page was opened without a platform. */
  | { kind: "nobody" }
  | {
      kind: "accepted";
      /** The platform's ids of the assignment or submission, and of the worker. */
      assignment: string;
      worker: string;
      /** The address of Mechanical Turk's site; empty for other platforms. */
      submitTo: string;
    };

const NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE";

/** Reads `location.search`, with Mechanical Turk's names or Prolific's. */
export function arrivalOf(search: string): Arrival {
  const said = new URLSearchParams(search);
  const first = (...names: string[]): string => names.map((name) => said.get(name)).find(Boolean) ?? "";
  const assignment = first("assignmentId", "SESSION_ID");
  const worker = first("workerId", "PROLIFIC_PID");
  // If a researcher only looks at the study, Prolific leaves its placeholders in the address.
  if (assignment === NOT_ACCEPTED || assignment.startsWith("{{")) return { kind: "preview" };
  if (assignment === "" || worker === "") return { kind: "nobody" };
  return { kind: "accepted", assignment, worker, submitTo: first("turkSubmitTo") };
}
