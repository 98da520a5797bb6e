import { describe, expect, it } from "vitest";
import { arrivalBy, arrivalOf } from "./arrival";

const PLACE = { stage: "link", token: "0a1b" } as const;

describe("the parameters of a platform", () => {
  it("are Mechanical Turk's", () => {
    const search =
      "?assignmentId=A1&hitId=H1&workerId=W1&turkSubmitTo=https%3A%2F%2Fworkersandbox.mturk.com&assignmentId=A2";
    expect(arrivalOf(search, PLACE)).toEqual({
      kind: "accepted",
      path: "crowd/sessions",
      body: {
        publication: "0a1b",
        stage: "link",
        assignment: "A1",
        worker: "W1",
        submit_to: "https://workersandbox.mturk.com",
      },
    });
  });

  it("are Prolific's", () => {
    expect(arrivalOf("?PROLIFIC_PID=p&STUDY_ID=s&SESSION_ID=x", PLACE)).toEqual({
      kind: "accepted",
      path: "crowd/sessions",
      body: { publication: "0a1b", stage: "link", assignment: "x", worker: "p", submit_to: "" },
    });
  });

  it.each([
    "?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=H1",
    "?PROLIFIC_PID={{%PROLIFIC_PID%}}&SESSION_ID={{%SESSION_ID%}}",
  ])("%s is a preview", (search) => expect(arrivalOf(search, PLACE)).toEqual({ kind: "preview" }));

  it.each(["", "?assignmentId=A1", "?workerId=W1", "?assignmentId=&workerId=W1", "?%"])(
    "%s says nobody",
    (search) => expect(arrivalOf(search, PLACE)).toEqual({ kind: "nobody" }),
  );
});

describe("the address of a batch", () => {
  it.each([
    ["/work/crowd/any/3-ab/", "?participantId=p", "", "participantId=p", "", ""],
    ["/work/crowd/any/3-ab/p7/", "", "", "", "", "p7"],
    ["/work/crowd/any/3-ab", "", "#p7", "", "p7", ""],
  ])("%s%s%s is handed on as it is", (pathname, search, hash, query, fragment, participant) =>
    expect(arrivalBy({ pathname, search, hash }, "3-ab")).toEqual({
      kind: "accepted",
      path: "crowd/arrivals",
      body: { link: "3-ab", query, fragment, participant },
    }),
  );
});
