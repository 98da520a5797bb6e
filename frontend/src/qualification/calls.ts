/** The API's calls of the qualification tests. */

import type { Api } from "../api/client";
import type { Result } from "../api/result";
import { isBag, isEdges, isItems, isStage } from "../api/shape";
import type { Answer, Explanation, Me, Outcome, Qualification, Stage, Try } from "../api/types";

export interface Calls {
  /** Returns where the worker is in the test of a stage. */
  look(stage: Stage): Promise<Result<Qualification>>;
  /** Begins a try, or returns the one that was begun. */
  begin(stage: Stage): Promise<Result<Try>>;
  /** Answers a training item. The first answer to each item is kept. */
  train(held: Held, item: number, answer: Answer): Promise<Result<Explanation>>;
  /** Hands in all answers. If this is repeated, the reply is the same as the first time. */
  handIn(held: Held, answers: { item: number; answer: Answer }[]): Promise<Result<Outcome>>;
  me(): Promise<Result<Me>>;
}

/** Which try it is. */
export type Held = Pick<Try, "stage" | "number">;

const isNumber = (value: unknown): value is number => Number.isFinite(value);

const isSituation = (value: unknown): value is Record<string, unknown> =>
  isBag(value) && typeof value.state === "string" && isNumber(value.tries_left) && isNumber(value.pass_mark);

const isTry = (value: unknown): value is Try =>
  isBag(value) &&
  isNumber(value.number) &&
  isStage(value.stage) &&
  typeof value.part === "string" &&
  Array.isArray(value.answered) &&
  isBag(value.drawing) &&
  isItems(value.items);

const isQualification = (value: unknown): value is Qualification =>
  isSituation(value) && (value.try === null || isTry(value.try));

const isExplanation = (value: unknown): value is Explanation =>
  isBag(value) &&
  typeof value.right === "boolean" &&
  typeof value.explanation === "string" &&
  isBag(value.answer) &&
  (value.answer.boxes === undefined ||
    (Array.isArray(value.answer.boxes) && value.answer.boxes.every(isEdges)));

const isOutcome = (value: unknown): value is Outcome =>
  isSituation(value) && typeof value.passed === "boolean" && isNumber(value.right) && isNumber(value.asked);

export function callsOf(api: Pick<Api, "call" | "me">): Calls {
  const of = (stage: Stage) => `qualifications/${stage}`;
  const tries = ({ stage, number }: Held) => `${of(stage)}/tries/${number}`;
  const post = (path: string, body: object) => ({ method: "POST", path, body }) as const;
  return {
    look: (stage) => api.call({ method: "GET", path: of(stage) }, isQualification),
    begin: (stage) => api.call({ method: "POST", path: `${of(stage)}/tries` }, isTry),
    train: (held, item, answer) => api.call(post(`${tries(held)}/training`, { item, answer }), isExplanation),
    handIn: (held, answers) => api.call(post(`${tries(held)}/submission`, { answers }), isOutcome),
    me: () => api.me(),
  };
}
