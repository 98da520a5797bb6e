"""Reports captions that the chunker would cut wrongly, because they are in another language."""

from __future__ import annotations

from dataclasses import dataclass, field

from annotation.domain.records import ImageRecord, Problem
from annotation.importing.prepare import Foreign

_EXAMPLES = 3
_SHOWN = 60  # characters of an example


@dataclass(slots=True)
class ForeignCaptions:
    """The captions of one import that are in another language. They are one problem, with examples."""

    language: str
    """The tag of the project's captions."""
    chunker: str
    count: int = 0
    problem: Problem | None = None
    _examples: list[str] = field(default_factory=list)
    _place: tuple[str, int | None] = ("", None)

    def add(self, record: ImageRecord, caption: Foreign) -> None:
        """Count a caption that was left out."""
        self.count += 1
        if self.problem is None:
            self._place = (record.file or record.name, caption.line or record.line)
        if len(self._examples) < _EXAMPLES:
            shown = caption.text if len(caption.text) <= _SHOWN else f"{caption.text[:_SHOWN]}…"
            guessed = f", {caption.guessed}" if caption.guessed else ""
            self._examples.append(f"“{shown}” ({record.name}, caption {caption.index}{guessed})")
        captions = "1 caption" if self.count == 1 else f"{self.count:,} captions"
        own = f"{self.language}, the project's language"
        if caption.guessed:
            what = f"not in {own}: {captions}"
            hint = "correct the language of the project, or import captions in any language"
        else:
            what = f"the chunker {self.chunker} does not cut {own}: {captions}"
            hint = "choose another chunker, bring mentions, or import captions in any language"
        message = f"{what} left out, such as {'; '.join(self._examples)}"
        self.problem = Problem(*self._place, message, hint, whole=True)
