"""Every page below /admin/ that can be looked at: addresses with sensible arguments, and what they cost."""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Max, Min, Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from annotation.domain.answers import Stage
from annotation.models import (
    Batch,
    Caption,
    Case,
    Chain,
    Decision,
    Image,
    ImageWork,
    Judgment,
    ModelVersion,
    Project,
    VerificationQuestion,
    Worker,
)
from annotation.renditions import WIDTHS
from workflows.crowd.models import Payment, Problem, Publication
from workflows.jobs.models import Job, Snapshot
from workflows.review.models import SpotCheck
from workflows.workers.models import Participation

MAX_QUERIES = 30
MAX_MILLISECONDS = 300
TIMES = 3
MAX_LINKS = 12
"""How many addresses of a page are visited: its own, and links from it to itself with another query.

Such links are filters, orders and the next rows.
"""

OF_WORD: Mapping[str, type[Model]] = {
    "projects": Project,
    "batches": Batch,
    "images": Image,
    "image": ImageWork,
    "chain": Chain,
    "captions": Caption,
    "decision": Decision,
    "case": Case,
    "spot-check": SpotCheck,
    "worker": Worker,
    "written-captions": Judgment,
    "questions": VerificationQuestion,
    "jobs": Job,
    "snapshots": Snapshot,
    "publications": Publication,
    "participations": Participation,
    "payments": Payment,
    "problems": Problem,
    "models": ModelVersion,
}
"""The model that an id belongs to, by the word before the id in an address."""
LEFT_OUT = {
    "admin:logout": "ends the session",
    "admin:login": "sends who is logged in elsewhere",
    "admin:app_list": "there is none",
    "admin:autocomplete": "only for fields of forms",
    "admin:view_on_site": "nothing has such a page",
    "admin:jsi18n": "a script, the same for everybody",
    "admin:": "a redirect, and the page for what is not there",
    "audit:download": "a file, as long as the log",
    "batches:judgments": "a file, and only of a batch that judges captions",
    "jobs:download": "a file",
    "jobs:pieces": "for scripts, and only of an upload that has begun",
}
"""Addresses that are not pages, and why."""
WORDS: Mapping[str, tuple[object, ...]] = {"stage": tuple(Stage), "width": WIDTHS[:1], "number": (1, 2)}
"""Words of addresses that are neither ids nor listed in the address, and what they can be."""
ALL_TIME = "from=2020-01-01&to=2200-01-01"
QUERIES: Mapping[str, tuple[str, ...]] = {
    "inspector:search": (
        *("phrase=man", "phrase=a+young+guitar", "phrase=zither", "type=instruments", "type=people"),
        *("state=boxing", "state=done", "state=free", "state=chain-drawing", "state=chain-review"),
        *("worker=worker-7", "worker=nobody", "name=00003", "disagreement=links", "disagreement=boxes"),
        *("disagreement=review", "phrase=man&type=vehicles&state=chain-drawing", "phrase=the&state=queued"),
        *("words=man", "words=young+guitar", "words=zither", "words=near&type=instruments", "boxes=yes"),
        *("words=dog+bike&boxes=yes", "words=near&state=chain-review"),
    ),
    "boxes:wall": (
        *("phrase=man", "phrase=zither", "type=instruments", "state=rejected", "state=proposed", "low=80"),
        *(
            "low=99",
            "worker=worker-7",
            "reviewed=yes",
            "reviewed=no",
            "suggestion=drawn",
            "suggestion=adjusted",
        ),
        *("phrase=man&type=people&low=50&reviewed=no&suggestion=drawn", "phrase=guitar&state=withdrawn"),
    ),
    "boxes:chains": (
        "phrase=man",
        "phrase=zither",
        "type=instruments",
        "state=chain-review",
        "state=chain-drawing",
    ),
    "inspector:image": (
        "words=near",
        "phrase=zither",
        "phrase=man&state=boxing",
        "disagreement=boxes",
        "worker=worker-7",
    ),
    "inspector:merged": ("iou=0.5&iou_other=0.6",),
    "workers:list": (
        *("order=judgments", "order=agreement", "order=speed", "order=newest", "blocked=yes"),
        *("standing=lost", "name=worker-1", "name=nobody", "standing=entering&order=judgments"),
    ),
    "workers:set-aside": ("stage=link", "stage=drawing&every=1"),
    "audit:log": ("by=manager", "by=nobody", "action=login", "action=none", "kind=chain&object=7"),
    "batches:forecast": ("workers=50",),
    # Without a query, the payroll is the last month's. The file needs a period, and is refused without one.
    "crowd:payroll": (ALL_TIME,),
    "crowd:payroll-table": (ALL_TIME,),
}
"""Queries that are looked at besides the plain address: common and rare ones, alone and together."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page cost. Milliseconds are 0 if they were not measured."""

    name: str
    address: str
    status: int
    queries: int
    median: float = 0.0
    worst: float = 0.0

    @property
    def too_much(self) -> bool:
        """Return whether the page is over a limit, or failed."""
        return self.status >= 500 or self.queries > MAX_QUERIES or self.median > MAX_MILLISECONDS


