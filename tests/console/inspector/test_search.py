"""What a search finds, in which order, and with which queries."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from annotation.domain.own_types import parse_types
from annotation.models import Batch, Caption, Chain, GoldChain, Item, Mention, Project
from console.inspector import results as listing
from console.inspector import search
from console.inspector.results import around, results
from console.inspector.search_query import Wanted
from tests.annotation.exporting.annotated_projects import Made, annotate
from tests.factories import (
    NOW,
    answer_page,
    make_at_stage,
    make_batch,
    make_image,
    make_images,
    make_project,
    make_worker,
)
from workflows.cases.review_queue import open_case
from workflows.mention_types.versions import save_types

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def _names(project: Project, **wanted: object) -> list[str]:
    return [row.image.name for row in results(project, Wanted(**wanted)).rows]  # type: ignore[arg-type]


@pytest.fixture
def corpus() -> Project:
    project = make_project()
    make_image(project, [["man", "dog"]], name="a.jpg")
    make_image(project, [["red shirt"]], name="b.jpg")
    make_image(project, [["park"], ["woman", "dog"]], name="c.jpg")
    make_image(make_project(), [["man"]], name="other.jpg")
    return project


@pytest.mark.parametrize("few", [0, search.FEW], ids=["each image is asked", "looked up"])
@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("a man", ["a.jpg"]),
        ("A  Man", ["a.jpg"]),
        ("dog", ["a.jpg", "c.jpg"]),
        ("a red", ["b.jpg"]),
        ("a re", []),
        ("red shirt", ["b.jpg"]),
        ("Red  shirt", ["b.jpg"]),
        ("ed shirt", []),
        ("red dog", []),
        ("shirt", ["b.jpg"]),
        ("red", []),
        ("a", ["a.jpg", "b.jpg", "c.jpg"]),
        ("%", []),
    ],
)
def test_a_phrase_is_found_by_whole_words_from_its_beginning_or_its_head(
    corpus: Project, monkeypatch: pytest.MonkeyPatch, phrase: str, found: list[str], few: int
) -> None:
    monkeypatch.setattr(search, "FEW", few)
    assert _names(corpus, phrase=Wanted.read({"phrase": phrase}).phrase) == found


def test_a_type_of_the_projects_own_is_found_and_no_other_that_has_its_name_within(corpus: Project) -> None:
    types = parse_types({"art": {"words": "statue"}})
    save_types(project_id=corpus.pk, types=types, based_on=0, by="ada", now=NOW)
    for name, types_of in (("a.jpg", "other/art"), ("b.jpg", "art_work"), ("c.jpg", "art/zoo")):
        Mention.objects.filter(image__project=corpus, image__name=name).update(types=types_of)
    make_image(corpus, [["man"]], name="d.jpg")
    Mention.objects.filter(image__name="d.jpg").update(types="other/art/zoo")
    assert _names(corpus, type="art") == ["a.jpg", "c.jpg", "d.jpg"]
    assert _names(corpus, type="art_work") == ["b.jpg"]
    assert _names(corpus, type="zoo") == ["c.jpg", "d.jpg"]
    Mention.objects.filter(image__name="d.jpg").update(types="art")
    assert _names(corpus, type="art") == ["a.jpg", "c.jpg", "d.jpg"]


def test_what_was_found_is_shown_as_the_caption_says_it(corpus: Project) -> None:
    (row, _) = results(corpus, Wanted(phrase="dog")).rows
    assert row.phrases == ["a dog"]


def test_a_mention_that_was_cut_differently_is_not_found(corpus: Project) -> None:
    Mention.objects.filter(text="a man").update(superseded=True)
    assert _names(corpus, phrase="a man") == _names(corpus, type="people", name="a") == []


def test_conditions_hold_together(corpus: Project) -> None:
    assert _names(corpus, type="animals") == ["a.jpg", "c.jpg"]
    assert _names(corpus, type="animals", phrase="a park") == ["c.jpg"]
    assert _names(corpus, name="b", type="animals") == []


def test_the_state_is_that_of_the_active_batch_or_of_the_one_asked_for(corpus: Project) -> None:
    assert _names(corpus, state="free") == ["a.jpg", "b.jpg", "c.jpg"]
    batch = make_batch(corpus)
    assert _names(corpus, state="free") == []
    assert _names(corpus, state="boxing") == _names(corpus, batch=batch.pk, state="boxing") != []
    batch.works.update(active=False)
    assert _names(corpus, state="boxing") == []
    assert _names(corpus, batch=batch.pk) == ["a.jpg", "b.jpg", "c.jpg"]


def test_images_are_found_by_who_judged_or_drew() -> None:
    batch = make_at_stage("drawing")
    worker = make_worker(batch.project, "ada")
    assert _names(batch.project, worker="ada") == []
    answer_page(worker, stage="drawing")
    assert len(_names(batch.project, worker="ada")) == 1
    assert results(batch.project, Wanted(worker="ad")).unknown_worker


def test_images_are_found_by_the_state_of_a_chain() -> None:
    batch = make_at_stage("coverage")
    assert len(_names(batch.project, state="chain-coverage")) == 1
    assert _names(batch.project, state="chain-review") == []


def test_images_are_found_where_the_crowd_disagreed(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = make_at_stage("coverage")
    chain = Chain.objects.get()
    asked = ["links", "boxes", "review"]
    assert [_names(batch.project, disagreement=one) for one in asked] == [[], [], []]
    Chain.objects.update(boxes_rejected=1)
    Item.objects.filter(pk=Item.objects.filter(work=chain.work)[0].pk).update(settling=True)
    open_case(
        project_id=batch.project_id, reason="disagreement", now=NOW, chain_id=chain.pk, work_id=chain.work_id
    )
    assert all(len(_names(batch.project, disagreement=one)) == 1 for one in asked)
    monkeypatch.setattr(search, "FEW", 0)
    assert len(_names(batch.project, disagreement="review")) == 1


def test_pages_and_neighbours_follow_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "ROWS", 2)
    project = make_project()
    images = [make_image(project, [["dog" if n % 2 else "man"]], name=f"{n}.jpg") for n in range(10)]
    dogs, wanted = images[1::2], Wanted(phrase="a dog")
    first = results(project, wanted)
    assert [row.image for row in first.rows] == dogs[:2]
    assert (first.before, first.after) == ("", f"?phrase=a+dog&after={dogs[1].pk}")
    last = results(project, wanted, after=dogs[3].pk)
    assert ([row.image for row in last.rows], last.after) == ([dogs[4]], "")
    back = results(project, wanted, before=dogs[4].pk)
    assert [row.image for row in back.rows] == dogs[2:4]
    assert results(project, wanted, before=dogs[2].pk).before == ""
    assert around(project.pk, wanted, dogs[1].pk) == (dogs[0].pk, dogs[2].pk)
    assert around(project.pk, wanted, dogs[4].pk) == (dogs[3].pk, None)


def test_what_an_address_cannot_say_is_left_out() -> None:
    said = {
        "phrase": "a\0 " + "b" * 500,
        "type": "X/y",
        "state": "x",
        "batch": "-1",
        "worker": "w" * 999,
    }
    wanted = Wanted.read(said)
    assert (len(wanted.phrase), wanted.type, wanted.state, wanted.batch) == (80, "", "", None)
    assert len(wanted.worker) == 128


def test_a_list_costs_the_same_however_long_it_is(
    corpus: Project, viewer: Client, django_assert_max_num_queries: object
) -> None:
    make_batch(corpus)
    address = f"/admin/projects/{corpus.pk}/images/?phrase=dog&type=animals&state=linking&worker=ada"
    make_worker(corpus, "ada")
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        assert viewer.get(address).status_code == 200


@pytest.mark.parametrize("phrase", ["a man", "dog"])
def test_phrases_are_looked_up_in_their_indexes(corpus: Project, phrase: str) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("a PostgreSQL with three mentions reads them all")
    plan = search.said(phrase).explain()
    assert "INDEX mention_phrase (<expr>>? AND <expr><?)" in plan
    assert "INDEX mention_head (head=?" in plan
    assert "SCAN" not in plan


def test_a_rare_phrase_reads_only_the_images_that_have_it(corpus: Project) -> None:
    sql = str(search.images(corpus.pk, Wanted(phrase="a park")).query)
    assert f"IN ({corpus.images.get(name='c.jpg').pk})" in sql
    assert "mention" not in sql


def test_a_common_phrase_is_never_read_as_a_whole(corpus: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of all its images would be read first or, beyond PostgreSQL's memory, again for every image."""
    monkeypatch.setattr(search, "FEW", 0)
    plan = search.images(corpus.pk, Wanted(phrase="dog", type="animals")).order_by("pk")[:25].explain()
    if connection.vendor == "sqlite":
        assert "CORRELATED SCALAR SUBQUERY" in plan
        assert "INDEX mention_types (image_id=?" in plan or "(image_id=?)" in plan
    else:
        assert "(SubPlan 1)" in plan and "hashed" not in plan


