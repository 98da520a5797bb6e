"""An image's chunks and chains by the form: split, joined, moved, cut anew, dropped, added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from annotation.models import Box, Case, Chain, Decision, ImageWork, Mention
from tests.console.review.review_rows import SCRIPT, make_finished
from tests.factories import NOW, answer_page, make_at_stage, make_running, make_worker, willing
from workflows.cases.review_queue import open_case
from workflows.pipeline.advance import advance_pending
from workflows.review.decide import version_of

pytestmark = pytest.mark.django_db


def _typed(client: Client, work: ImageWork) -> dict[str, Any]:
    """Return the form's fields as the page shows them."""
    reply = client.get(reverse("review:work", args=[work.pk]))
    assert reply.status_code == 200
    typed: dict[str, Any] = {"version": version_of(work), "note": "seen", "keep_boxes": "on", "close": "on"}
    for caption in reply.context["found"].form:
        for row in caption.rows:
            typed |= {
                f"{row.name}-start": row.start,
                f"{row.name}-end": row.end,
                f"{row.name}-chain": row.chain,
            }
    return typed


def _post(client: Client, work: ImageWork, typed: dict[str, Any]) -> Any:
    """Send the form, and confirm it if that is asked."""
    url = reverse("review:work", args=[work.pk])
    reply = client.post(url, typed)
    if "losses" not in (reply.context or {}):
        return reply
    return client.post(url, {**dict(reply.context["typed"]), "confirmed": "1"})


def _two_men() -> tuple[ImageWork, list[Mention]]:
    """Make a finished image with a man in each of two captions, in one chain with a box."""
    make_at_stage("verification")
    chain = Chain.objects.get()
    for _ in range(8):
        chain.refresh_from_db()
        if chain.state == "done":
            break
        answer_page(make_worker(chain.work.batch.project))
        advance_pending(now=NOW)
    return chain.work, list(Mention.objects.order_by("caption__index"))


def _chains() -> dict[tuple[int, ...], str]:
    """Return the state of each chain in use, by its mentions."""
    found = Chain.objects.exclude(state__in=("split", "withdrawn"))
    return {tuple(chain.members): chain.state for chain in found}


def test_a_mention_is_split_off_and_the_boxes_stay_with_the_letter(reviewer: Client) -> None:
    work, (first, second) = _two_men()
    typed = _typed(reviewer, work) | {f"m{second.pk}-chain": "B"}
    assert _post(reviewer, work, typed).status_code == 302
    assert _chains() == {(first.pk,): "coverage", (second.pk,): "drawing"}
    assert Box.objects.get(state="accepted").chain.members == [first.pk]
    decision = Decision.objects.get()
    assert (decision.kind, decision.by, decision.note) == ("regroup", "rita", "seen")


def test_a_regrouping_that_loses_work_is_confirmed_first(reviewer: Client) -> None:
    work, mentions = _two_men()
    typed = _typed(reviewer, work)
    for mention in mentions:
        typed |= {f"m{mention.pk}-start": "", f"m{mention.pk}-end": ""}
    reply = reviewer.post(reverse("review:work", args=[work.pk]), typed)
    assert reply.status_code == 200
    assert not Decision.objects.exists()
    losses = reply.context["losses"]
    assert [(lost.letter, lost.texts) for lost in losses.chains] == [("A", ["a man", "a man"])]
    assert (losses.boxes, losses.judgments > 0, losses.ends) == (1, True, True)
    assert losses.dropped == ["a man", "a man"]
    content = " ".join(reply.content.decode().split())
    assert f"1 chain would be withdrawn, with {losses.judgments} judgments and 1 box." in content
    assert "nothing more is asked about this image" in content
    assert _post(reviewer, work, typed).status_code == 302
    assert _chains() == {}


def test_boxes_that_go_on_are_told_from_those_that_are_lost(reviewer: Client) -> None:
    work, (_, second) = _two_men()
    typed = _typed(reviewer, work) | {f"m{second.pk}-chain": "B"}
    losses = reviewer.post(reverse("review:work", args=[work.pk]), typed).context["losses"]
    assert (losses.boxes, losses.kept, losses.dropped) == (0, 1, [])


