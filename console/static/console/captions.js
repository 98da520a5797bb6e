/* Marks phrases of a caption by selecting text. Without this script, brackets are typed. */

const area = document.querySelector("[data-marked]");
const bar = document.querySelector("[data-marking]");

/** Returns the beginning and the end of the words that a selection touches, without brackets and spaces. */
function wordsAround(text, from, to) {
  const apart = /[\s[\]]/;
  let [start, end] = [from, to];
  while (start < end && apart.test(text[start])) start += 1;
  while (end > start && apart.test(text[end - 1])) end -= 1;
  while (start > 0 && !apart.test(text[start - 1])) start -= 1;
  while (end < text.length && !apart.test(text[end])) end += 1;
  return [start, end];
}

/** Replaces a part of the text, so that the browser's own undo takes it back. */
function replace(start, end, by) {
  area.focus();
  area.setSelectionRange(start, end);
  if (!document.execCommand("insertText", false, by)) area.setRangeText(by, start, end, "end");
}

const bare = (text) => text.replace(/(\\.)|[[\]]/g, (all, escaped) => escaped ?? "");

/** Returns the phrase around a place, with its brackets, or null. */
function phraseAt(text, place) {
  const open = text.lastIndexOf("[", place);
  const close = text.indexOf("]", Math.max(open, 0));
  if (open < 0 || close < 0 || text[open - 1] === "\\" || close + 1 < place) return null;
  return [open, close + 1];
}

function markSelection() {
  const text = area.value;
  let [start, end] = wordsAround(text, area.selectionStart, area.selectionEnd);
  if (start >= end) return;
  // Phrases that the selection touches give way to it.
  for (const place of [start, end]) {
    const there = phraseAt(text, place);
    if (there) [start, end] = [Math.min(start, there[0]), Math.max(end, there[1])];
  }
  const [first, last] = wordsAround(text, area.selectionStart, area.selectionEnd);
  const before = bare(text.slice(start, first));
  const after = bare(text.slice(last, end));
  replace(start, end, `${before}[${bare(text.slice(first, last))}]${after}`);
}

function unmarkSelection() {
  const there = phraseAt(area.value, area.selectionStart);
  if (there) replace(...there, bare(area.value.slice(...there)));
}

if (area && bar) {
  bar.hidden = false;
  bar.querySelector("[data-mark]").addEventListener("click", markSelection);
  bar.querySelector("[data-unmark]").addEventListener("click", unmarkSelection);
}
