from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given

from annotation.domain.geometry import Box
from annotation.domain.records import BoxRecord, CaptionRecord, ImageRecord, MentionRecord, Problem
from annotation.formats.captions import flickr30k_token
from annotation.formats.datasets.flickr30k_entities import EntitiesWriter, read
from evaluation.readers.entities import MAX_BYTES
from tests.annotation.formats import published
from tests.annotation.formats.records import IMAGE, images, plain
from tests.shared import shared


def write(out: Path, records: Iterable[ImageRecord]) -> Path:
    out.mkdir(exist_ok=True)
    with EntitiesWriter(out) as writer:
        for record in records:
            writer.add(record)
    return out


def folder(root: Path, sentences: str, xml: str | None = None) -> Path:
    (root / "Sentences").mkdir()
    (root / "Sentences" / "a.txt").write_text(sentences, encoding="utf-8")
    if xml is not None:
        (root / "Annotations").mkdir()
        (root / "Annotations" / "a.xml").write_text(xml, encoding="utf-8")
    return root


def annotation(objects: str) -> str:
    size = "<size><width>100</width><height>80</height><depth>3</depth></size>"
    return f"<annotation>\n<filename>a.jpg</filename>\n{size}\n{objects}\n</annotation>"


def box(chain: object, xmin: object, ymin: object, xmax: object, ymax: object) -> str:
    corners = f"<xmin>{xmin}</xmin><ymin>{ymin}</ymin><xmax>{xmax}</xmax><ymax>{ymax}</ymax>"
    return f"<object><name>{chain}</name><bndbox>{corners}</bndbox></object>"


def problems(root: Path) -> list[Problem]:
    return [entry for entry in read(root) if isinstance(entry, Problem)]


def records(root: Path) -> list[ImageRecord]:
    return [entry for entry in read(root) if isinstance(entry, ImageRecord)]


def test_the_files_are_those_of_the_published_format(tmp_path: Path) -> None:
    write(tmp_path, [IMAGE])
    assert (tmp_path / "Sentences" / "a.txt").read_text() == (
        "[/EN#1/people Two guys] in [/EN#2/clothing/other shirts] and [/EN#0/notvisual air] .\n"
        "[/EN#3/scene Outside]\n"
    )
    assert (tmp_path / "Annotations" / "a.xml").read_text() == (
        "<annotation>\n"
        "  <filename>a.jpg</filename>\n"
        "  <size><width>100</width><height>80</height><depth>3</depth></size>\n"
        "  <object><name>1</name>"
        "<bndbox><xmin>1</xmin><ymin>1</ymin><xmax>50</xmax><ymax>80</ymax></bndbox></object>\n"
        "  <object><name>1</name><name>2</name>"
        "<bndbox><xmin>11</xmin><ymin>21</ymin><xmax>100</xmax><ymax>80</ymax></bndbox></object>\n"
        "  <object><name>3</name><scene>1</scene><nobndbox>0</nobndbox></object>\n"
        "</annotation>\n"
    )
    assert (tmp_path / "train.txt").read_text() == "a\n"
    assert (tmp_path / "captions.token").read_text() == (
        "a.jpg#0\tTwo guys in shirts and air .\na.jpg#1\tOutside\n"
    )


def test_there_are_all_split_lists_or_none(tmp_path: Path) -> None:
    """A program that reads train.txt asks for val.txt and test.txt, too."""
    for split in ("", "val"):
        out = tmp_path / f"split-{split}"
        out.mkdir()
        write(out, [replace(IMAGE, split=split)])
    assert not list((tmp_path / "split-").glob("*.txt"))
    lists = {path.name: path.read_text() for path in (tmp_path / "split-val").glob("*.txt")}
    assert lists == {"train.txt": "", "val.txt": "a\n", "test.txt": ""}