def test_an_image_without_a_photograph_is_listed(viewer: Client) -> None:
    project = make_project()
    make_image(project, [["man"]], picture=False)
    said = viewer.get(f"/admin/projects/{project.pk}/images/").content.decode()
    assert "no photograph" in said


@pytest.mark.parametrize("few", [0, search.FEW], ids=["each image is asked", "looked up"])
def test_any_words_of_one_caption_find_the_image(
    corpus: Project, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(search, "FEW", few)
    for name, tokens in (("a.jpg", "Dogs playing with a man"), ("c.jpg", "A man is playing")):
        caption = Caption.objects.filter(image__project=corpus, image__name=name).earliest("index")
        Caption.objects.filter(pk=caption.pk).update(text=tokens, tokens=tokens)
    assert _names(corpus, words="playing") == ["a.jpg", "c.jpg"]
    assert _names(corpus, words="PLAYING dogs") == ["a.jpg"]
    assert _names(corpus, words="man woman") == []
    assert _names(corpus, words="playing", type="clothing") == []
    (row, _) = results(corpus, Wanted(words="playing")).rows
    assert row.caption == "Dogs playing with a man"
    Caption.objects.filter(tokens="Dogs playing with a man").update(superseded=True)
    assert _names(corpus, words="playing") == ["c.jpg"]


def test_common_words_are_asked_of_one_image_after_another(
    corpus: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "FEW", 0)
    plan = search.images(corpus.pk, Wanted(words="dog")).order_by("pk")[:25].explain()
    if connection.vendor == "sqlite":
        assert "CORRELATED SCALAR SUBQUERY" in plan
        assert "(image_id=?)" in plan
    else:
        assert "(SubPlan 1)" in plan and "hashed" not in plan


def test_boxes_are_shown_on_request_as_the_page_of_the_image_has_them(viewer: Client) -> None:
    project = make_project()
    crowd, known = (make_image(project, [["man", "dog"]], name=f"{name}.jpg") for name in "ab")
    batch = Batch.objects.create(project=project, name="main")
    for image in (crowd, known):
        annotate(image, [Made((0,), [(1, 2, 30, 40)]), Made((1,), [(5, 6, 70, 80)])], batch=batch)
    known.works.update(active=False)
    mention = known.mentions.get(text="a dog")
    GoldChain.objects.create(image=known, number=1, members=[mention.pk], boxes=[[7, 7, 77, 77]])
    address = f"/admin/projects/{project.pk}/images/?name="
    assert "<svg viewBox" not in viewer.get(address).content.decode()
    said = viewer.get(f"{address}&boxes=yes").content.decode()
    assert said.count('class="shape c0 l0"') == 2 and said.count('class="shape c1 l0"') == 1
    assert f'href="/admin/images/{crowd.pk}/?boxes=yes#chain-B"' in said
    assert 'x="7" y="7" width="70" height="70"' in said
    of_batch = viewer.get(f"{address}&boxes=yes&batch={batch.pk}").content.decode()
    assert of_batch.count('class="shape c0 l0"') == of_batch.count('class="shape c1 l0"') == 2


def test_boxes_cost_the_same_queries_for_many_images(
    viewer: Client, django_assert_max_num_queries: object
) -> None:
    project = make_project()
    made = make_images(project, [["man", "dog"]], 12)
    batch = Batch.objects.create(project=project, name="main")
    for image in made:
        annotate(image, [Made((0,), [(1, 2, 30, 40)])], batch=batch)
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        reply = viewer.get(f"/admin/projects/{project.pk}/images/?boxes=yes")
    assert reply.content.decode().count('class="shape c0 l0"') == 12


def test_images_without_a_photograph_are_found_and_can_be_given_one(
    corpus: Project, manager: Client, viewer: Client
) -> None:
    make_image(corpus, [["dog"]], name="bare.jpg", picture=False)
    gone = make_image(corpus, [["dog"]], name="gone.jpg", picture=False)
    gone.withdrawn_at = NOW
    gone.save()
    assert _names(corpus, state="without-photograph") == ["bare.jpg"]
    address = reverse("inspector:search", args=[corpus.pk]) + "?state=without-photograph"
    page, seen = manager.get(address).content.decode(), viewer.get(address).content.decode()
    assert "To add a photograph, import it under the name of its image." in page
    assert ("Import photographs" in page, "Import photographs" in seen) == (True, False)
    assert "To add a photograph" not in manager.get(address.partition("?")[0]).content.decode()