def test_from_the_confirmation_the_form_comes_back_as_it_was_typed(reviewer: Client) -> None:
    work, (_, second) = _two_men()
    typed = _typed(reviewer, work) | {f"m{second.pk}-chain": "B", "note": "two men", "back": "1"}
    reply = reviewer.post(reverse("review:work", args=[work.pk]), typed)
    assert "two men" in reply.content.decode()
    rows = [row for caption in reply.context["found"].form for row in caption.rows]
    assert next(row.chain for row in rows if row.name == f"m{second.pk}") == "B"
    assert not Decision.objects.exists()


def test_what_changed_between_form_and_confirmation_is_not_regrouped(reviewer: Client) -> None:
    make_at_stage("coverage")
    work, mention = ImageWork.objects.get(), Mention.objects.order_by("pk").first()
    assert mention is not None
    typed = _typed(reviewer, work) | {f"m{mention.pk}-start": "", f"m{mention.pk}-end": ""}
    asked = reviewer.post(reverse("review:work", args=[work.pk]), typed)
    for _ in range(2):
        answer_page(make_worker(work.batch.project), stage="coverage")
        advance_pending(now=NOW)
    confirmed = {**dict(asked.context["typed"]), "confirmed": "1"}
    reply = reviewer.post(reverse("review:work", args=[work.pk]), confirmed)
    assert reply.status_code == 409
    assert not Decision.objects.exists()
    # What is shown now was not confirmed.
    again = reviewer.post(reverse("review:work", args=[work.pk]), typed | {"version": version_of(work)})
    assert again.context["losses"].any


def test_the_image_says_what_a_regrouping_changed(reviewer: Client) -> None:
    work, (first, second) = _two_men()
    typed = _typed(reviewer, work) | {f"m{first.pk}-start": "2", f"m{second.pk}-chain": "B"}
    _post(reviewer, work, typed)
    reply = reviewer.get(reverse("review:work", args=[work.pk]))
    (entry,) = reply.context["found"].decisions
    assert entry.title == "A researcher regrouped the image"
    assert entry.moves == [
        "before: “a man” + “a man”",
        "after: “man”; “a man”",
        "no mention any more: “a man”",
        "new mentions: “man”",
    ]
    assert "new mentions: “man”" in reply.content.decode()


def test_a_regrouping_that_changed_nothing_says_what_carried_on(reviewer: Client) -> None:
    work, _ = _two_men()
    _post(reviewer, work, _typed(reviewer, work))
    (entry,) = reviewer.get(reverse("review:work", args=[work.pk])).context["found"].decisions
    assert entry.moves == ["1 chain carried on as before"]


