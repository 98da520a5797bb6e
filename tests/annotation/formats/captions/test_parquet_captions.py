from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from annotation.domain.records import CaptionRecord, ImageRecord, Problem
from annotation.formats.base import check_name
from annotation.formats.captions import parquet_captions
from annotation.formats.captions.parquet_captions import TableError, check_table, read
from annotation.formats.captions.parquet_pages import PageError, page_sizes
from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import recognise
from tests.annotation.formats.published_shapes import photograph, table

PICTURE = photograph("1000001.jpg")


def test_pictures_without_names_get_the_same_names_each_time(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"image": {"bytes": content, "path": None}, "text": "A ."} for content in (PICTURE, b"\x89PNG x")
    ]
    path = table(tmp_path / "train.parquet", rows)
    first, second = read(path)
    assert isinstance(first, ImageRecord) and isinstance(second, ImageRecord)
    assert (first.name, second.name) == ("train-000000.jpg", "train-000001.png")
    assert (first.picture, second.picture) == (PICTURE, b"\x89PNG x")
    assert list(read(path)) == [first, second]


def test_a_bad_row_is_said_with_its_number_and_the_rest_is_read(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"image": f"{n}.jpg", "caption": text} for n, text in enumerate(("A .", None))
    ]
    problem, image = sorted(
        read(table(tmp_path / "t.parquet", rows)), key=lambda x: isinstance(x, ImageRecord)
    )
    assert image == ImageRecord("0.jpg", (CaptionRecord(0, "A ."),))
    assert isinstance(problem, Problem) and problem.message == "row 1: 1.jpg has no caption"


@pytest.mark.parametrize(
    ("compression", "version", "dictionary", "statistics"),
    list(product(["none", "snappy", "gzip", "zstd"], ["1.0", "2.0"], [True, False], [True, False])),
)
def test_the_pages_of_each_kind_of_file_are_found(
    tmp_path: Path, compression: str, version: str, dictionary: bool, statistics: bool
) -> None:
    rows = [{"image": f"{n}.jpg", "caption": [f"A man {n} .", "A dog ."]} for n in range(500)]
    path = table(
        tmp_path / "t.parquet",
        rows,
        compression=compression,
        data_page_version=version,
        use_dictionary=dictionary,
        write_statistics=statistics,
        write_page_checksum=True,
        row_group_size=200,
        data_page_size=1_000,
    )
    check_table(path)
    assert sum(isinstance(one, ImageRecord) for one in read(path)) == 500


def test_rows_after_a_refused_one_keep_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"image": ["a.jpg"] * 3, "caption": ["A dog.", None, "A cat."]}), path)
    problem, record = read(path)
    assert isinstance(problem, Problem) and problem.message == "row 1: a.jpg has no caption"
    assert record == ImageRecord("a.jpg", (CaptionRecord(0, "A dog."), CaptionRecord(2, "A cat.")))


def bomb(path: Path) -> Path:
    rows = [{"image": {"bytes": bytes(3 << 20), "path": "a.jpg"}, "caption": "A ."}]
    return table(path, rows, compression="zstd", use_dictionary=False, write_statistics=False)


def test_a_page_that_swells_is_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(
        TableError, match=r"a page of column 'image.bytes' has more than .* times its packed size"
    ):
        check_table(bomb(tmp_path / "bomb.parquet"))


def test_a_page_that_swells_is_found_also_if_the_footer_denies_it(tmp_path: Path) -> None:
    path = bomb(tmp_path / "bomb.parquet")
    told = parquet.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size
    content, true, false = path.read_bytes(), _number(told), _number(1_000)
    path.write_bytes(content[: (at := content.rindex(true))] + false + content[at + len(true) :])
    assert parquet.ParquetFile(path).metadata.row_group(0).column(0).total_uncompressed_size == 1_000
    with pytest.raises(TableError, match="times its packed size"):
        check_table(path)
    (problem,) = read(path)
    assert isinstance(problem, Problem) and problem.whole


def _number(value: int) -> bytes:
    """Return a number as a footer has it, in four bytes also if fewer would do."""
    value <<= 1
    return bytes(value >> 7 * n & 0x7F | (0x80 if n < 3 else 0) for n in range(4))


def test_a_page_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path / "t.parquet", [{"image": "a.jpg", "caption": "A ."}])
    monkeypatch.setattr(parquet_captions, "MAX_UNPACKED", 5)
    with pytest.raises(TableError, match="more than 5 bytes"):
        check_table(path)


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.9, 0.99])
def test_a_file_that_ends_too_early_is_damaged(tmp_path: Path, cut: float) -> None:
    path = table(tmp_path / "t.parquet", [{"image": f"{n}.jpg", "caption": "A ."} for n in range(500)])
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * cut)])
    with pytest.raises(TableError, match="is damaged"):
        check_table(path)
    assert [str(one) for one in read(path)] == [f"{path}: it is damaged, or ends too early: get it again"]


