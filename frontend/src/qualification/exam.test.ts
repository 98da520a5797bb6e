import "fake-indexeddb/auto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Failure } from "../api/result";
import { settle, Time } from "../work/testing/world";
import { Exam } from "./exam.svelte";
import type { Place } from "./place";
import { placeOf, storeOf, TestServer } from "./testing/server";
import type { Trial } from "./trial.svelte";

const YES = { same: true };
const NO = { same: false };

let server: TestServer;
let time: Time;
let place: Place;
const signedOut = vi.fn();

async function open(where = place): Promise<Exam> {
  const exam = new Exam("link", where, signedOut);
  await exam.load();
  return exam;
}

/** An exam whose training part is done. */
async function ready(): Promise<Exam> {
  server.state = "testing";
  server.answered = [1, 2];
  return open();
}

function trialIn({ phase }: Exam): Trial {
  if (phase.kind !== "testing") throw new Error(`there is no test in ${phase.kind}`);
  return phase.trial;
}

async function answerAll(trial: Trial, ...answers: { same: boolean }[]): Promise<void> {
  for (const [at, answer] of answers.entries()) {
    trial.go(at);
    trial.change({ answer });
  }
  await settle();
}

beforeEach(() => {
  signedOut.mockClear();
  server = new TestServer();
  time = new Time();
  place = placeOf(server, time);
});

test("it goes from the words before it through practice and the test to the result", async () => {
  const exam = await open();
  expect(exam.phase.kind).toBe("intro");
  await exam.begin();
  expect(exam.phase).toMatchObject({ kind: "training", place: 0 });
  await exam.say(NO);
  expect(exam.phase).toMatchObject({ kind: "explained", said: NO, explanation: { right: false } });
  await exam.next();
  expect(exam.phase).toMatchObject({ kind: "training", place: 1 });
  await exam.say(YES);
  await exam.next();
  expect(exam.phase.kind).toBe("ready");
  await exam.next();
  const trial = trialIn(exam);
  expect(trial.phase.kind).toBe("working");
  await answerAll(trial, YES, YES, YES);
  await trial.submit();
  expect(exam.phase).toMatchObject({ kind: "ended", outcome: { passed: true, right: 3 } });
  expect(server.handed).toEqual([[1, 2, 3].map((item) => ({ item, answer: YES }))]);
});

describe("a worker is told what is in the way", () => {
  test.each([
    ["waiting", "waiting", { kind: "waiting" }],
    ["failed", "closed", { kind: "closed", reason: "tries" }],
    ["figures", "figures", { kind: "closed", reason: "figures" }],
    ["passed", "closed", { kind: "closed", reason: "trust" }],
    ["not_required", "enough", { kind: "enough", retryIn: null }],
    ["none", "blocked", { kind: "closed", reason: "blocked" }],
    ["passed", "open", { kind: "open", passed: true }],
    ["not_required", "open", { kind: "open", passed: false }],
  ] as const)("%s and %s", async (state, standing, phase) => {
    server.state = state;
    server.standing = standing;
    expect((await open()).phase).toEqual(phase);
  });
});

test("practice goes on where it was left", async () => {
  server.state = "training";
  server.answered = [1];
  expect((await open()).phase).toMatchObject({ kind: "training", place: 1 });
});

test("who waits may begin once the time is over, without asking", async () => {
  server.state = "waiting";
  const exam = await open();
  server.state = "none";
  await time.pass(62);
  expect(exam.phase.kind).toBe("intro");
});

test("an answer that did not arrive can be given again", async () => {
  server.state = "training";
  const exam = await open();
  server.network = false;
  await exam.say(YES);
  expect([exam.phase.kind, exam.notice]).toEqual(["training", "offline"]);
  server.network = true;
  await exam.say(YES);
  expect([exam.phase.kind, exam.notice]).toEqual(["explained", null]);
});

test("that the connection is missing is said until it is back", async () => {
  await (await open()).begin();
  const exam = await open();
  server.network = false;
  await exam.say(YES);
  await time.pass(5);
  expect(exam.notice).toBe("offline");
  server.network = true;
  await time.pass(60);
  expect([exam.phase.kind, exam.notice]).toEqual(["training", null]);
});

test("without a network it is tried again by itself", async () => {
  server.network = false;
  const exam = await open();
  expect(exam.phase).toMatchObject({ kind: "failed", offline: true });
  server.network = true;
  await time.pass(5);
  expect(exam.phase.kind).toBe("intro");
});