def _split() -> ImageWork:
    """Make an image whose chain was found wrong, and split into *a man* and *a boy*."""
    batch = make_running([["man"], ["man"]])
    other = Mention.objects.order_by("pk").last()
    assert other is not None
    Mention.objects.filter(pk=other.pk).update(text="a boy", head="boy")

    def same_thing(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        return {"same": stage == "link"} if stage in ("link", "verification") else willing(stage, question)

    for _ in range(6):
        if Chain.objects.filter(state="split").exists():
            break
        answer_page(make_worker(batch.project), answering=same_thing)
        advance_pending(now=NOW)
    return ImageWork.objects.get()


def test_a_chain_that_was_split_before_is_no_part_of_what_a_regrouping_changed(reviewer: Client) -> None:
    work = _split()
    assert Chain.objects.filter(state="split").exists()
    boy = Mention.objects.get(text="a boy")
    _post(reviewer, work, _typed(reviewer, work) | {f"m{boy.pk}-start": "2"})
    (entry,) = reviewer.get(reverse("review:work", args=[work.pk])).context["found"].decisions
    assert entry.moves == [
        "before: “a boy”",
        "after: “man”",
        "no mention any more: “a boy”",
        "new mentions: “man”",
        "1 chain carried on as before",
    ]


def test_a_phrase_that_another_chain_has_is_not_gone(reviewer: Client) -> None:
    work, (_, second) = _two_men()
    _post(reviewer, work, _typed(reviewer, work) | {f"m{second.pk}-chain": "B"})
    # The next regrouping leaves both chains as they are, and withdraws none.
    _post(reviewer, work, _typed(reviewer, work))
    newest = reviewer.get(reverse("review:work", args=[work.pk])).context["found"].decisions[0]
    assert newest.moves == ["2 chains carried on as before"]


def test_a_withdrawn_chain_keeps_its_words(reviewer: Client) -> None:
    work, (first, second) = _two_men()
    old = Chain.objects.get()
    _post(reviewer, work, _typed(reviewer, work) | {f"m{first.pk}-start": "2", f"m{second.pk}-start": "2"})
    reply = reviewer.get(reverse("review:chain", args=[old.pk]))
    page = reply.context["found"]
    marked = [piece.text for line in page.captions for piece in line.pieces if piece.kind == "own"]
    assert [text.lower() for text in marked] == ["a man", "a man"]
    links = [entry.says for entry in page.history if entry.kind == "link"]
    assert links
    assert "?" not in "".join(links)
    said = [line for entry in page.history for line in (entry.title, *entry.moves)]
    assert "withdrawn, because the judgments behind it no longer count" in said
    assert "after: “man” + “man”" in said


def test_without_its_boxes_a_changed_chain_begins_anew(reviewer: Client) -> None:
    work, (_, second) = _two_men()
    typed = _typed(reviewer, work) | {f"m{second.pk}-chain": "B"}
    del typed["keep_boxes"]
    _post(reviewer, work, typed)
    assert set(_chains().values()) == {"drawing"}


def test_chains_are_joined(reviewer: Client) -> None:
    make_running([["man", "dog"]])
    work = ImageWork.objects.get()
    man, dog = Mention.objects.order_by("start")
    _post(reviewer, work, _typed(reviewer, work) | {f"m{dog.pk}-chain": "A"})
    assert list(_chains()) == [(man.pk, dog.pk)]


def test_joined_chains_share_their_equal_boxes_and_their_author(reviewer: Client) -> None:
    work, (_, second) = _two_men()
    _post(reviewer, work, _typed(reviewer, work) | {f"m{second.pk}-chain": "B"})
    first = Box.objects.get(state="accepted")
    other = Chain.objects.get(members=[second.pk], generation=2)
    # Somebody draws nearly the same box for the other chain.
    _draw(other, by=1)
    work.refresh_from_db()
    nearly = Box.objects.get(chain=other, state="accepted")
    assert nearly.rectangle != first.rectangle
    typed = _typed(reviewer, work) | {f"m{second.pk}-chain": "A"}
    losses = reviewer.post(reverse("review:work", args=[work.pk]), typed).context["losses"]
    assert (losses.boxes, losses.kept) == (0, 2), "an equal box is kept"
    _post(reviewer, work, typed)
    box = Box.objects.get(state="accepted")
    assert (box.rectangle, box.judgment) == (first.rectangle, first.judgment)
    page = reviewer.get(reverse("review:chain", args=[box.chain_id])).context["found"]
    assert [one.worker for one in page.boxes] == [first.judgment and first.judgment.worker_id]


def _draw(chain: Chain, *, by: int) -> None:
    """Let workers draw the box of a chain, `by` pixels beside the usual one, and find it good."""

    def answer(stage: str, question: Mapping[str, Any]) -> dict[str, Any]:
        given = willing(stage, question)
        if stage == "drawing" and given["box"]:
            left, top, right, bottom = given["box"]
            return {"box": [left + by, top, right + by, bottom]}
        return given

    for _ in range(6):
        answer_page(make_worker(chain.work.batch.project), answering=answer)
        advance_pending(now=NOW)
        if Box.objects.filter(chain=chain, state="accepted").exists():
            return
    raise AssertionError("no box was accepted")


def test_a_form_sent_as_it_came_changes_no_chain(reviewer: Client) -> None:
    work, mentions = _two_men()
    before = _chains()
    assert _post(reviewer, work, _typed(reviewer, work)).status_code == 302
    assert _chains() == before == {tuple(mention.pk for mention in mentions): "done"}


def test_a_chunk_is_cut_anew(reviewer: Client) -> None:
    make_running([["red shirt"]])
    work, mention = ImageWork.objects.get(), Mention.objects.get()
    _post(reviewer, work, _typed(reviewer, work) | {f"m{mention.pk}-start": "2"})
    mention.refresh_from_db()
    assert mention.superseded
    assert Mention.objects.get(superseded=False).text == "red shirt"


def test_a_chunk_is_dropped_and_another_added(reviewer: Client) -> None:
    make_running([["man", "dog"]])
    work = ImageWork.objects.get()
    dog = Mention.objects.get(text="a dog")
    typed = _typed(reviewer, work) | {f"m{dog.pk}-start": "", f"m{dog.pk}-end": ""}
    _post(reviewer, work, typed | {"n0-0-start": "4", "n0-0-end": "4", "n0-0-chain": "B"})
    assert sorted(Mention.objects.filter(superseded=False).values_list("text", flat=True)) == ["a man", "dog"]


def test_a_mention_that_is_not_asked_about_leaves_its_chain(reviewer: Client) -> None:
    make_running([["man", "dog"]])
    work = ImageWork.objects.get()
    dog = Mention.objects.get(text="a dog")
    assert _post(reviewer, work, _typed(reviewer, work) | {f"m{dog.pk}-chain": "-"}).status_code == 302
    assert [len(members) for members in _chains()] == [1]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"start": "x"}, "by their numbers"),
        ({"start": ""}, "by their numbers"),
        ({"end": "9"}, "the words 1 to 4"),
        ({"start": "0"}, "the words 1 to 4"),
        ({"start": "2", "end": "1"}, "may not come after the last"),
        ({"end": "3"}, "overlap"),
        ({"chain": "ZZ"}, "Choose the chain"),
        ({"chain": ""}, "Choose the chain"),
    ],
)
def test_what_is_no_chunk_is_said_where_it_stands(
    reviewer: Client, typed: dict[str, str], message: str
) -> None:
    make_running([["man", "dog"]])
    work = ImageWork.objects.get()
    man = Mention.objects.get(text="a man")
    wrong = {f"m{man.pk}-{name}": value for name, value in typed.items()}
    reply: HttpResponse = _post(reviewer, work, _typed(reviewer, work) | wrong)
    assert reply.status_code == 422
    assert message in reply.content.decode()
    assert not Decision.objects.exists()


