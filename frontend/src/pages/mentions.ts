/** What a question is about, in one line. */

import type { Answer, Caption, Question } from "../api/types";

const wordsOf = ({ segments }: Caption): string =>
  segments
    .map(({ text }) => text)
    .join("")
    .trim();

/** How many words of a caption tell it from others. */
const BEGINNING = 5;

function beginningOf(caption: Caption): string {
  const words = wordsOf(caption).split(/\s+/u);
  return words.length > BEGINNING ? `${words.slice(0, BEGINNING).join(" ")} …` : words.join(" ");
}

/**
 * Returns the marked words of each caption, without repeating them. Where none are marked: the whole caption; of
 * several ones those that the answer takes, or else the beginning of each.
 */
export function mentionsOf({ captions }: Pick<Question, "captions">, answer: Answer | null = null): string {
  if (!captions.some(({ segments }) => segments.some(({ mention }) => mention))) {
    const taken =
      answer !== null && "describes" in answer ? captions.filter((_, at) => answer.describes[at]) : [];
    const whole = taken.length > 0 || captions.length < 2;
    return (taken.length > 0 ? taken : captions).map(whole ? wordsOf : beginningOf).join(" · ");
  }
  const each = captions.map(({ segments }) =>
    segments
      .filter(({ mention }) => mention)
      .map((segment) => segment.text.trim())
      .join(" … "),
  );
  return [...new Set(each.filter((words) => words !== ""))].join(" · ");
}
