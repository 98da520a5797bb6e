"""Put a .gz beside each file of a folder that is served: `python -m scripts.compress_pages FOLDER`.

Zopfli takes seconds where gzip takes none, and its files are 3 to 4% smaller. Each worker loads them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from whitenoise.compress import Compressor
from zopfli import gzip


class SmallCompressor(Compressor):  # type: ignore[misc]  # whitenoise has no types
    """Compresses as whitenoise does, with the same choice of files, but smaller."""

    @staticmethod
    def compress_gzip(data: bytes) -> bytes:
        packed: bytes = gzip.compress(data)
        return packed


def main(folder: Path) -> None:
    compressor = SmallCompressor(use_brotli=False, quiet=True)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and compressor.should_compress(path.name):
            compressor.compress(str(path))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
