/** What a question is about, in one line. */

import type { Question } from "../api/types";

/** Returns the marked words of each caption, without repeating them; of one whose words are not marked, all. */
export function mentionsOf({ captions }: Pick<Question, "captions">): string {
  const [only] = captions;
  if (only && captions.length === 1 && !only.segments.some(({ mention }) => mention))
    return only.segments
      .map((segment) => segment.text)
      .join("")
      .trim();
  const each = captions.map(({ segments }) =>
    segments
      .filter(({ mention }) => mention)
      .map((segment) => segment.text.trim())
      .join(" … "),
  );
  return [...new Set(each.filter((words) => words !== ""))].join(" · ");
}