def test_a_note_that_is_too_long_keeps_what_was_typed(reviewer: Client) -> None:
    make_running([["man", "dog"]])
    work = ImageWork.objects.get()
    dog = Mention.objects.get(text="a dog")
    reply = _post(reviewer, work, _typed(reviewer, work) | {f"m{dog.pk}-chain": "A", "note": "x" * 2001})
    assert reply.status_code == 422
    rows = [row for caption in reply.context["found"].form for row in caption.rows]
    assert next(row.chain for row in rows if row.name == f"m{dog.pk}") == "A"


def test_regrouping_what_has_changed_is_not_done(reviewer: Client) -> None:
    make_at_stage("coverage")
    work = ImageWork.objects.get()
    typed = _typed(reviewer, work)
    for _ in range(2):
        answer_page(make_worker(work.batch.project), stage="coverage")
        advance_pending(now=NOW)
    reply = _post(reviewer, work, typed)
    assert reply.status_code == 409
    assert "has changed since you opened this page" in reply.content.decode()
    assert not Decision.objects.exists()


def test_cases_about_the_image_are_closed_by_it(reviewer: Client) -> None:
    chain = make_finished()
    open_case(
        project_id=chain.work.batch.project_id,
        reason="chunk",
        now=NOW,
        work_id=chain.work_id,
        detail={"note": SCRIPT},
    )
    case = Case.objects.get()
    page = reviewer.get(reverse("review:work", args=[chain.work_id]) + f"?case={case.pk}").content.decode()
    assert SCRIPT not in page
    assert "&lt;script&gt;" in page
    _post(reviewer, chain.work, _typed(reviewer, chain.work))
    case.refresh_from_db()
    assert case.decision == Decision.objects.get()


def test_the_page_costs_the_same_for_a_long_image(
    reviewer: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    make_running([["man", "dog", "ball"]] * 5)
    work = ImageWork.objects.get()
    with django_assert_max_num_queries(18):  # type: ignore[operator]  # pytest-django's fixture has no type
        assert reviewer.get(reverse("review:work", args=[work.pk])).status_code == 200