def test_the_token_file_has_each_caption_as_it_was_imported_on_one_line(tmp_path: Path) -> None:
    said = CaptionRecord(11, "A man's\ndog.", ("A", "man", "'s", "dog", "."), ())
    write(tmp_path, [replace(IMAGE, captions=(said,), chains=(), boxes=())])
    assert (tmp_path / "captions.token").read_text() == "a.jpg#11\tA man's dog.\n"
    (read_back,) = flickr30k_token.read(tmp_path / "captions.token")
    assert isinstance(read_back, ImageRecord) and read_back.captions[0].text == "A man's dog."


def test_a_parser_of_the_published_format_reads_our_files(tmp_path: Path) -> None:
    write(tmp_path, [IMAGE])
    sentences = published.sentence_data(tmp_path / "Sentences" / "a.txt")
    assert [sentence["sentence"] for sentence in sentences] == [caption.text for caption in IMAGE.captions]
    assert sentences[0]["phrases"] == [
        {"first_word_index": 0, "phrase": "Two guys", "phrase_id": "1", "phrase_type": ["people"]},
        {"first_word_index": 3, "phrase": "shirts", "phrase_id": "2", "phrase_type": ["clothing", "other"]},
        {"first_word_index": 5, "phrase": "air", "phrase_id": "0", "phrase_type": ["notvisual"]},
    ]
    assert published.annotation_data(tmp_path / "Annotations" / "a.xml") == {
        "boxes": {"1": [[0, 0, 49, 79], [10, 20, 99, 79]], "2": [[10, 20, 99, 79]]},
        "scene": ["3"],
        "nobox": [],
        "width": 100,
        "height": 80,
        "depth": 3,
    }


@given(images(provenance=False, brackets=False))
def test_what_is_written_is_read_back(record: ImageRecord) -> None:
    with TemporaryDirectory() as name:
        root = write(Path(name), [record])
        (found,) = read(root)
        assert isinstance(found, ImageRecord)
        by_id = {chain.id: chain for chain in record.chains}
        assert {chain.id: chain for chain in found.chains} == by_id
        assert replace(found, chains=record.chains) == record


@given(images())
def test_any_export_is_read_by_a_published_parser_and_written_again_alike(record: ImageRecord) -> None:
    with TemporaryDirectory() as one, TemporaryDirectory() as two:
        write(Path(one), [record])
        phrases = published.sentence_data(Path(one) / "Sentences" / "x.txt")
        told = [mention for caption in record.captions for mention in caption.mentions or ()]
        assert sum(len(sentence["phrases"]) for sentence in phrases) == len(told)
        write(Path(two), records(Path(one)))
        for file in ("Sentences/x.txt", "Annotations/x.xml"):
            again = (Path(two) / file).read_bytes()
            assert sorted(again.splitlines()) == sorted((Path(one) / file).read_bytes().splitlines())


def test_brackets_of_a_caption_are_spelt_as_penn_does(tmp_path: Path) -> None:
    caption = CaptionRecord(0, "a [ sic ]", ("a", "[", "sic", "]"), (MentionRecord(1, 4, ("other",), 5),))
    write(tmp_path, [ImageRecord("a.jpg", (caption,))])
    assert (tmp_path / "Sentences" / "a.txt").read_text() == "a [/EN#5/other -LSB- sic -RSB-]\n"
    assert (
        published.sentence_data(tmp_path / "Sentences" / "a.txt")[0]["phrases"][0]["phrase"]
        == "-LSB- sic -RSB-"
    )


def test_a_mention_without_a_chain_is_written_as_notvisual(tmp_path: Path) -> None:
    caption = CaptionRecord(0, "a man", ("a", "man"), (MentionRecord(0, 2, ("people",), None),))
    write(tmp_path, [ImageRecord("a.jpg", (caption,))])
    assert (tmp_path / "Sentences" / "a.txt").read_text() == "[/EN#0/notvisual a man]\n"


