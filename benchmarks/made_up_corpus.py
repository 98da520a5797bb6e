"""A made-up annotated corpus of the paper's size, which is written straight into an empty database.

`python -m benchmarks.made_up_corpus SHARE` builds that share (0 to 1) of it in the database of DATABASE_URL
or, on SQLite, in that of the folder GROUNDCREW_VAR. One of them must be set, so that no other database is
filled.

The numbers of images, captions, mentions, chains and boxes are the paper's. The paper does not say how many
chunks are not visual, and how many chains are scenes or cannot be boxed, so those numbers are ours. Boxes of
different chains are often near to one another, so that merging removes about as much as in the paper.
"""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import django
import orjson

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

IMAGES, CAPTIONS_EACH = 31_783, 5
MENTIONS, CHAINS, BOXES = 513_644, 244_035, 275_775
NOTVISUAL, SCENES, NOBOXES = 46_123, 4_892, 47_932  # not in the paper
PROJECT = "bench-export"
WIDTH, HEIGHT = 500, 375
NOUNS = {
    "people": (59_766, ("man", "woman", "boys", "people")),
    "clothing": (42_380, ("shirt", "hat", "jeans")),
    "bodyparts": (12_809, ("hair", "hands")),
    "animals": (5_086, ("dog", "horses")),
    "vehicles": (5_561, ("car", "bike")),
    "instruments": (1_827, ("guitar",)),
    "scene": (46_919, ("street", "park", "field")),
    "other": (82_098, ("ball", "table", "sign", "something")),
}
COLUMNS = {
    "image": "id project_id name file width height split",
    "caption": "id image_id index text tokens",
    "mention": "id image_id caption_id start end text head types annotatable",
    "imagework": "id batch_id image_id state active",
    "chain": "id work_id generation first_id members representative_id types state visits boxes_accepted"
    " boxes_rejected returns fruitless flag reason",
    "item": "id batch_id work_id stage state needed judged leased unread queued_at mention_a_id mention_b_id"
    " settling chain_id visit box_id counted_id author_id",
    "judgment": "id item_id worker_id assignment_id answer seconds comment chunk_flag created_at",
    "box": "id chain_id judgment_id left top right bottom state",
}
"""The columns of each table, in the order of its rows below."""
_TIME = "2026-01-01 00:00:00+00:00"
_AT_ONCE = 1_000  # images
Row = tuple[Any, ...]


@dataclass
class Tables:
    """The rows of one chunk by table. A table comes after those that its rows refer to."""

    image: list[Row] = field(default_factory=list)
    caption: list[Row] = field(default_factory=list)
    mention: list[Row] = field(default_factory=list)
    imagework: list[Row] = field(default_factory=list)
    chain: list[Row] = field(default_factory=list)
    item: list[Row] = field(default_factory=list)
    judgment: list[Row] = field(default_factory=list)
    box: list[Row] = field(default_factory=list)


class _Spread:
    """Divides a total over `parts` as evenly as whole numbers allow."""

    def __init__(self, total: int, parts: int) -> None:
        self._total, self._parts, self._taken = total, parts, 0
        self._given = 0

    def take(self) -> int:
        """Return the next part's share."""
        self._taken += 1
        share = self._total * self._taken // self._parts - self._given
        self._given += share
        return share


