from __future__ import annotations

from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import PIL.Image
import pytest

from annotation.renditions import FORMATS
from workflows.core.photographs import is_broken


def picture(kind: str = "JPEG") -> bytes:
    buffer = BytesIO()
    PIL.Image.effect_noise((300, 200), 60).convert("RGB").save(buffer, kind)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "broken"),
    [
        *((picture(kind), False) for kind in FORMATS),
        *((picture(kind)[:2000], True) for kind in FORMATS),
        (b"", True),
        (b"<html>no such photograph</html>", True),
        (None, True),
    ],
    ids=[*FORMATS, *(f"{kind} cut off" for kind in FORMATS), "empty", "no picture", "missing"],
)
def test_a_photograph_is_broken_if_it_is_missing_or_damaged(
    media: Path, content: bytes | None, broken: bool
) -> None:
    media.mkdir(parents=True)
    if content is not None:
        (media / "a.jpg").write_bytes(content)
    assert is_broken("a.jpg") == broken


def test_an_image_without_a_file_is_broken() -> None:
    assert is_broken("")


def test_nobody_knows_while_the_storage_does_not_answer(media: Path) -> None:
    with patch("workflows.core.photographs.default_storage.open", side_effect=TimeoutError("no reply")):
        assert not is_broken("a.jpg")
