"""A worker who wants to know which items are verification questions, and the statistics for that."""

from __future__ import annotations

import time
from base64 import urlsafe_b64decode
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby
from random import Random
from statistics import NormalDist, median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.domain.answers import Stage
from annotation.image_names import image_of
from annotation.models import (
    Assignment,
    Exposure,
    Image,
    ImageWork,
    Item,
    Judgment,
    VerificationQuestion,
    Worker,
)
from annotation.planner import analyze
from tests.factories import NOW, claim_maybe, submit_page, willing
from tests.workflows.http import Api
from workflows.assignments.page_view import shown_page
from workflows.pipeline.advance import advance_pending

Row = dict[str, float]
Numbers = NDArray[np.float64]
PAGES_ANALYZED = 40
"""Pages after which the database learns the sizes of its tables: autovacuum does not see this transaction."""


@dataclass
class Attacker:
    """Does page after page, says yes to everything, and notes what can be measured of every item."""

    api: Api
    rows: list[Row] = field(default_factory=list)
    images: list[int] = field(default_factory=list)  # for each row
    pages: list[tuple[str, int]] = field(default_factory=list)  # for each row: the page's id, the place
    shows: list[str] = field(default_factory=list)  # for each row: everything that is shown
    _seen: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    _same: Counter[str] = field(default_factory=Counter)
    _noted: set[str] = field(default_factory=set)  # pages
    _captions: Counter[str] = field(default_factory=Counter)
    _number: int = 0

    def work(
        self,
        stage: str,
        items: int,
        *,
        before: int = 0,
        leaves: Callable[[], bool] = lambda: False,
        to_the_end: bool = False,
    ) -> None:
        """Do so many items. The first `before` items are done without being noted.

        A page that the attacker `leaves` is given back. It is noted once, even if it comes again. Work may
        run out only `to_the_end` of a batch.
        """
        while len(self.rows) < items:
            if self._number % PAGES_ANALYZED == 0:
                analyze(Assignment, Exposure, Image, ImageWork, Item, Judgment, VerificationQuestion)
            start = time.perf_counter()
            reply = self.api.claim(stage)
            took = time.perf_counter() - start
            if to_the_end and reply.status_code == 204:
                return
            assert reply.status_code == 201, f"{reply.status_code} after {len(self.rows)} items"
            page = reply.json()
            start = time.perf_counter()
            if before <= 0 and leaves():
                assert self.api.post(f"assignments/{page['id']}/return", {}).status_code == 204
                self._note(page, self._measure(page, took, time.perf_counter() - start))
                continue
            answers = [
                {"item": entry["item"], "answer": willing(stage, entry["question"])}
                for entry in page["items"]
            ]
            receipt = self.api.post(f"assignments/{page['id']}/submission", {"answers": answers})
            rows = self._measure(page, took, time.perf_counter() - start)
            assert receipt.json()["accepted"] == len(page["items"])
            if before > 0:
                self._number += 1
                before -= len(rows)
                continue
            self._note(page, rows)

    def _note(self, page: dict[str, Any], rows: Sequence[Row]) -> None:
        self._number += 1
        if page["id"] in self._noted:
            return
        self._noted.add(page["id"])
        self.rows += rows
        self.images += [number_of(entry) for entry in page["items"]]
        self.shows += [what_is_shown(entry) for entry in page["items"]]
        self.pages += [(page["id"], place) for place in range(len(rows))]

    def _measure(self, page: dict[str, Any], claimed: float, submitted: float) -> list[Row]:
        ids = [number_of(entry) for entry in page["items"]]
        rows: list[Row] = []
        for place, entry in enumerate(page["items"]):
            question = entry["question"]
            image, captions = question["image"], question["captions"]
            own = number_of(entry)
            seen = self._seen[own]
            texts = ["".join(part["text"] for part in caption["segments"]) for caption in captions]
            marked = [
                part["text"].strip()
                for caption in captions
                for part in caption["segments"]
                if part["mention"]
            ]
            numbers = [number for box in question.get("boxes", []) for number in box]
            new = question.get("new_boxes", [])
            row = {
                "place": place,
                "last on the page": place == len(ids) - 1,
                "distance from the middle": abs(place - (len(ids) - 1) / 2),
                "items on the page": len(ids),
                "images on the page": len(set(ids)),
                "image twice on the page": ids.count(own),
                "rank of the image": sorted(ids).index(own),
                "image far from the others": abs(own - median(ids)),
                "image after the one before": own - ids[place - 1] if place else 0,
                "image seen before": bool(seen),
                "times the image was seen": len(seen),
                "pages since": self._number - seen[-1] if seen else 0,
                "pages since the first time": self._number - seen[0] if seen else 0,
                "seen rarer than others": len(seen) - median(len(self._seen[other]) for other in ids),
                "times the same was seen": self._same[what_is_shown(entry)],
                "captions seen": sum(self._captions[text] for text in texts),
                "first caption": captions[0]["index"],
                "captions apart": captions[-1]["index"] - captions[0]["index"],
                "words marked": sum(len(text.split()) for text in marked),
                "letters marked": sum(map(len, marked)),
                "same words": len(set(marked)) == 1,
                "letters of captions": sum(map(len, texts)),
                "pieces": sum(len(caption["segments"]) for caption in captions),
                "boxes": len(question.get("boxes", [])),
                "numbers in boxes": sum(numbers),
                "new boxes": len(new),
                "size of new boxes": sum((box[2] - box[0]) * (box[3] - box[1]) for box in new),
                "first new box is left of the last": bool(new) and new[0][0] < new[-1][0],
                "size of the entry": len(str(entry)),
                "keys in their order": hash(str([list(entry), list(question), list(image)])) % 1000,
                "time to claim": claimed,
                "time to submit": submitted,
            } | of_suggestions(question)
            rows.append({name: float(value) for name, value in row.items()})
        for one in ids:
            self._seen[one].append(self._number)
        for entry in page["items"]:
            if page["id"] not in self._noted:
                self._same[what_is_shown(entry)] += 1
            for caption in entry["question"]["captions"]:
                self._captions["".join(part["text"] for part in caption["segments"])] += 1
        return rows

    def hindsight(self) -> None:
        """Add to the rows what is known of an item only after all items."""
        last = {image: at for at, image in enumerate(self.images)}
        for at, (row, image) in enumerate(zip(self.rows, self.images, strict=True)):
            row["comes again"] = last[image] > at
        later = {shown: at for at, shown in enumerate(self.shows)}
        for at, (row, shown) in enumerate(zip(self.rows, self.shows, strict=True)):
            row["the same comes again"] = later[shown] > at