class Corpus:
    """Draws the rows, image by image."""

    tables: type[Tables] = Tables

    def __init__(self, images: int, first: dict[str, Any]) -> None:
        self.images, self.first = images, first
        share = images / IMAGES
        captions = images * CAPTIONS_EACH
        self._rng = random.Random(1)
        self._ids = dict.fromkeys(self.tables.__dataclass_fields__, 0)
        self._mentions = _Spread(round(MENTIONS * share), captions)
        self._notvisual = _Spread(round(NOTVISUAL * share), captions)
        self._chains = _Spread(round(CHAINS * share), images)
        chains = round(CHAINS * share)
        flags = round((SCENES + NOBOXES) * share)
        self._flags = _Spread(flags, chains)
        self._scenes = _Spread(round(SCENES * share), flags)
        self._boxes = _Spread(round(BOXES * share), chains - flags)
        self._types, self._weights = list(NOUNS), [chains for chains, _ in NOUNS.values()]

    def chunks(self) -> Iterator[Tables]:
        """Yield all rows."""
        for start in range(0, self.images, _AT_ONCE):
            tables = self.tables()
            for number in range(start, min(start + _AT_ONCE, self.images)):
                self._add(tables, number)
            yield tables

    def _next(self, table: str) -> int:
        self._ids[table] += 1
        return self._ids[table]

    def _add(self, tables: Tables, number: int) -> None:
        rng, image = self._rng, self._next("image")
        split = "val" if number % 30 == 0 else "test" if number % 30 == 1 else "train"
        tables.image.append((image, self.first["project"], f"{number:010}.jpg", "", WIDTH, HEIGHT, split))
        kinds = rng.choices(self._types, self._weights, k=self._chains.take())
        members: list[list[int]] = [[] for _ in kinds]
        heads: list[str] = [rng.choice(NOUNS[kind][1]) for kind in kinds]
        turn = 0
        for index in range(CAPTIONS_EACH):
            chosen = []
            for _ in range(self._mentions.take()):
                chosen.append(turn if turn < len(kinds) else rng.randrange(len(kinds)))
                turn += 1
            self._add_caption(tables, image, index, chosen, kinds, heads, members)
        work = self._next("imagework")
        tables.imagework.append((work, self.first["batch"], image, "done", True))
        drawn: list[tuple[int, int, int, int]] = []
        for kind, mentions in zip(kinds, members, strict=True):
            self._add_chain(tables, work, kind, mentions, drawn)

    def _add_caption(
        self,
        tables: Tables,
        image: int,
        index: int,
        chosen: list[int],
        kinds: list[str],
        heads: list[str],
        members: list[list[int]],
    ) -> None:
        caption, words = self._next("caption"), list[str]()
        for place in chosen:
            phrase = ["a", "young", heads[place]] if place % 3 == 0 else ["a", heads[place]]
            mention = self._next("mention")
            members[place].append(mention)
            span = (len(words), len(words) + len(phrase), " ".join(phrase), heads[place])
            tables.mention.append((mention, image, caption, *span, kinds[place], True))
            words += [*phrase, "near"]
        for _ in range(self._notvisual.take()):
            span = (len(words), len(words) + 2, "the background", "background")
            tables.mention.append((self._next("mention"), image, caption, *span, "other", False))
            words += ["the", "background"]
        words.append(".")
        tables.caption.append((caption, image, index, " ".join(words), " ".join(words)))

    def _add_chain(
        self,
        tables: Tables,
        work: int,
        kind: str,
        mentions: list[int],
        drawn: list[tuple[int, int, int, int]],
    ) -> None:
        chain = self._next("chain")
        flagged = self._flags.take()
        flag = ("scene" if self._scenes.take() else "nobndbox") if flagged else ""
        boxes = 0 if flag else self._boxes.take()
        tables.chain.append(
            (chain, work, 0, mentions[0], orjson.dumps(mentions).decode(), mentions[0], kind,
             "nonvisual" if flag else "done", 2 * boxes, boxes, 0, 0, 0, flag, "")
        )  # fmt: skip
        for visit in range(boxes):
            edges = self._edges(drawn)
            drawn.append(edges)
            drawing, quality = (
                self._judged(tables, work, "drawing", chain, 2 * visit, None),
                self._next("box"),
            )
            self._judged(tables, work, "quality", chain, 2 * visit + 1, quality)
            tables.box.append((quality, chain, drawing, *edges, "accepted"))

    def _edges(self, drawn: list[tuple[int, int, int, int]]) -> tuple[int, int, int, int]:
        rng = self._rng
        if drawn and rng.random() < 0.25:
            left, top, right, bottom = rng.choice(drawn)
            return left + rng.randrange(2), top + rng.randrange(2), right - rng.randrange(2), bottom
        left, top = rng.randrange(300), rng.randrange(200)
        return left, top, left + rng.randrange(40, 200), top + rng.randrange(40, 175)

    def _judged(self, tables: Tables, work: int, stage: str, chain: int, visit: int, box: int | None) -> int:
        item, judgment = self._next("item"), self._next("judgment")
        tables.item.append(
            (item, self.first["batch"], work, stage, "done", 1, 1, 0, False, _TIME, None, None, False, chain,
             visit, box, None, None)
        )  # fmt: skip
        tables.judgment.append(
            (judgment, item, self.first["worker"], self.first["assignment"], "{}", 5.0, "", False, _TIME)
        )
        return judgment


