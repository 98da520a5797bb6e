/** What is said in a place of two lines on a phone fits there, in every language. */
import { expect, test } from "vitest";
import { LANGUAGES, readRest, rest, speak, text } from "./index.svelte";
import { suggestionWords } from "./suggestions";

/** The characters of two lines. A Chinese one is as wide as two. */
const MOST = 90;
const wide = (words: string): number =>
  [...words].reduce((sum, one) => sum + (/[\u3000-\u9fff\uff00-\uffef]/u.test(one) ? 2 : 1), 0);

test.each(LANGUAGES)("below the photograph and in the bar, in %s", async (language) => {
  await Promise.all([speak(language), readRest()]);
  const { boxes } = rest().joint;
  const { surface, stages, work } = text();
  const said = [
    ...[rest().closeUp, boxes.adjust, boxes.choose, boxes.unfinished, boxes.nothing, boxes.removeFirst],
    ...[boxes.another(12), boxes.twin(12), boxes.most(50), boxes.count(12, 11), boxes.count(1, 1)],
    ...[surface.finished, surface.tooSmall(3), stages.drawing.adjust, stages.drawing.drag],
    ...[0, 1, 3].map((n) => stages.drawing.extreme("tap", n)),
    ...[suggestionWords().nothing, rest().crowd.lease],
    ...[work.memory, work.offline, work.unreachable, work.over, work.notice("")],
    ...[1, 12].flatMap((n) => [work.waiting(n), work.soon(n), work.problems(n), work.aside(n)]),
  ];
  expect(said.filter((words) => wide(words) > MOST)).toEqual([]);
});
