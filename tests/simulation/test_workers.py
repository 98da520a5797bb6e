"""Simulated workers with hand-made pages."""

import random
from collections import Counter
from typing import Any

import httpx
import pytest

from annotation.domain.geometry import Box
from simulation.characters import Character
from simulation.client import Client
from simulation.questions import Question, read_question
from simulation.truth import KnownChain, Truth
from simulation.workers import Manners, SimulatedWorker, Tally
from tests.simulation.pages import Script, link_page, receipt, stop_after

QUIET = Manners()
MAN = KnownChain(1)
TRUTH = Truth({7: {(0, 0, 5): MAN, (1, 4, 11): MAN}})


def run(script: Script, manners: Manners = QUIET, turns: int = 1) -> tuple[bool, Tally, list[float]]:
    wait, pauses = stop_after(turns)
    total = Tally()
    client = Client("http://server", "t", script.transport(), lambda seconds: None)
    stayed = SimulatedWorker(client, TRUTH, Character(), random.Random(3), manners).work(wait, total.add)
    return stayed, total, pauses


def page(number: int = 1) -> httpx.Response:
    return httpx.Response(201, json=link_page(number))


def test_it_answers_a_page_and_asks_for_the_next() -> None:
    script = Script(page(1), receipt(2, 0), page(2), receipt(1, 1))
    stayed, tally, _ = run(script)
    assert stayed
    assert tally == Tally(Counter(link=4), pages=2, acknowledged=1)
    path, body = script.requests[1]
    assert path == "/api/v1/assignments/page-1/submission"
    assert [(reply["item"], reply["answer"]) for reply in body["answers"]] == [
        (1, {"same": True}),
        (2, {"same": True}),
    ]
    assert all(reply["seconds"] >= 0 for reply in body["answers"])


def test_it_waits_as_long_as_it_is_asked_to() -> None:
    assert run(Script(), turns=2)[2] == [3.0, 3.0]


def test_haste_shortens_the_wait() -> None:
    assert run(Script(), Manners(haste=0.1))[2] == pytest.approx([0.3])


def test_it_may_give_a_page_back() -> None:
    script = Script(page(), httpx.Response(204))
    stayed, tally, _ = run(script, Manners(give_back=1.0))
    assert (stayed, tally) == (True, Tally(given_back=1))
    assert script.requests[1] == ("/api/v1/assignments/page-1/return", {})


def test_it_may_walk_away_without_a_word() -> None:
    script = Script(page())
    stayed, tally, _ = run(script, Manners(dropout=1.0))
    assert (stayed, tally) == (False, Tally(abandoned=1))
    assert len(script.requests) == 1


def test_it_leaves_when_its_patience_ends() -> None:
    stayed, tally, pauses = run(Script(page(), receipt()), Manners(patience=3), turns=99)
    assert (stayed, tally.pages, tally.idle, pauses) == (False, 1, 1, [3.0] * 3)


def test_an_item_takes_as_long_as_a_person_needs() -> None:
    script = Script(*[reply for _ in range(40) for reply in (page(), receipt())])
    run(script)
    seconds = [
        reply["seconds"] for path, body in script.requests if "subm" in path for reply in body["answers"]
    ]
    assert 5 < sum(seconds) / len(seconds) < 10  # table 3: 7.5


def test_a_page_that_is_gone_is_counted() -> None:
    assert run(Script(page(), httpx.Response(404)))[1] == Tally(lost=1)


def test_a_question_is_read_from_what_the_page_shows() -> None:
    data: dict[str, Any] = {
        "image": {"id": "3", "url": "/media/x", "width": 640, "height": 480},
        "captions": [
            {
                "index": 2,
                "segments": [{"text": "Two 🐕 of ", "mention": False}, {"text": "dogs", "mention": True}],
            }
        ],
        "boxes": [[1, 2, 30, 40]],
        "box": [5, 6, 70, 80],
    }
    assert read_question(data, int) == Question(
        3, ((2, 9, 13),), (640, 480), (Box(1, 2, 30, 40),), Box(5, 6, 70, 80), captions=("Two 🐕 of dogs",)
    )


def test_a_question_of_a_campaign_has_whole_captions_or_a_sentence_to_correct() -> None:
    image = {"id": "3", "width": None, "height": None}
    whole = {"index": 0, "segments": [{"text": "A dog .", "mention": False}]}
    assert read_question({"image": image, "captions": [whole]}, int) == Question(3, (), captions=("A dog .",))
    asked = read_question({"image": image, "captions": [], "correct": "A dog run ."}, int)
    assert asked == Question(3, (), correct="A dog run .")