def build(share: float) -> None:
    """Fill the database.

    Raises SystemExit when it is not empty, since the rows get ids of our own choice.
    """
    from django.core.management import call_command
    from django.utils import timezone

    from annotation.models import (
        Assignment,
        Batch,
        Box,
        Caption,
        Chain,
        Image,
        ImageWork,
        Item,
        Judgment,
        Mention,
        Project,
        Worker,
    )  # fmt: skip
    from annotation.planner import analyze

    if not (os.environ.get("DATABASE_URL") or os.environ.get("GROUNDCREW_VAR")):
        raise SystemExit("Set DATABASE_URL or GROUNDCREW_VAR to a place of the benchmark's own.")
    call_command("migrate", verbosity=0)
    if Project.objects.exists():
        raise SystemExit("The database is not empty; the benchmark needs one of its own.")
    now = timezone.now()
    project = Project.objects.create(name=PROJECT, contact="lab@example.org")
    batch = Batch.objects.create(project=project, name="main", state="finished")
    worker = Worker.objects.create(project=project, external_id="worker")
    page = Assignment.objects.create(
        worker=worker, batch=batch, state="submitted", items=[], created_at=now, expires_at=now
    )
    key = page.pk.hex if _is_sqlite() else str(page.pk)
    first = {"project": project.pk, "batch": batch.pk, "worker": worker.pk, "assignment": key}
    models = (Image, Caption, Mention, ImageWork, Chain, Item, Judgment, Box)
    for tables in Corpus(max(1, round(IMAGES * share)), first).chunks():
        insert([(model, getattr(tables, model.__name__.lower())) for model in models])
    analyze(*models)


def _is_sqlite() -> bool:
    from django.db import connection

    return connection.vendor == "sqlite"


def _plain(value: Any) -> Any:
    """Return a default value in a form that both databases take."""
    return orjson.dumps(value).decode() if isinstance(value, list | dict) else value


def insert(chunk: Iterable[tuple[Any, list[Row]]]) -> None:
    """Insert the rows in one transaction.

    Constraints are off, since SQLite would otherwise look through all items for every box. Columns that
    COLUMNS does not name get their model's default.
    """
    from django.db import connection, transaction

    with connection.constraint_checks_disabled(), transaction.atomic(), connection.cursor() as cursor:
        for model, rows in chunk:
            named = COLUMNS[model.__name__.lower()].split()
            others = [column for column in model._meta.concrete_fields if column.attname not in named]
            defaults = tuple(_plain(column.get_default()) for column in others)
            names = [f'"{name}"' for name in (*named, *(column.column for column in others))]
            table = f'"{model._meta.db_table}" ({", ".join(names)})'
            full = [(*row, *defaults) for row in rows]
            if connection.vendor == "sqlite":
                cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join(['%s'] * len(names))})", full)
            else:
                lines = ("\t".join("\\N" if value is None else str(value) for value in row) for row in full)
                cursor.cursor.copy_expert(f"COPY {table} FROM STDIN", io.StringIO("\n".join(lines) + "\n"))


if __name__ == "__main__":
    django.setup()
    build(float(sys.argv[1]))
