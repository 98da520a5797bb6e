"""Which captions have some words, on both databases, and whether every write keeps the index right."""

from __future__ import annotations

import pytest
from django.db import connection

from annotation.caption_words import HasWords, keep_caption_words
from annotation.models import Caption, Project
from tests.factories import NOW, make_image, make_project
from tests.query_plans import plan_of
from workflows.projects.erasure import erase_deleted_projects

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SAID = (
    "A girl in a red dress is playing .",
    "The dress is blue ; a ball is red .",
    "his/her T-shirt from www.example.com costs 1,000",
    "Ein Mädchen spielt Fußball",
    "一 个 女孩 在 玩",
    "a shirt with the letter T",
)


@pytest.fixture
def captions() -> Project:
    project = make_project()
    image = make_image(project, [])
    Caption.objects.bulk_create(
        Caption(image=image, index=index, text=text, tokens=text) for index, text in enumerate(SAID, start=9)
    )
    return project


def _found(words: str) -> list[int]:
    found = Caption.objects.in_use().filter(HasWords(words)).order_by("index")
    return [index - 9 for index in found.values_list("index", flat=True)]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("red dress", [0, 1]),
        ("DRESS Red", [0, 1]),
        ("playing", [0]),
        ("play", []),
        ("red girl blue", []),
        ("her shirt", [2]),
        ("t-shirt", [2, 5]),
        ("1,000", [2]),
        ("mädchen", [3]),
        ("madchen", []),
        ("女孩", [4]),
        ("red .", [0, 1]),
        (".", []),
        ("", []),
        ("red OR playing", []),
        ('"red* dress" -blue', [1]),
        ("tokens:red", []),
        ("100%", []),
        ("'; drop", []),
    ],
)
def test_captions_are_found_by_whole_words_in_any_order(
    captions: Project, words: str, found: list[int]
) -> None:
    assert _found(words) == found


def test_every_write_keeps_the_index(captions: Project) -> None:
    first, second = Caption.objects.order_by("index").filter(index__gte=9)[:2]
    Caption.objects.filter(pk=first.pk).update(superseded=True)
    assert _found("red dress") == [1]
    Caption.objects.filter(pk=second.pk).update(tokens="a kite")
    assert (_found("dress"), _found("kite")) == ([], [1])
    second.delete()
    assert _found("kite") == []
    Caption.objects.bulk_create([second])
    assert _found("dress blue") == [1]
    second.tokens = "The dress is pink ."
    second.save()
    assert (_found("dress blue"), _found("dress pink")) == ([], [1])


def test_a_deleted_project_leaves_no_words(captions: Project) -> None:
    Project.objects.filter(pk=captions.pk).update(deleted_at=NOW)
    erase_deleted_projects(now=NOW)
    assert not Caption.objects.exists()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT rowid FROM caption_words WHERE caption_words MATCH 'dress'")
            assert cursor.fetchall() == []
            cursor.execute("INSERT INTO caption_words (caption_words) VALUES ('integrity-check')")


def test_what_was_lost_is_made_anew_from_the_captions(captions: Project) -> None:
    """On SQLite, Django makes a table anew to change a column, and drops its triggers with the old one."""
    connection.check_constraints()  # PostgreSQL makes no index while keys wait to be checked
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DROP TRIGGER caption_words_insert")
        else:
            cursor.execute("DROP INDEX caption_words")
    Caption.objects.create(image=captions.images.get(), index=20, text="a kite", tokens="a kite")
    connection.check_constraints()
    keep_caption_words()
    assert _found("kite") == [11]
    keep_caption_words()
    Caption.objects.create(image=captions.images.get(), index=21, text="a kite", tokens="a kite")
    assert _found("kite") == [11, 12]


def test_words_are_looked_up_in_their_index(captions: Project) -> None:
    query = Caption.objects.filter(HasWords("red"))
    if connection.vendor == "sqlite":
        assert "VIRTUAL TABLE INDEX" in query.explain()
        assert "SCAN annotation_caption" not in query.explain()
    else:
        assert "Bitmap Index Scan on caption_words" in plan_of(
            "SELECT id FROM annotation_caption WHERE to_tsvector('simple', translate(tokens,"
            " '/.-_:@''’', '        ')) @@ plainto_tsquery('simple', 'red')"
        )
