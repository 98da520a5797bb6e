import { describe, expect, it } from "vitest";
import { arrivalOf } from "./arrival";

describe("the parameters of a platform", () => {
  it("are Mechanical Turk's", () => {
    const search =
      "?assignmentId=A1&hitId=H1&workerId=W1&turkSubmitTo=https%3A%2F%2Fworkersandbox.mturk.com&assignmentId=A2";
    expect(arrivalOf(search)).toEqual({
      kind: "accepted",
      assignment: "A1",
      worker: "W1",
      submitTo: "https://workersandbox.mturk.com",
    });
  });

  it("are Prolific's", () => {
    expect(arrivalOf("?PROLIFIC_PID=p&STUDY_ID=s&SESSION_ID=x")).toEqual({
      kind: "accepted",
      assignment: "x",
      worker: "p",
      submitTo: "",
    });
  });

  it.each([
    "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1",
    "?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}",
  ])("%s is a preview", (search) => expect(arrivalOf(search)).toEqual({ kind: "preview" }));

  it.each(["", "?assignmentId=A1", "?workerId=W1", "?assignmentId=&workerId=W1", "?%"])(
    "%s says nobody",
    (search) => expect(arrivalOf(search)).toEqual({ kind: "nobody" }),
  );
});