def what_is_shown(entry: dict[str, Any]) -> str:
    """Return everything of an entry but the link to its photograph, which is another one each time."""
    question = entry["question"]
    return str([number_of(entry), [question[name] for name in sorted(question) if name != "image"]])


def of_suggestions(question: dict[str, Any]) -> dict[str, float]:
    """Return what can be measured of the boxes of a model, if the page may show any."""
    if "suggestions" not in question:
        return {}
    boxes = question["suggestions"]
    scores = [box[4] for box in boxes] or [0]
    first, second = ([*boxes, None, None])[:2]
    width = min(first[2], second[2]) - max(first[0], second[0]) if second else 0
    height = min(first[3], second[3]) - max(first[1], second[1]) if second else 0
    return {
        "suggestions": len(boxes),
        "no suggestion": not boxes,
        "best score": scores[0],
        "worst score": scores[-1],
        "sum of scores": sum(scores),
        "size of the best suggestion": (first[2] - first[0]) * (first[3] - first[1]) if first else 0,
        "size of all suggestions": sum((box[2] - box[0]) * (box[3] - box[1]) for box in boxes),
        "overlap of the two best": max(width, 0) * max(height, 0),
    }


def number_of(entry: dict[str, Any]) -> int:
    """Return the alias of an item's image as a number."""
    alias = urlsafe_b64decode(f"{entry['question']['image']['id']}=")
    return int.from_bytes(alias[:6])


@dataclass(frozen=True, slots=True)
class Sight:
    """One place of a page as a worker of a team saw it."""

    worker: int  # the number of the worker in the team
    page: int  # the number of the page among all pages of the team
    stage: int  # the number of the stage
    image: int
    shows: str  # everything that is shown but the picture
    entrance: bool  # the page is known to have nothing but questions
    question: bool  # known only afterwards