test("what cannot begin says why, and shows how it stands", async () => {
  const exam = await open();
  server.state = "failed";
  server.refusal = { ok: false, kind: "over", detail: "You have no tries left." };
  await exam.begin();
  expect(exam.phase).toEqual({ kind: "closed", reason: "tries" });
  expect(exam.notice).toEqual({ detail: "You have no tries left." });
});

test("who is signed out is sent to sign in", async () => {
  server.refusal = { ok: false, kind: "unauthorised", detail: "" };
  await open();
  expect(signedOut).toHaveBeenCalledOnce();
});

describe("the answers of a test", () => {
  test("survive a reload, which goes on in the middle of it", async () => {
    const exam = await ready();
    await exam.next();
    await answerAll(trialIn(exam), NO, YES);
    exam.stop();
    const again = await open(placeOf(server, time, place.store));
    expect(trialIn(again).draft?.entries.map(({ answer }) => answer)).toEqual([NO, YES, null]);
  });

  test("are no page of work", async () => {
    const exam = await ready();
    await exam.next();
    trialIn(exam).change({ answer: YES, comment: "who reads this?", chunkFlag: true });
    expect(trialIn(exam).draft?.entries[0]).toMatchObject({ answer: YES, comment: "", chunkFlag: false });
  });

  test("are not handed in before all are there", async () => {
    const exam = await ready();
    await exam.next();
    await answerAll(trialIn(exam), YES, YES);
    trialIn(exam).go(0);
    await trialIn(exam).submit();
    expect(trialIn(exam).draft?.place).toBe(2);
    expect(server.handed).toEqual([]);
  });

  test("are handed in once the network is back, also after a reload", async () => {
    const exam = await ready();
    await exam.next();
    await answerAll(trialIn(exam), YES, YES, YES);
    server.network = false;
    await trialIn(exam).submit();
    expect(trialIn(exam).phase.kind).toBe("sending");
    exam.stop();
    server.network = true;
    const again = await open(placeOf(server, time, place.store));
    await settle();
    expect(again.phase).toMatchObject({ kind: "ended", outcome: { passed: true } });
    expect(await place.store.list("ada")).toEqual([]);
  });

  test("are sent again by themselves, and scored once", async () => {
    const exam = await ready();
    await exam.next();
    await answerAll(trialIn(exam), YES, NO, NO);
    server.refusal = { ok: false, kind: "busy", detail: "", retryAfter: 2 };
    await trialIn(exam).submit();
    expect(trialIn(exam).phase.kind).toBe("sending");
    await time.pass(10);
    expect(exam.phase).toMatchObject({ kind: "ended", outcome: { passed: false, right: 1 } });
    expect(server.handed).toHaveLength(1);
  });

  test("that the server does not take are shown with what it said", async () => {
    const exam = await ready();
    await exam.next();
    await answerAll(trialIn(exam), YES, YES, YES);
    const errors = [{ pointer: "/answers/1/answer/same", detail: "must be otherwise" }];
    server.refusal = { ok: false, kind: "invalid", detail: "", errors } satisfies Failure;
    await trialIn(exam).submit();
    const trial = trialIn(exam);
    expect(trial.phase.kind).toBe("working");
    expect([...trial.problems]).toEqual([[1, "must be otherwise"]]);
    expect(trial.draft?.place).toBe(1);
    await trial.submit();
    expect(exam.phase.kind).toBe("ended");
  });

  test("belong to the tab that was opened last", async () => {
    const first = await ready();
    await first.next();
    await answerAll(trialIn(first), YES);
    const second = await open(placeOf(server, time, place.store));
    trialIn(second).go(1);
    trialIn(second).change({ answer: NO });
    await settle();
    trialIn(first).change({ answer: NO });
    await settle();
    expect(trialIn(first).phase.kind).toBe("elsewhere");
    trialIn(first).takeOver();
    await settle();
    expect(trialIn(first).draft?.entries.map(({ answer }) => answer)).toEqual([YES, NO, null]);
  });

  test("of a try that another tab ended are thrown away, and the result is shown", async () => {
    const exam = await ready();
    await exam.next();
    server.state = "passed";
    server.standing = "open";
    await trialIn(exam).retry();
    await settle();
    expect(exam.phase).toEqual({ kind: "open", passed: true });
  });
});

test("tests of two browsers do not meet", async () => {
  const exam = await ready();
  await exam.next();
  await answerAll(trialIn(exam), YES);
  const other = await open(placeOf(server, time, storeOf()));
  expect(other.phase.kind).toBe("ready");
});
