"""Count, per 1,000 words of each page, what makes our documentation harder to read than Django's.

    python -m scripts.prose [files]

Without files, it reads README.md and docs/*.md. It reads Markdown, and files in .txt as reStructuredText.
Blocks of code, inline code, comments, HTML, addresses of links and the lines of tables are not words. A word
begins with a letter. Headings, paragraphs, items of lists and cells of tables begin a sentence. The columns:

- what: *what*, *whatever* and *whoever* anywhere, and *who* and *whom* at the start of a clause: at the start
  of a sentence, or after a punctuation mark or one of `BEFORE_WHO`. *Who* after a noun (*workers who drew*)
  does not count, and a sentence that ends in a question mark does not either.
- nobody: *nobody*, *somebody*, *everybody*, *anybody* and *no one*.
- which: *of*, *in*, *by*, *to* and *for which*.
- you: *you*, *your*, *yours* and *yourself*.
- examples: *for example*, *for instance*, *such as*, *as in*, *e.g.* and *like this:*.
- blocks: blocks of code after a colon that no *for example* or *like this* announces.
- sentence: words per sentence, of the sentences that end in a full stop, question mark or exclamation mark.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

COLUMNS = ("what", "nobody", "which", "you", "examples", "blocks", "sentence")
DJANGO = dict(zip(COLUMNS, (0.98, 0.03, 0.48, 27.16, 5.53, 6.78, 15.59), strict=True))
"""All docs/topics/**/*.txt of Django 5.2 (its sdist on PyPI), 124,528 words, measured with this script."""

BLOCK, CODE = "\x00", "\x01"
"""Stand for a block of code after a colon, and for inline code: they keep their place, and are no words."""
BEFORE_WHO = (
    "says?|said|decides?|tells?|told|asks?|knows?|shows?|sees?|explains?|is|are|and|or|but|if|that|than|as|when|"
    "while|because|of|in|by|to|for|from|with|about|on|at|after|before"
)
PATTERNS = {
    "what": rf"\b(?:what|whatever|whoever)\b|(?:^|[,;:(] |\b(?:{BEFORE_WHO}) )whom?\b",
    "nobody": r"\b(?:nobody|somebody|everybody|anybody|no one)\b",
    "which": r"\b(?:of|in|by|to|for) which\b",
    "you": r"\b(?:you|your|yours|yourself)\b",
    "examples": r"\bfor (?:example|instance)\b|\blike this:|\bsuch as\b|\bas in\b|\be\.g\.",
    "blocks": rf"^(?!.*\b(?:for example|for instance|like this)\b).*{BLOCK}",
}
NOTES = "(?:note|warning|admonition)"
WORD = re.compile(r"[^\W\d_](?:[\w'’.-]*\w)?")


def from_markdown(text: str) -> str:
    """Return the words of a page in Markdown, with an empty line between what is not one sentence."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r":\s*\n+ *(```|~~~).*?\n *\1", f":{BLOCK}\n", text, flags=re.DOTALL)
    text = re.sub(r"^ *(```|~~~).*?\n *\1", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`]+`", CODE, text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>\n]+>", "", text)
    text = re.sub(r"^[|: -]+$", "", text, flags=re.MULTILINE).replace("|", "\n\n")
    return re.sub(r"^(#.*)$|^(?=\s*(?:- |\d+\. |>))", r"\n\1\n", text, flags=re.MULTILINE)


def from_restructured(text: str) -> str:
    """Return the words of a page in reStructuredText, with an empty line between what is not one sentence."""
    listing = r"\.\. (?:code-block|console|sourcecode|snippet)::.*"
    deeper = r"\n(?:\s*\n)*(?:\1[ \t]+\S.*(?:\n\s*?$)*\n?)+"
    text = re.sub(rf":[ \t]*\n\s*\n(?=[ \t]*{listing})", f":{BLOCK}\n\n", text)
    text = re.sub(rf"^([ \t]*){listing}{deeper}", "\n", text, flags=re.MULTILINE)
    text = re.sub(rf"^([ \t]*)(?!\.\.)(.*)::[ \t]*{deeper}", rf"\1\2:{BLOCK}\n\n", text, flags=re.MULTILINE)
    text = re.sub(
        rf"^[ \t]*(?:\.\. (?!{NOTES}::).*|\.\. {NOTES}::|:[\w-]+:(?!`).*)$", "", text, flags=re.MULTILINE
    )
    text = re.sub(r":[\w:-]+:`[^`]+`|``[^`]+``", CODE, text)
    text = re.sub(r"`([^`<]*)(?:<[^>]*>)?`_+", r"\1", text)
    text = re.sub(r"^[ \t]*([=~\-^\"'#*+.])\1+[ \t]*$", "\n", text, flags=re.MULTILINE)
    return re.sub(r"^(?=\s*(?:[-*] |\d+\. |#\. ))", "\n", text, flags=re.MULTILINE)


def count(text: str) -> Counter[str]:
    """Return how many words there are, whole sentences, words in those, and hits of each pattern."""
    found: Counter[str] = Counter()
    for paragraph in re.split(r"\n\s*\n", text):
        line = re.sub(r"^(?:[-*#>.] ?|\d+\. |#+ )+", "", " ".join(paragraph.split())).replace("*", "")
        for sentence in re.split(rf"(?<=[.?!])(?<!e\.g\.)[)\"”]? +(?=[^a-z])|(?<={BLOCK})", line):
            words = len(WORD.findall(sentence))
            found["words"] += words
            if words and sentence.rstrip(')"” ').endswith((".", "?", "!")):
                found.update({"sentences": 1, "words in sentences": words})
            for name, pattern in PATTERNS.items():
                if name != "what" or not sentence.rstrip(')"” ').endswith("?"):
                    found[name] += len(re.findall(pattern, sentence, re.IGNORECASE))
    return found


def figures(found: Counter[str]) -> dict[str, float]:
    """Return the columns of one line."""
    rates = {name: 1000 * found[name] / max(found["words"], 1) for name in PATTERNS}
    return rates | {"sentence": found["words in sentences"] / max(found["sentences"], 1)}


def read(page: Path) -> Counter[str]:
    text = page.read_text(encoding="utf-8")
    return count(from_restructured(text) if page.suffix == ".txt" else from_markdown(text))


def main(names: Sequence[str]) -> None:
    pages = [Path(name) for name in names] or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    print(f"{'':28}{'words':>8}" + "".join(f"{name:>10}" for name in COLUMNS))
    counts = [(page.name, read(page)) for page in pages]
    for name, found in (*counts, ("total", sum((found for _, found in counts), Counter()))):
        print(f"{name:28}{found['words']:8}" + "".join(f"{rate:10.2f}" for rate in figures(found).values()))
    print(f"{'Django':36}" + "".join(f"{rate:10.2f}" for rate in DJANGO.values()))


if __name__ == "__main__":
    main(sys.argv[1:])