@dataclass
class Team:
    """Several accounts that work in all stages in turns, say yes to everything, and share what they see.

    The `bystanders` do the same work and share nothing.
    """

    workers: Sequence[Worker]
    rng: Random
    bystanders: Sequence[Worker] = ()
    stages: Sequence[str] = tuple(Stage)
    sights: list[Sight] = field(default_factory=list)
    _pages: int = 0

    def work(self, pages: int) -> None:
        """Do so many pages with every account, each of a stage that is drawn from those that have work."""
        for _ in range(pages):
            for number, worker in enumerate([*self.workers, *self.bystanders]):
                if self._pages % PAGES_ANALYZED == 0:
                    analyze(Assignment, Exposure, Image, ImageWork, Item, Judgment, VerificationQuestion)
                for stage in self.rng.sample(self.stages, len(self.stages)):
                    now = NOW + timedelta(seconds=self._pages)
                    if found := claim_maybe(worker, stage=stage, now=now):
                        if number < len(self.workers):
                            self._note(number, found.assignment)
                        submit_page(found.assignment, now=now)
                        break
                else:
                    raise AssertionError(f"no work after {self._pages} pages")
                self._pages += 1
            advance_pending(now=NOW + timedelta(seconds=self._pages))

    def _note(self, number: int, page: Assignment) -> None:
        asked = {place for place, _ in page.checks}
        for place, entry in enumerate(shown_page(page, now=NOW)["items"]):
            question = dict(entry["question"])
            image = image_of(question.pop("image")["id"])  # as if they knew it by eye
            stage = self.stages.index(page.stage)
            shows = f"{stage} {image} {question}"
            self.sights.append(
                Sight(number, self._pages, stage, image, shows, not page.items, place in asked)
            )

    def table(self) -> tuple[list[Row], NDArray[np.bool_], NDArray[np.int64]]:
        """Return what the team knew of each place of a page with items when it came, what was there, and its
        image.
        """
        rows: list[Row] = []
        labels: list[bool] = []
        images: list[int] = []
        own: dict[tuple[int, int], list[Sight]] = defaultdict(list)  # of each worker and image
        everybody: dict[int, list[Sight]] = defaultdict(list)  # of each image
        for _, sights in groupby(self.sights, key=lambda one: one.page):
            page = list(sights)
            if not page[0].entrance:
                rows += [_known(one, own[one.worker, one.image], everybody[one.image]) for one in page]
                labels += [one.question for one in page]
                images += [one.image for one in page]
            for one in page:
                own[one.worker, one.image].append(one)
                everybody[one.image].append(one)
        return rows, np.array(labels), np.array(images)


OTHERS = "others "
"""How the names of features begin that an account knows from the others of its team."""


def _known(one: Sight, own: Sequence[Sight], everybody: Sequence[Sight]) -> Row:
    here = [before for before in own if before.stage == one.stage]
    others = [before for before in everybody if before.worker != one.worker]
    on_pages = [before for before in others if not before.entrance]
    seen = {
        "stage": one.stage,
        "times": len(own),
        "times in this stage": len(here),
        "times in other stages": len(own) - len(here),
        "times in earlier stages": sum(before.stage < one.stage for before in own),
        "times in later stages": sum(before.stage > one.stage for before in own),
        "stages": len({before.stage for before in own}),
        "stages since the last": one.stage - own[-1].stage if own else 0,
        "pages with it": len({before.page for before in own}),
        "pages since": one.page - own[-1].page if own else 0,
        "pages since in this stage": one.page - here[-1].page if here else 0,
        "shown the same": sum(before.shows == one.shows for before in own),
        OTHERS + "saw it at an entrance": sum(before.entrance for before in others),
        OTHERS + "saw it on pages": len(on_pages),
        OTHERS + "saw it in this stage": sum(before.stage == one.stage for before in on_pages),
        OTHERS + "saw it in earlier stages": sum(before.stage < one.stage for before in on_pages),
        OTHERS + "saw it in later stages": sum(before.stage > one.stage for before in on_pages),
        OTHERS + "who saw it": len({before.worker for before in on_pages}),
        OTHERS + "were shown the same": sum(before.shows == one.shows for before in others),
        OTHERS + "pages since": one.page - on_pages[-1].page if on_pages else 0,
    }
    return {name: float(value) for name, value in seen.items()}


