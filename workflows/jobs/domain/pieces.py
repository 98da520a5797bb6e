"""Files that are sent in pieces: how they are cut, which pieces are missing, and what may be announced."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from workflows.jobs.domain.jobs import JobError

MAX_NAME = 500  # characters of a name as the browser says it


class Piece(NamedTuple):
    """A piece, by the numbers of its file and of itself in that file. Both begin with 0."""

    file: int
    number: int


@dataclass(frozen=True, slots=True)
class Announced:
    """A file that is to be sent: which part of the upload it is, its name, its size and that of its pieces.

    Sizes are in bytes. That of the pieces stays, even if the setting changes meanwhile.
    """

    part: str
    name: str
    size: int
    piece_bytes: int

    @property
    def pieces(self) -> int:
        """How many pieces it has: at least one, which may be empty."""
        return max(1, -(-self.size // self.piece_bytes))

    def piece_size(self, number: int) -> int:
        """Return how many bytes the piece of this number has."""
        return min(self.piece_bytes, self.size - number * self.piece_bytes)


def read_announced(
    said: Any, *, parts: Collection[str], most_files: int, most_bytes: int, piece_bytes: int
) -> tuple[Announced, ...]:
    """Return the files that a browser announces, as in [{"part": "corpus", "name": "a.zip", "size": 9}].

    Raises JobError if it is not like this, or if there are too many files or bytes.
    """
    if not isinstance(said, list) or not said:
        raise JobError("upload", "Announce a list of files.")
    if len(said) > most_files:
        raise JobError("upload", f"An upload has at most {most_files} files: pack them into a ZIP archive.")
    files = tuple(_announced(one, parts, piece_bytes) for one in said)
    if sum(file.size for file in files) > most_bytes:
        raise JobError("upload", f"An upload has at most {most_bytes:,} bytes: upload it in several.")
    return files


def _announced(said: Any, parts: Collection[str], piece_bytes: int) -> Announced:
    part, name, size = (said.get(key) if isinstance(said, dict) else None for key in ("part", "name", "size"))
    if not (isinstance(part, str) and part in parts):
        raise JobError("upload", f"The part of a file is one of {', '.join(parts)}.")
    if not (isinstance(name, str) and 0 < len(name) <= MAX_NAME):
        raise JobError("upload", f"The name of a file has 1 to {MAX_NAME} characters.")
    if isinstance(size, bool) or not isinstance(size, int) or size < 0:
        raise JobError("upload", "The size of a file is its number of bytes.")
    return Announced(part, name, size, piece_bytes)


def missing(files: Sequence[Announced], stored: Collection[Piece]) -> list[Piece]:
    """Return the pieces that have not arrived, in order."""
    wanted = (Piece(file, number) for file, one in enumerate(files) for number in range(one.pieces))
    return [piece for piece in wanted if piece not in stored]
