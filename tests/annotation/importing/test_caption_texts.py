from __future__ import annotations

from pathlib import Path

import pytest

from annotation.formats.corpus_reader import read_corpus
from annotation.formats.recognition import recognise
from annotation.importing.summary import DETECTORS_READ
from annotation.models import Caption, Image, Mention
from tests.annotation.importing.made_corpora import record, run
from tests.shared import shared

pytestmark = pytest.mark.django_db


def imported(path: Path, name: str = "corpus") -> list[str]:
    """Import a file and return its problems."""
    return run(read_corpus(recognise(path)), name).problems


def mentions() -> dict[str, list[str]]:
    """Return the mentions that workers are asked about, by image."""
    found: dict[str, list[str]] = {}
    rows = Mention.objects.filter(annotatable=True).order_by("image__name", "start")
    for name, text in rows.values_list("image__name", "text"):
        found.setdefault(name, []).append(text)
    return found


def test_mentions_have_neither_html_nor_emoji_nor_invisible_characters(tmp_path: Path) -> None:
    path = tmp_path / "captions.csv"
    path.write_text(
        "image,caption\n"
        "a.jpg,A man&#39;s d\u200bog &amp; a cat.\n"
        "b.jpg,A <b>man</b>\U0001f600 holds a cup\U0001f375.<br>A dog\u200b runs.\n"
    )
    assert imported(path) == []
    assert mentions() == {"a.jpg": ["A man 's dog", "a cat"], "b.jpg": ["A man", "a cup", "A dog"]}


def test_the_mentions_of_the_cases_have_no_html() -> None:
    assert imported(shared("cases", "F13_html_left_over", "captions.jsonl")) == []
    assert mentions() == {
        "a.jpg": ["A man 's dog", "a cat"],
        "b.jpg": ["A man 's dog"],
        "c.jpg": ["A man", "a cup", "A dog"],
    }


def test_the_tokens_of_the_cases_keep_measures_and_names_together() -> None:
    assert imported(shared("cases", "F16_quotation_marks_in_mentions", "captions.csv")) == []
    tokens = dict(Caption.objects.values_list("image__name", "tokens"))
    assert tokens["a.jpg"] == 'A " For Sale " sign stands in the yard .'
    assert tokens["c.jpg"] == "A 15\" laptop and M&M 's , bottle No. 5 ."


def test_a_missing_caption_makes_no_image(tmp_path: Path) -> None:
    path = tmp_path / "captions.csv"
    path.write_text("image,caption\na.jpg,nan\nb.jpg,A dog.\n")
    (problem,) = imported(path)
    assert problem.startswith(f"{path}:2: column 2 (caption): the caption is 'nan'")
    assert list(Image.objects.values_list("name", flat=True)) == ["b.jpg"]


def test_a_caption_that_was_stored_with_its_html_is_known(tmp_path: Path) -> None:
    run([record("a.jpg", "A man &amp; a dog.")])
    path = tmp_path / "captions.csv"
    path.write_text("image,caption\na.jpg,A man &amp; a dog.\n")
    assert imported(path) == []
    assert Caption.objects.get().text == "A man &amp; a dog.", "an import never changes what is there"


@pytest.mark.parametrize("dry_run", [False, True])
def test_captions_longer_than_detectors_read_are_counted_and_imported(dry_run: bool) -> None:
    usual = " ".join(["dogs"] * DETECTORS_READ)
    corpus = [record("a.jpg", "A dog.", usual), record("b.jpg", f"{usual} .", f"{usual} run .")]
    done = run(corpus, dry_run=dry_run, strict=True)
    assert (done.problems, done.summary.captions) == ([], 4)
    assert done.summary.long_captions == 2
    assert dict(done.summary.lines())["longer than usual"] == (
        "2 captions have more than 256 tokens, as many as most detectors read; "
        "the first is caption 0 of b.jpg (257 tokens)"
    )


def test_without_long_captions_nothing_is_said_of_them() -> None:
    assert "longer than usual" not in dict(run([record("a.jpg", "A dog.")]).summary.lines())
