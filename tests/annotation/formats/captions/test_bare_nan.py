from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.formats.captions import bare_nan
from annotation.formats.captions.bare_nan import opened_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([float("nan"), float("inf"), float("-inf")])
    | st.sampled_from(["NaN", '"NaN, "', "\\", '\\"', "-Infinity", "", "é"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["NaN", 'a"', "b"]), inner),
    max_leaves=20,
)


def read(path: Path, content: bytes) -> bytes:
    path.write_bytes(content)
    with opened_json(path) as file:
        return file.read()


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nan") / "captions.json"


@given(value=VALUES, indent=st.sampled_from([None, 1]), size=st.integers(1, 40))
def test_missing_numbers_are_null_wherever_the_file_is_cut(
    path: Path, value: object, indent: int | None, size: int
) -> None:
    content = json.dumps(value, indent=indent, ensure_ascii=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bare_nan, "_CHUNK", size)
        found = json.loads(read(path, content.encode()))
    assert found == json.loads(content, parse_constant=lambda _: None)


@pytest.mark.parametrize("content", [b'{"a": 1}', b"", b'"no end NaN', b'[NaN, "no end', b'["\\'])
def test_what_is_no_json_is_left_to_the_parser(path: Path, content: bytes) -> None:
    assert read(path, content) == content.replace(b"[NaN", b"[null")


@pytest.mark.parametrize("size", [1, 7, 40, 1_000])
@pytest.mark.parametrize("text", ["A NaN sign", 'A \\ "NaN" sign', "\\" * 101 + '", NaN'])
def test_a_long_string_stays_as_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch, text: str, size: int
) -> None:
    monkeypatch.setattr(bare_nan, "MAX_RECORD", 100)
    monkeypatch.setattr(bare_nan, "_CHUNK", size)
    value = [float("nan"), "x" * 150 + text * 30, float("nan"), text, {text: float("inf")}]
    content = json.dumps(value)
    assert json.loads(read(path, content.encode())) == json.loads(content, parse_constant=lambda _: None)


def test_a_string_without_an_end_does_not_fill_the_memory(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bare_nan, "MAX_RECORD", 1_000)
    content = b'[NaN, "' + b"x" * 300_000
    assert read(path, content) == content.replace(b"NaN", b"null")
