"""Captions in another language: reported before anything is made of them (docs/importing.md, Languages)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotation import chunkers
from annotation.domain.records import CaptionRecord, ImageRecord, MentionRecord
from annotation.importing.corpus import StrictError
from annotation.models import Caption, Image, Mention, Project
from tests.annotation.importing.made_corpora import record, run

pytestmark = pytest.mark.django_db

GERMAN = "Ein Mann in einem roten Hemd steht auf der Straße."
ENGLISH = "A man in a red shirt stands in the street."
MIXED = [record("a.jpg", ENGLISH, GERMAN), record("b.jpg", GERMAN), record("c.jpg", ENGLISH)]


@pytest.mark.parametrize("processes", [1, 2])
def test_they_are_left_out_and_reported_as_one_problem_with_examples(processes: int) -> None:
    done = run(MIXED, processes=processes)
    assert list(Caption.objects.values_list("image__name", "index")) == [("a.jpg", 0), ("c.jpg", 0)]
    assert set(Image.objects.values_list("name", flat=True)) == {"a.jpg", "c.jpg"}
    assert done.problems == [
        f"corpus.txt:8: not in en, the project's language: 2 captions left out, such as “{GERMAN}” "
        f"(a.jpg, caption 1, de); “{GERMAN}” (b.jpg, caption 0, de) "
        "(correct the language of the project, or import captions in any language)"
    ]
    assert (done.summary.foreign, done.summary.captions, done.summary.skipped) == (2, 2, 1)
    assert ("in another language", "2") in done.summary.lines()


def test_a_dry_run_says_the_same_and_writes_nothing() -> None:
    assert run(MIXED, dry_run=True).problems == run(MIXED).problems
    assert run(MIXED, name="other", dry_run=True).summary.foreign == 2
    assert not Image.objects.filter(project__name="other")


def test_one_can_go_on_and_import_them() -> None:
    run(MIXED)
    done = run(MIXED, any_language=True)
    assert (done.problems, done.summary.captions, done.summary.captions_known) == ([], 2, 2)
    assert Caption.objects.count() == 4


def test_a_strict_import_stops_at_the_first() -> None:
    with pytest.raises(StrictError, match=r"corpus.txt:8: not in en.*: 1 caption left out"):
        run(MIXED, strict=True)
    assert not Project.objects.exists()


def test_long_examples_are_cut_and_only_three_are_shown() -> None:
    texts = [f"{GERMAN} {GERMAN} {number}" for number in range(5)]
    [said] = run([record("a.jpg", *texts)]).problems
    assert said.count("…” (a.jpg") == 3 and "5 captions left out" in said


def test_captions_with_mentions_of_their_own_are_never_looked_at() -> None:
    own = CaptionRecord(0, GERMAN, mentions=(MentionRecord(0, 2, ("people",)),))
    assert run([ImageRecord("a.jpg", (own,))]).problems == []
    assert Mention.objects.get().text == "Ein Mann"


def test_the_chunker_must_cut_the_projects_language() -> None:
    Project.objects.create(name="corpus", language="de")
    [said] = run([record("a.jpg", GERMAN)]).problems
    assert "the chunker hanta does not cut de, the project's language: 1 caption left out" in said
    assert "choose another chunker, bring mentions" in said
    assert not Caption.objects.exists()


class FirstTwo:
    language = "de"

    def chunks(self, tokens: Sequence[str]) -> list[tuple[int, int]]:
        return [(0, 2)]


@pytest.fixture
def german_chunker(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(chunkers._CHUNKERS, "first-two", FirstTwo)
    return "first-two"


def test_with_a_chunker_for_the_language_its_captions_are_cut(german_chunker: str) -> None:
    Project.objects.create(name="corpus", language="de-AT")
    done = run([record("a.jpg", GERMAN, ENGLISH)], chunker=german_chunker)
    assert Mention.objects.get().text == "Ein Mann"
    assert "not in de-AT, the project's language: 1 caption left out" in done.problems[0]
