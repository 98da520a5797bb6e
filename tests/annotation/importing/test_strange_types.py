"""Types of a project's own at import: given ones are kept, and others than the project has are refused."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from annotation.domain.own_types import parse_types, to_json
from annotation.domain.records import CaptionRecord, ChainRecord, ImageRecord, MentionRecord, Problem
from annotation.domain.types import OwnType, ProjectTypes
from annotation.formats.registry import READERS
from annotation.importing.corpus import StrictError
from annotation.importing.strange_types import without_strange_types
from annotation.models import GoldChain, Mention, Project, TypesVersion
from tests.annotation.importing.made_corpora import record, run
from tests.factories import NOW

FOOD = ProjectTypes(2, (OwnType("food", "Food", ("pizza",)),))
LINE = {
    "name": "a.jpg",
    "captions": [
        {
            "index": 0,
            "text": "A man eats pizza",
            "tokens": ["A", "man", "eats", "pizza"],
            "mentions": [
                {"start": 0, "end": 2, "types": ["people"], "chain": 1},
                {"start": 3, "end": 4, "types": ["food"], "chain": 2},
            ],
        },
        {
            "index": 1,
            "text": "A man",
            "tokens": ["A", "man"],
            "mentions": [{"start": 0, "end": 2, "types": ["people"], "chain": 1}],
        },
    ],
    "chains": [
        {"id": 1, "types": ["people"], "mentions": [[0, 0, 2], [1, 0, 2]]},
        {"id": 2, "types": ["food"], "mentions": [[0, 3, 4]]},
    ],
}


def corpus(tmp_path: Path, kind: str) -> Path:
    if kind == "jsonl":
        path = tmp_path / "images.jsonl"
        path.write_bytes(b"\n" + orjson.dumps(LINE))
        return path
    (tmp_path / "Sentences").mkdir()
    sentences = "[/EN#1/people A man] eats [/EN#2/food pizza]\n[/EN#1/people A man]\n"
    (tmp_path / "Sentences" / "a.txt").write_text(sentences)
    return tmp_path


def with_types(name: str = "corpus", words: str = "pizza", number: int = 1) -> Project:
    project, _ = Project.objects.get_or_create(name=name)
    content = to_json(parse_types({"food": {"words": words}}))
    TypesVersion.objects.create(project=project, number=number, content=content, by="ada", created_at=NOW)
    return project


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["jsonl", "flickr30k-entities"])
def test_a_type_that_the_project_has_is_kept(tmp_path: Path, kind: str) -> None:
    with_types()
    found = run(READERS[kind](corpus(tmp_path, kind)), as_gold=True)
    assert found.problems == []
    assert list(Mention.objects.order_by("pk").values_list("types", "types_version")) == [
        ("people", 1),
        ("food", 1),
        ("people", 1),
    ]
    assert [len(chain.members) for chain in GoldChain.objects.order_by("number")] == [2, 1]


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "line"), [("jsonl", 2), ("flickr30k-entities", 1)])
def test_another_type_is_one_error_that_says_what_to_do(tmp_path: Path, kind: str, line: int) -> None:
    path = corpus(tmp_path, kind)
    file = path if path.is_file() else path / "Sentences" / "a.txt"
    found = run(READERS[kind](path), as_gold=True)
    assert found.problems == [
        f"{file}:{line}: caption 0 of a.jpg has the type 'food', which corpus does not have; its types are "
        "people, bodyparts, animals, clothing, instruments, vehicles, scene, other (add the type in the "
        "settings of the project or with `manage.py types`, or correct the file; then import it again)"
    ]
    assert list(Mention.objects.values_list("types", flat=True)) == ["people"]  # nothing became `other`
    assert [len(chain.members) for chain in GoldChain.objects.all()] == [1]


@pytest.mark.django_db
def test_a_strict_import_stops_at_it(tmp_path: Path) -> None:
    with pytest.raises(StrictError, match="has the type 'food', which corpus does not have"):
        run(READERS["jsonl"](corpus(tmp_path, "jsonl")), strict=True)
    assert not Mention.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("processes", [1, 2])
def test_captions_are_typed_by_the_newest_version(processes: int) -> None:
    with_types(words="lunch")
    run([record("a.jpg", "A man eats a pizza.")], processes=processes)
    with_types(number=2)
    run([record("b.jpg", "A man eats a pizza.")], processes=processes)
    rows = Mention.objects.filter(text="a pizza").order_by("pk")
    assert list(rows.values_list("types", "types_version")) == [("other", 1), ("food", 2)]
    run([record("b.jpg", "A man eats a pizza.")], name="another")
    assert Mention.objects.get(image__project__name="another", text="a pizza").types_version == 0


def mention(start: int, *types: str) -> MentionRecord:
    return MentionRecord(start, start + 1, types)


def image(*types: str, chains: tuple[ChainRecord, ...] = ()) -> ImageRecord:
    captions = (CaptionRecord(0, "a b", ("a", "b"), tuple(map(mention, range(len(types)), types))),)
    return ImageRecord("a.jpg", captions, chains=chains, file="f", line=3)


def test_known_types_pass_as_they_are() -> None:
    records: list[ImageRecord | Problem] = [
        image("food", "people"),
        image("notvisual"),
        Problem("f", 1, "bad"),
        record("b.jpg", "A man."),
    ]
    assert list(without_strange_types(records, FOOD, "corpus")) == records


def test_a_caption_is_named_once_and_an_image_without_another_one_is_left_out() -> None:
    chain = ChainRecord(1, ("toys",), ((0, 0, 1),))
    found = list(without_strange_types([image("toys", "games", chains=(chain,))], FOOD, "corpus"))
    assert [(one.line, "'toys'" in one.message) for one in found if isinstance(one, Problem)] == [(3, True)]
    assert len(found) == 1


def test_a_chain_that_alone_has_the_type_keeps_its_mentions() -> None:
    chain = ChainRecord(1, ("toys", "food"), ((0, 0, 1),))
    problem, left = without_strange_types([image("food", chains=(chain,))], FOOD, "corpus")
    assert isinstance(problem, Problem) and "chain 1 of a.jpg has the type 'toys'" in problem.message
    assert left == image("food", chains=(ChainRecord(1, ("food",), ((0, 0, 1),)),))
