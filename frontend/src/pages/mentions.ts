/** What a question is about, in one line. */

import type { Question } from "../api/types";

/** The marked words of each caption, the same ones once. */
export function mentionsOf({ captions }: Pick<Question, "captions">): string {
  const each = captions.map(({ segments }) =>
    segments
      .filter(({ mention }) => mention)
      .map((segment) => segment.text.trim())
      .join(" … "),
  );
  return [...new Set(each.filter((words) => words !== ""))].join(" · ");
}