def test_damage_in_the_middle_is_one_problem(tmp_path: Path) -> None:
    rows = [{"image": f"{n}.jpg", "caption": f"A man {n} ."} for n in range(500)]
    path = table(tmp_path / "t.parquet", rows, compression="snappy", use_dictionary=False)
    content = bytearray(path.read_bytes())
    content[60:400] = b"\xff" * 340
    path.write_bytes(bytes(content))
    (problem,) = [one for one in read(path) if isinstance(one, Problem)]
    assert problem.whole and "damaged" in problem.message


@pytest.mark.parametrize(
    "content", [b"", b"\x15", b"\x1c" * 50, b"\x19\xfc\xff\xff\xff\xff\x0f", b"\xff" * 50, b"\0"]
)
def test_nonsense_is_no_page(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pages"
    path.write_bytes(content)
    with path.open("rb") as file, pytest.raises(PageError):
        list(page_sizes(file, 0, max(len(content), 1)))


def test_columns_of_other_things_are_not_read(tmp_path: Path) -> None:
    kinds = {"image": pa.string(), "caption": pa.list_(pa.string()), "embedding": pa.list_(pa.float64())}
    made: Any = pa.table(
        {"image": ["a.jpg"], "caption": [["A ."]], "embedding": [[1.0]]}, schema=pa.schema(kinds)
    )
    parquet.write_table(made, tmp_path / "t.parquet")
    with parquet_captions._opened(tmp_path / "t.parquet") as opened:
        assert parquet_captions._columns(opened) == (["image", "caption"], False)


@pytest.mark.parametrize("packed", [False, True])
def test_images_that_could_not_be_downloaded_are_one_problem(tmp_path: Path, packed: bool) -> None:
    """img2dataset writes a row for each image of its list, with the picture if asked for."""
    rows = [
        {
            "url": f"https://example.org/{at}",
            "caption": f"A dog {at}.",
            "key": f"00000000{at}",
            "status": "success" if at % 2 else "failed_to_download",
            "error_message": None if at % 2 else "HTTP Error 404: Not Found",
            **({"jpg": photograph("1000001.jpg") if at % 2 else None} if packed else {}),
        }
        for at in range(4)
    ]
    parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "00000.parquet")
    found = list(read(tmp_path / "00000.parquet"))
    images = [one for one in found if isinstance(one, ImageRecord)]
    assert [image.name for image in images] == ["000000001.jpg", "000000003.jpg"]
    assert {bool(image.picture) for image in images} == {packed}
    (problem,) = (one for one in found if isinstance(one, Problem))
    assert problem.message == (
        "2 of 4 images were not downloaded, such as 000000000: HTTP Error 404: Not Found"
    )


def named_alike(*rows: tuple[str, bytes, str]) -> list[dict[str, Any]]:
    return [{"image": {"bytes": content, "path": name}, "text": text} for name, content, text in rows]


def said(records: Iterable[ImageRecord | Problem]) -> dict[str, tuple[bytes | None, list[str]]]:
    """Return the picture and the captions of each image, by its name."""
    found: dict[str, tuple[bytes | None, list[str]]] = {}
    for one in records:
        assert isinstance(one, ImageRecord), one
        picture, texts = found.setdefault(one.name, (one.picture, []))
        assert picture == one.picture
        texts += [caption.text for caption in one.captions]
    return found


RED, GREEN = PICTURE, PICTURE + b"green"
GREEN_NAME = f"0001-{sha256(GREEN).hexdigest()[:8]}.jpg"


def test_different_pictures_of_one_path_are_kept_apart(tmp_path: Path) -> None:
    rows = named_alike(
        *(("0001.jpg", RED, "Red."), ("0001.jpg", GREEN, "Green."), ("0002.jpg", RED, "Two.")),
        *(("0001.jpg", GREEN, "More green."), ("0001.jpg", RED, "More red.")),
    )
    path = table(tmp_path / "train.parquet", rows)
    expected = {
        "0001.jpg": (RED, ["Red.", "More red."]),
        GREEN_NAME: (GREEN, ["Green.", "More green."]),
        "0002.jpg": (RED, ["Two."]),
    }
    assert said(read(path)) == said(read_corpus(recognise(path))) == expected


def test_they_are_kept_apart_in_parts_of_a_table_too(tmp_path: Path) -> None:
    for number, content in enumerate((RED, GREEN)):
        rows = named_alike(("0001.jpg", content, f"Part {number}."))
        table(tmp_path / f"train-0000{number}-of-00002.parquet", rows)
    assert said(read_corpus(recognise(tmp_path))) == {
        "0001.jpg": (RED, ["Part 0."]),
        GREEN_NAME: (GREEN, ["Part 1."]),
    }


def test_rows_of_one_picture_are_one_image(tmp_path: Path) -> None:
    rows = named_alike(*(("0001.jpg", RED, f"{number}.") for number in range(3)))
    assert said(read(table(tmp_path / "t.parquet", rows))) == {"0001.jpg": (RED, ["0.", "1.", "2."])}


def test_a_long_name_is_cut(tmp_path: Path) -> None:
    name = "x" * 196 + ".jpg"
    first, second = said(
        read(table(tmp_path / "t.parquet", named_alike((name, RED, "A."), (name, GREEN, "B."))))
    )
    assert first == name and len(second) < 200 and check_name(second) is None