SHUFFLES = 400


def separation(
    values: Numbers, labels: NDArray[np.bool_], images: NDArray[np.int64] | None = None
) -> tuple[float, float]:
    """Return how well the values rank the labelled items above the others.

    This is the area under the ROC curve, and how many standard deviations of chance it is from one half.
    Items of one of the `images` have one label and are alike, so they tell less than as many items of
    different images. Therefore chance draws as many images as have the label, and labels all their items.
    But what counts how often an image came before is alike for whole images, and not for single items: an
    image that came three times had come 0, 1 and 2 times before. Therefore chance is no less than that of as
    many items.
    """
    _, which = np.unique(np.arange(len(values)) if images is None else images, return_inverse=True)
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    sums: Numbers = np.bincount(which, weights=ranks).astype(float)
    sizes: Numbers = np.bincount(which).astype(float)
    chosen = np.bincount(which, weights=labels) > 0
    rng = np.random.default_rng(0)
    drawn = rng.permuted(np.tile(chosen, (SHUFFLES, 1)), axis=1)
    area, by_chance = float(_areas(chosen, sums, sizes)), _areas(drawn, sums, sizes)
    of_images = float(np.sqrt(((by_chance - 0.5) ** 2).mean()))
    deviation = max(of_images, _deviation_of_items(counts, int(labels.sum()))) if of_images else 0.0
    return area, 0.0 if deviation == 0 else (area - 0.5) / deviation


def _deviation_of_items(ties: NDArray[np.int64], labelled: int) -> float:
    """Return the standard deviation of the area if `labelled` items are drawn, with `ties` equal values each.

    This is the variance of the Mann-Whitney U with its correction for ties.
    """
    n = int(ties.sum())
    pairs = labelled * (n - labelled)
    tied = float((ties.astype(float) ** 3 - ties).sum()) / (n * (n - 1))
    return float(np.sqrt((n + 1 - tied) / (12 * pairs)))


def _areas(chosen: NDArray[np.bool_], sums: Numbers, sizes: Numbers) -> Any:
    """Return the areas under the ROC curve if the chosen images are labelled, by their ranks and sizes."""
    yes = chosen @ sizes
    return (chosen @ sums - yes * (yes + 1) / 2) / (yes * (sizes.sum() - yes))


def bound(alarm: float, tests: int) -> float:
    """Return the standard deviations that one of so many two-sided tests reaches by chance.

    This happens once in 1 / `alarm` runs.
    """
    return NormalDist().inv_cdf(1 - alarm / (2 * tests))


def learned(
    table: Numbers, labels: NDArray[np.bool_], images: NDArray[np.int64] | None = None
) -> tuple[float, float]:
    """Fit a logistic regression to half of the `images`, and return its separation on the others.

    It uses the features, their squares and products, so that a combination of two features is found as well.
    Nobody outside learns which images have questions, so it may not know an image again. Without `images`,
    the first half of the rows is known.
    """
    if images is None:
        known = np.arange(len(labels)) < len(labels) // 2
        images = np.arange(len(labels))
    else:
        known = np.zeros(len(labels), dtype=bool)
        for some in (labels, ~labels):
            known[some] = np.unique(images[some], return_inverse=True)[1] % 2 == 0
    table = (table - table.mean(0)) / np.where(table.std(0) > 0, table.std(0), 1)
    a, b = np.triu_indices(table.shape[1])
    table = np.clip(np.hstack([table, table[:, a] * table[:, b]]), -5, 5)
    table = np.hstack([table, np.ones((len(table), 1))])
    rows, answers = table[known], labels[known].astype(float)
    weights = np.zeros(table.shape[1])
    share = answers.mean()
    balance = np.where(answers == 1, 0.5 / share, 0.5 / (1 - share)) / len(answers)
    for _ in range(150):
        guess = 1 / (1 + np.exp(-rows @ weights))
        weights -= 0.3 * (rows.T @ (balance * (guess - answers)) + 0.02 * weights)
    return separation(table[~known] @ weights, labels[~known], images[~known])
