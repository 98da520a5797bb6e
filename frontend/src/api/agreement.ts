/**
 * If `types.ts` does not say the same as `schema.ts`, this file does not compile. `types.ts` has names of its
 * own because its types are more precise in one point: a box has four edges, while the generated types only
 * know an array of numbers.
 */

import type { components } from "./schema";
import type * as ours from "./types";

type Theirs = components["schemas"];

type Loose<T> = T extends ours.Edges
  ? number[]
  : T extends readonly (infer U)[]
    ? Loose<U>[]
    : T extends object
      ? { [K in keyof T]: Loose<T[K]> }
      : T;
type Agree<A, B> = [Loose<A>, B] extends [B, Loose<A>] ? true : { ours: Loose<A>; theirs: B };
type Holds<T extends true> = T;

export type Agreed = [
  Holds<Agree<ours.Page, Theirs["Page"]>>,
  Holds<Agree<ours.Receipt, Theirs["Receipt"]>>,
  Holds<Agree<ours.Lease, Theirs["Lease"]>>,
  Holds<Agree<ours.Waiting, Theirs["Waiting"]>>,
  Holds<Agree<ours.Me, Theirs["Me"]>>,
  Holds<Agree<ours.Answer, Theirs["AnswerRequest"]>>,
  Holds<Agree<ours.Qualification, Theirs["Qualification"]>>,
  Holds<Agree<ours.Try, Theirs["Try"]>>,
  Holds<Agree<ours.Explanation, Theirs["Explanation"]>>,
  Holds<Agree<ours.Outcome, Theirs["Outcome"]>>,
];
