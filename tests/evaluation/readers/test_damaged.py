"""A damaged data set gives one error that names the file, the line or field, and what is wrong."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.errors import InputError
from evaluation.readers.recognition import iterate_images
from tests.annotation.formats.records import IMAGE
from tests.evaluation.readers.test_recognition import write
from tests.evaluation.small_set import error_of

GOOD = "[/EN#1/people A man] ."


def entities(folder: Path, sentence: str = GOOD, objects: str = "", head: str = "<annotation>") -> Path:
    (folder / "Sentences").mkdir(parents=True)
    (folder / "Annotations").mkdir()
    (folder / "Sentences" / "a.txt").write_text(sentence + "\n")
    size = "<size><width>100</width><height>80</height><depth>3</depth></size>"
    (folder / "Annotations" / "a.xml").write_text(f"{head}\n{size}\n{objects}\n</annotation>\n")
    return folder


def box(xmin: object, ymin: object, xmax: object, ymax: object, name: str = "1") -> str:
    corners = f"<xmin>{xmin}</xmin><ymin>{ymin}</ymin><xmax>{xmax}</xmax><ymax>{ymax}</ymax>"
    return f"<object><name>{name}</name><bndbox>{corners}</bndbox></object>"


def test_corners_that_are_1_based_and_inclusive_become_edges(tmp_path: Path) -> None:
    (image,) = iterate_images(entities(tmp_path, objects=box(1, 1, 1, 1) + box(91, 71, 120, 80)))
    assert image.chains["1"].boxes.tolist() == [[0, 0, 1, 1], [90, 70, 120, 80]]  # kept beyond the image


@pytest.mark.parametrize(
    ("sentence", "error"),
    [
        ("[/EN#1/people A man", r"a\.txt, line 1: the bracket of chain 1 is never closed"),
        ("[/EN#1/Cats A cat] .", r"line 1: .*'Cats' is no type"),
        ("[/EN#1 A cat] .", r"line 1: .* has no type; expected \[/EN#<chain>/<type>"),
        ("A man] .", r"line 1: the bracket in 'man\]' belongs to no mention"),
        ("[/EN#1/people ] .", r"line 1: the bracket of chain 1 is empty"),
        (f"{GOOD}\n[/EN#1/people [/EN#2/people A] man]", r"line 2: .* opens inside another bracket"),
    ],
)
def test_a_bad_sentence_is_named(sentence: str, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        list(iterate_images(entities(tmp_path, sentence)))


@pytest.mark.parametrize(
    ("objects", "error"),
    [
        (box("x", 1, 2, 2), r"a\.xml, line 3: xmin: is 'x', not a whole number"),
        (box(1, 1, 2, 2) + box(5, 5, 3, 9), r"line 3: bndbox: has corners 5, 5 and 3, 9 in reverse"),
        (box(1, 1, 2, 200_000), r"line 3: bndbox: has a corner at more than 100,000 pixels"),
        (box(1, 1, 2, 2, name="man"), r"line 3: name: 'man' is not a chain id"),
        ("<object>", r"a\.xml, line 4: is not well-formed XML"),
    ],
)
def test_a_bad_annotation_is_named(objects: str, error: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=error):
        list(iterate_images(entities(tmp_path, objects=objects)))


def test_an_annotation_that_declares_entities_is_refused(tmp_path: Path) -> None:
    head = '<!DOCTYPE a [<!ENTITY b "c">]><annotation>'
    with pytest.raises(InputError, match=r"a\.xml, line 1: declares a document type or entity"):
        list(iterate_images(entities(tmp_path, head=head)))


@pytest.mark.parametrize("encoding", ["klingon", "big5"])
def test_an_annotation_in_an_unknown_encoding_is_named(encoding: str, tmp_path: Path) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?><annotation>'
    with pytest.raises(
        InputError, match=r"a\.xml, line 1: has an encoding that cannot be read: .*; use UTF-8"
    ):
        list(iterate_images(entities(tmp_path, head=head)))


def test_an_annotation_without_sentences_is_named(tmp_path: Path) -> None:
    folder = entities(tmp_path)
    (folder / "Annotations" / "b.xml").write_text("<annotation></annotation>")
    with pytest.raises(InputError, match=r"b\.xml: there is no Sentences/b\.txt"):
        list(iterate_images(folder))


def test_an_archive_with_damaged_lzma_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("images.jsonl", '{"name": "a.jpg", "captions": []}\n' * 50)
    content = bytearray(path.read_bytes())
    content[55:70] = b"\xff" * 15
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"images\.jsonl: cannot be read"):
        list(iterate_images(path))


def test_sentences_that_are_not_utf_8_are_named(tmp_path: Path) -> None:
    folder = entities(tmp_path)
    (folder / "Sentences" / "a.txt").write_bytes(b"A caf\xe9 .\n")
    with pytest.raises(InputError, match=r"a\.txt: is not UTF-8"):
        list(iterate_images(folder))


def test_an_empty_line_keeps_its_number(tmp_path: Path) -> None:
    (image,) = iterate_images(entities(tmp_path, f"{GOOD}\n\n{GOOD}"))
    assert [caption.index for caption in image.captions] == [0, 2]


CAPTION = '{"index": 0, "text": "A man .", "tokens": ["A", "man", "."], "mentions": [%s]}'
MENTION = '{"start": 0, "end": 2, "types": ["people"], "chain": 1}'


def record(mention: str = MENTION, rest: str = "") -> str:
    return f'{{"name": "a.jpg", "captions": [{CAPTION % mention}]{rest}}}'


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", r"images\.jsonl, line 2: is not JSON"),
        ("[]", r"line 2: is not an object"),
        ('{"captions": []}', r"line 2: name: is missing"),
        ('{"name": "a.jpg", "captions": {}}', r"line 2: captions: is not a list"),
        ('{"name": "a.jpg", "caption": []}', r"line 2: captions: is missing"),
        (record(rest=', "heigth": 3'), r"line 2: heigth: is not known here"),
        (record('{"start": 0, "end": 4}'), r"captions\[0\]\.mentions\[0\]\.end: is 4, not from 1 to 3"),
        (record('{"start": 0, "end": 2, "types": ["Cats"]}'), r"mentions\[0\]\.types: 'Cats' is no type"),
        (record(rest=', "chains": [{"id": 1, "boxes": [0]}]'), r"chains\[0\]\.boxes\[0\]: is 0, not from"),
        (record(rest=', "chains": [{"id": 1}, {"id": 1}]'), r"chains\[1\]\.id: 1 is given twice"),
        (record(rest=', "boxes": [{"box": [1, 2, 1, 4]}]'), r"boxes\[0\]\.box: is empty"),
        (record(rest=', "boxes": [{"box": [1, 2, 3]}]'), r"boxes\[0\]\.box\[0\]: is not four numbers"),
        (record(rest=', "width": -1'), r"width: is -1, not from 0"),
        (
            record(f"{MENTION}, {MENTION}"),
            r"captions\[0\]\.mentions: two mentions have the same tokens",
        ),
    ],
)
def test_a_bad_line_is_named(line: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "images.jsonl"
    path.write_text(f"{record()}\n{line}\n")
    with pytest.raises(InputError, match=error):
        list(iterate_images(tmp_path))


def test_a_line_that_is_too_long_is_named(tmp_path: Path) -> None:
    (tmp_path / "images.jsonl").write_bytes(b" " * (5 * 1024 * 1024))
    with pytest.raises(InputError, match=r"images\.jsonl, line 1: the line is longer than 4,194,304 bytes"):
        list(iterate_images(tmp_path))


@given(damage=st.data())
def test_a_damaged_file_is_an_error_or_read_and_never_crashes(
    damage: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    out = write(
        IMAGE, damage.draw(st.sampled_from(["jsonl", "flickr30k-entities"])), tmp_path_factory.mktemp("x")
    )
    path = damage.draw(st.sampled_from(sorted(out.rglob("*.*"))))
    content = bytearray(path.read_bytes())
    at = damage.draw(st.integers(0, max(len(content) - 1, 0)))
    content[at : at + damage.draw(st.integers(0, 3))] = damage.draw(st.binary(max_size=3))
    path.write_bytes(bytes(content))
    said = error_of(lambda: list(iterate_images(out)))
    assert not said or str(out) in said


def table(out: Path, name: str, **columns: object) -> None:
    """Replace columns of a table."""
    found = pq.read_table(out / f"{name}.parquet")
    for column, values in columns.items():
        at = found.schema.get_field_index(column)
        found = found.set_column(at, found.schema.field(at), pa.array(values, found.schema.field(at).type))
    pq.write_table(found, out / f"{name}.parquet")


@pytest.mark.parametrize(
    ("name", "columns", "error"),
    [
        ("captions", {"image": ["b.jpg", "a.jpg"]}, r"captions\.parquet, row 1: 'b\.jpg' is not in the"),
        ("mentions", {"end": [9, 4, 6, 1]}, r"mentions\.parquet, row 1: start, end: 0 and 9 are not"),
        ("boxes", {"right": [50, 10]}, r"boxes\.parquet, row 2: left, top, right, bottom: the box is empty"),
        ("chain_boxes", {"box": [0, 7, 1]}, r"chain_boxes\.parquet, row 2: box: 7 is not in boxes"),
        ("images", {"width": [-4]}, r"images\.parquet, row 1: width, height"),
        ("captions", {"index": [None, 1]}, r"captions\.parquet, row 1: index: is empty"),
        (
            "boxes",
            {"index": [0, 0]},
            r"boxes\.parquet, row 2: index: two boxes of the image have the index 0",
        ),
    ],
)
def test_a_bad_row_is_named(name: str, columns: dict[str, object], error: str, tmp_path: Path) -> None:
    out = write(IMAGE, "parquet", tmp_path / "out")
    table(out, name, **columns)
    with pytest.raises(InputError, match=error):
        list(iterate_images(out))


@pytest.mark.parametrize(
    ("name", "column", "values", "error"),
    [
        ("boxes", "left", pa.array([float("-inf"), 1.0]), r"row 1: left, top, right, bottom: .* infinite"),
        (
            "boxes",
            "left",
            pa.array(["1", "2"]),
            r"boxes\.parquet: left: has the type string, and must be a n",
        ),
        (
            "images",
            "width",
            pa.array([1.5]),
            r"images\.parquet: width: has the type double, and must be a who",
        ),
        (
            "captions",
            "tokens",
            pa.array(["A man", "."]),
            r"tokens: has the type string, and must be a list of",
        ),
    ],
)
def test_a_column_of_another_type_is_named(
    name: str, column: str, values: pa.Array, error: str, tmp_path: Path
) -> None:
    out = write(IMAGE, "parquet", tmp_path / "out")
    found = pq.read_table(out / f"{name}.parquet")
    pq.write_table(
        found.set_column(found.schema.get_field_index(column), column, values), out / f"{name}.parquet"
    )
    with pytest.raises(InputError, match=error):
        list(iterate_images(out))


def test_texts_in_a_dictionary_are_texts(tmp_path: Path) -> None:
    out = write(IMAGE, "parquet", tmp_path / "out")
    before = list(iterate_images(out))
    found = pq.read_table(out / "captions.parquet")
    at = found.schema.get_field_index("image")
    coded = found.set_column(at, "image", found.column(at).dictionary_encode())
    pq.write_table(coded, out / "captions.parquet")
    assert repr(list(iterate_images(out))) == repr(before)


def test_a_missing_or_damaged_table_is_named(tmp_path: Path) -> None:
    out = write(IMAGE, "parquet", tmp_path / "out")
    whole = (out / "boxes.parquet").read_bytes()
    (out / "boxes.parquet").write_bytes(whole[:100])
    with pytest.raises(InputError, match=r"boxes\.parquet: is no Parquet file, or damaged"):
        list(iterate_images(out))
    (out / "boxes.parquet").unlink()
    with pytest.raises(InputError, match=r"has no boxes\.parquet"):
        list(iterate_images(out))


def test_without_pyarrow_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = write(IMAGE, "parquet", tmp_path / "out")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(InputError, match="needs pyarrow: pip install pyarrow"):
        list(iterate_images(out))


def test_a_file_in_an_archive_is_read_only_up_to_its_limit(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Sentences/a.txt", b"A " * (8 * 1024 * 1024))
    with pytest.raises(InputError, match=r"a\.txt: has more than 4,194,304 bytes"):
        list(iterate_images(bomb))
