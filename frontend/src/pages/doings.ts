import type { Standing } from "../api/types";

export type Doings = Pick<Standing, "pages" | "judgments" | "seconds">;

/** Returns the sums over all stages, with time in seconds. */
export function together(each: readonly Doings[]): Doings {
  return each.reduce(
    (all, one) => ({
      pages: all.pages + one.pages,
      judgments: all.judgments + one.judgments,
      seconds: all.seconds + one.seconds,
    }),
    { pages: 0, judgments: 0, seconds: 0 },
  );
}
