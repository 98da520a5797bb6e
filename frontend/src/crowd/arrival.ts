/** What a platform says in the address of who came, and what for. */

export type Arrival =
  /** Somebody looks at the task, and has not taken it. */
  | { kind: "preview" }
  /** Opened without a platform. */
  | { kind: "nobody" }
  | {
      kind: "accepted";
      /** The platform's ids of the assignment or submission, and of the worker. */
      assignment: string;
      worker: string;
      /** Mechanical Turk's site; empty where the platform has none. */
      submitTo: string;
    };

const NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE";

/** From `location.search`: Mechanical Turk's names, or Prolific's. */
export function arrivalOf(search: string): Arrival {
  const said = new URLSearchParams(search);
  const first = (...names: string[]): string => names.map((name) => said.get(name)).find(Boolean) ?? "";
  const assignment = first("assignmentId", "SESSION_ID");
  const worker = first("workerId", "PROLIFIC_PID");
  // Prolific leaves its placeholders in place where a researcher only looks.
  if (assignment === NOT_ACCEPTED || assignment.startsWith("{{")) return { kind: "preview" };
  if (assignment === "" || worker === "") return { kind: "nobody" };
  return { kind: "accepted", assignment, worker, submitTo: first("turkSubmitTo") };
}