def test_a_file_name_may_have_marks_that_xml_escapes(tmp_path: Path) -> None:
    write(tmp_path, [replace(IMAGE, name="cats & <dogs>.jpg")])
    assert problems(tmp_path) == []
    (record,) = records(tmp_path)
    assert record.name == "cats & <dogs>.jpg" and record.boxes


def test_two_images_with_one_stem_are_refused(tmp_path: Path) -> None:
    other = replace(IMAGE, name="a.png")
    with pytest.raises(ValueError, match=r"a\.jpg and a\.png would both be Sentences/a\.txt"):
        write(tmp_path, [IMAGE, other])


def test_a_name_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not a plain file name"):
        write(tmp_path, [replace(IMAGE, name="../a.jpg")])


def test_the_real_sample_is_written_again_byte_for_byte(tmp_path: Path) -> None:
    sample = shared("data", "entities_sample")
    found = list(read(sample))
    assert not [str(entry) for entry in found if isinstance(entry, Problem)]
    write(tmp_path, [entry for entry in found if isinstance(entry, ImageRecord)])
    files = sorted((sample / "Sentences").glob("*.txt"))
    assert len(files) == 6
    for file in files:
        assert (tmp_path / "Sentences" / file.name).read_bytes() == file.read_bytes()


def test_split_lists_and_file_names_are_read(tmp_path: Path) -> None:
    write(
        tmp_path, [IMAGE, replace(IMAGE, name="b.png", split="val"), replace(IMAGE, name="c.jpg", split="")]
    )
    assert [(record.name, record.split) for record in records(tmp_path)] == [
        ("a.jpg", "train"),
        ("b.png", "val"),
        ("c.jpg", ""),
    ]
    (tmp_path / "test.txt").write_text("a\nnone\n")
    assert [problem.message for problem in problems(tmp_path)] == [
        "'a' is in train.txt too",
        "there is no Sentences/none.txt for this image",
    ]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("[/EN#1/people A man in [/EN#2/clothing a hat]]", "opens inside another bracket"),
        ("[/EN#1/people A man", "the bracket of chain 1 is never closed"),
        ("[/EN#1/people]", "is empty"),
        ("[/EN#1/people ]", "the bracket of chain 1 is empty"),
        ("[/EN#1 A man]", "has no type"),
        ("[/EN#1/ A man]", "has no type"),
        ("[/EN#one/people A man]", "is no chain id and type"),
        ("[/EN#-1/people A man]", "is no chain id and type"),
        ("[/EN#9999999999999999999/people A man]", "is too large"),
        ("[/EN#1/Person A man]", "'Person' is no type; the types are people, "),
        ("[/EN#1/people/people A man]", "names a type twice"),
        ("[/EN#0/people A man]", "id 0 and the type notvisual go together"),
        ("[/EN#1/notvisual A man]", "id 0 and the type notvisual go together"),
        ("A man]", "belongs to no mention"),
        ("[ A man", "is no chain id and type"),
        ("", "the caption is empty"),
    ],
)
def test_a_bad_sentence_is_reported_with_its_line_and_the_rest_goes_on(
    tmp_path: Path, sentence: str, message: str
) -> None:
    root = folder(tmp_path, f"A [/EN#7/animals dog] .\n{sentence}\nA cat .\n")
    problem, image = read(root)
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line) == (str(root / "Sentences" / "a.txt"), 2)
    assert message in problem.message
    assert isinstance(image, ImageRecord)
    assert [(caption.index, caption.text) for caption in image.captions] == [(0, "A dog ."), (2, "A cat .")]
    assert (image.width, image.boxes, [chain.id for chain in image.chains]) == (None, (), [7])