class Visitor:
    """A manager who looks at every page, and `times` more often to measure its milliseconds."""

    def __init__(self, *, times: int = TIMES, brief: bool = False) -> None:
        """Prepare the manager.

        With `brief`, look at only one row of each page, with its own address and those of QUERIES.
        """
        self._times, self._brief = times, brief
        self._client = Client(SERVER_NAME="127.0.0.1")
        self._client.force_login(User.objects.get(username="manager"))
        self._client.raise_request_exception = False

    def visits(self) -> Iterator[Visit]:
        """Yield a visit of each page, and of the addresses with other queries that it links to."""
        for name, address in addresses(brief=self._brief):
            seen = {address}
            todo = [address, *(f"{address}?{query}" for query in QUERIES.get(name, ()))]
            while todo:
                visit, found = self._visit(name, todo.pop(0))
                yield visit
                for link in found:
                    if link not in seen and len(seen) < MAX_LINKS and not self._brief:
                        seen.add(link)
                        todo.append(link)

    def _visit(self, name: str, address: str) -> tuple[Visit, list[str]]:
        """Look once and count the queries, which also fills caches. Then look again and measure the time."""
        connection.queries_log.clear()  # it has a limit, and queries beyond the limit are not counted
        with CaptureQueriesContext(connection) as captured:
            status, body = self._get(address)
        queries = len(captured)  # count them now: the next request clears them
        times = []
        for _ in range(self._times):
            begin = time.perf_counter()
            self._get(address)
            times.append(1000 * (time.perf_counter() - begin))
        median = statistics.median(times) if times else 0.0
        visit = Visit(name, address, status, queries, median, max(times, default=0.0))
        return visit, list(_links(address.partition("?")[0], body))

    def _get(self, address: str) -> tuple[int, str]:
        response = self._client.get(address)
        body = b"".join(response) if response.streaming else response.content
        return response.status_code, body.decode(errors="replace")


def _links(path: str, body: str) -> Iterator[str]:
    """Yield links to the same page with another query.

    For a link to the next rows, also yield one to rows in the middle of the list.
    """
    for query in re.findall(rf'href="(?:{re.escape(path)})?\?([^"#]+)"', body):
        words = dict(parse_qsl(query.replace("&amp;", "&")))
        yield f"{path}?{urlencode(words)}"
        for name in ("before", "after"):
            if words.get(name, "").isdigit():
                yield f"{path}?{urlencode({**words, name: int(words[name]) // 2})}"


def addresses(*, brief: bool = False) -> Iterator[tuple[str, str]]:
    """Yield (name, address) of everything below /admin/ except what LEFT_OUT names.

    Raises LookupError if an address has an id and OF_WORD does not say what the id is of.
    """
    for name, route, pattern in _patterns(get_resolver(), "", ()):
        if name not in LEFT_OUT:
            for arguments in _arguments(name, route, pattern)[: 1 if brief else None]:
                words = _chain_of(arguments["pk"]) if name == "inspector:history" else ""
                yield name, reverse(name, kwargs=arguments) + words


def _patterns(
    resolver: URLResolver, route: str, names: tuple[str, ...]
) -> Iterator[tuple[str, str, URLPattern]]:
    for one in resolver.url_patterns:
        here = route + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from _patterns(one, here, (*names, one.namespace) if one.namespace else names)
        elif here.startswith("admin/"):
            yield ":".join((*names, one.name or "")), here, one


def _chain_of(image: int) -> str:
    """Return the query for the history of one of the image's chains, or "" if the image has none."""
    chain = Chain.objects.filter(work__image=image).values_list("pk", flat=True).first()
    return f"?chain={chain}" if chain else ""


def _arguments(name: str, route: str, pattern: URLPattern) -> list[dict[str, Any]]:
    """Return arguments for the first, a middle and the last row.

    If a word of the address is one of a few, there are arguments for each of them.
    """
    wanted = set(pattern.pattern.converters) | set(pattern.pattern.regex.groupindex)
    found: list[dict[str, Any]] = [{}]
    if "pk" in wanted:
        before = re.search(r"([a-z-]+)/(?:<int:pk>|\(\?P<pk>)", route)
        if before is None or before[1] not in OF_WORD:
            raise LookupError(f"{name} ({route}): say in OF_WORD what its id is of")
        found = [{"pk": pk} for pk in _some(OF_WORD[before[1]])]
    elif wanted & {"object_id", "id"}:
        found = [{next(iter(wanted)): pk} for pk in _some(_listed(name))]
    if "decision" in wanted:
        found = [{**one, "decision": pk} for one in found for pk in _some(Decision)[:1]]
    for word, few in WORDS.items():
        if word in pattern.pattern.converters:
            found = [{**one, word: choice} for one in found for choice in few]
    for word, choices in re.findall(r"\(\?P<(\w+)>([a-z]+(?:\|[a-z]+)+)\)", route):
        found = [{**one, word: choice} for one in found for choice in choices.split("|")]
    return found


def _listed(name: str) -> type[Model]:
    """Return the model whose list in the administration an address belongs to. Raises LookupError."""
    for model in admin.site._registry:
        if name.startswith(f"admin:{model._meta.app_label}_{model._meta.model_name}_"):
            return model
    if name.startswith("admin:auth_user"):
        return User
    raise LookupError(f"{name}: say what its id is of")


def _some(model: type[Model]) -> list[int]:
    """Return the ids of the first, a middle and the last row, or fewer if there are fewer rows."""
    ends = model._default_manager.aggregate(first=Min("pk"), last=Max("pk"))
    if ends["first"] is None:
        return []
    rows = model._default_manager.filter(pk__gte=(ends["first"] + ends["last"]) // 2).order_by("pk")
    middle = rows.values_list("pk", flat=True).first()
    return list(dict.fromkeys((ends["first"], middle, ends["last"])))
