/** What a question is about, in one line. */

import type { Question } from "../api/types";

/** Returns the marked words of each caption, without repeating them. */
export function mentionsOf({ captions }: Pick<Question, "captions">): string {
  const each = captions.map(({ segments }) =>
    segments
      .filter(({ mention }) => mention)
      .map((segment) => segment.text.trim())
      .join(" … "),
  );
  return [...new Set(each.filter((words) => words !== ""))].join(" · ");
}