@pytest.mark.parametrize(
    ("element", "message"),
    [
        (box(8, 1, 1, 9, 9), "object of chain 8, which no sentence mentions"),
        (box(0, 1, 1, 9, 9), "'0' is not a chain id"),
        (box("x", 1, 1, 9, 9), "'x' is not a chain id"),
        (box(7, "a", 1, 9, 9), "xmin: is 'a', not a whole number"),
        (box(7, 1.5, 1, 9, 9), "xmin: is '1.5', not a whole number"),
        (box(7, 9, 1, 5, 9), "is empty or outside the image"),
        (box(7, 101, 1, 120, 9), "is empty or outside the image"),
        (
            "<object><name>7</name><scene>2</scene><nobndbox>0</nobndbox></object>",
            "scene: is '2', not 0 or 1",
        ),
        ("<object><bndbox></bndbox></object>", "an object has no name"),
    ],
)
def test_a_bad_object_is_reported_with_its_line_and_left_out(
    tmp_path: Path, element: str, message: str
) -> None:
    root = folder(tmp_path, "A [/EN#7/animals dog] .\n", annotation(element + "\n" + box(7, 1, 1, 9, 9)))
    problem, image = read(root)
    assert isinstance(problem, Problem)
    assert (problem.file, problem.line) == (str(root / "Annotations" / "a.xml"), 4)
    assert message in problem.message
    assert isinstance(image, ImageRecord)
    assert image.boxes == (BoxRecord(Box(0, 0, 9, 9)),)


def test_a_box_that_reaches_outside_is_cut_off_and_reported(tmp_path: Path) -> None:
    root = folder(tmp_path, "A [/EN#7/animals dog] .\n", annotation(box(7, 0, 5, 120, 80)))
    problem, image = read(root)
    assert isinstance(problem, Problem)
    assert "reaches outside the image" in problem.message
    assert isinstance(image, ImageRecord)
    assert image.boxes == (BoxRecord(Box(0, 4, 100, 80)),)


@pytest.mark.parametrize(
    ("xml", "line", "message"),
    [
        ("<annotation>\n<object></annotation>", 2, "not well-formed XML"),
        ("", 1, "not well-formed XML"),
        ("<other/>", 1, "the root is 'other'"),
        (
            '<!DOCTYPE a [<!ENTITY b "c">]>\n<annotation>&b;</annotation>',
            1,
            "declares a document type or entity",
        ),
        ('<!DOCTYPE a SYSTEM "a.dtd">\n<annotation/>', 1, "declares a document type or entity"),
        ("<annotation>" + "<a>" * 100_000, 1, "nested deeper than 8"),
        (
            "<annotation><filename>" + "a" * 2000 + "</filename></annotation>",
            1,
            "longer than 1000 characters",
        ),
        ("<annotation><size><width>-5</width></size></annotation>", 1, "width: is '-5'"),
        ("<annotation>" + " " * MAX_BYTES, None, f"more than {MAX_BYTES:,} bytes"),
    ],
)
def test_a_bad_annotation_file_is_reported_and_the_captions_are_kept(
    tmp_path: Path, xml: str, line: int | None, message: str
) -> None:
    root = folder(tmp_path, "A [/EN#7/animals dog] .\n", xml)
    problem, image = read(root)
    assert isinstance(problem, Problem)
    assert problem.line == line
    assert message in problem.message
    assert isinstance(image, ImageRecord)
    assert image.name == "a.jpg"


def test_a_file_name_of_another_image_is_reported(tmp_path: Path) -> None:
    root = folder(tmp_path, "A dog .\n", annotation("").replace("a.jpg", "b.jpg"))
    problem, image = read(root)
    assert "does not belong to this file" in str(problem)
    assert isinstance(image, ImageRecord)
    assert image.name == "a.jpg"


def test_a_folder_without_sentences_is_a_problem(tmp_path: Path) -> None:
    assert [problem.message for problem in problems(tmp_path)] == ["it has no folder Sentences"]


def test_a_file_without_a_caption_leaves_its_image_out(tmp_path: Path) -> None:
    (only,) = read(folder(tmp_path, ""))
    assert "no caption could be read" in str(only)


def test_plain_leaves_only_what_the_format_holds(tmp_path: Path) -> None:
    assert records(write(tmp_path, [IMAGE])) == [plain(IMAGE)]
