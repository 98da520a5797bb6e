"""Which images of a project are selected: those that were ticked, or all that match a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.http import QueryDict

from annotation.models import Image, Project
from console.inspector import search
from console.inspector.search_query import Wanted
from workflows.jobs.domain.jobs import MAX_CHOSEN


@dataclass(frozen=True, slots=True)
class Chosen:
    """Images (ids) in the order of their ids. `cut` says that more match than may be selected."""

    images: list[int]
    cut: bool = False

    @property
    def text(self) -> str:
        """Return the ids as the page sends them back."""
        return ",".join(map(str, self.images))


def chosen(project: Project, data: QueryDict) -> Chosen:
    """Return the images that a request names, without those of other projects. At most six queries."""
    if data.get("all"):
        wanted = Wanted.read(_conditions(data.get("query", "")))
        if wanted.worker and not search.workers(project.pk, wanted.worker):
            return Chosen([])
        found = search.images(project.pk, wanted)
    else:
        words = ",".join((*data.getlist("image"), data.get("images", ""))).split(",")
        ids = {int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 16}
        found = Image.objects.filter(project=project, pk__in=sorted(ids)[: MAX_CHOSEN + 1])
    pks = list(found.order_by("pk").values_list("pk", flat=True)[: MAX_CHOSEN + 1])
    return Chosen(pks[:MAX_CHOSEN], cut=len(pks) > MAX_CHOSEN)


def _conditions(query: str) -> Mapping[str, str]:
    return dict(parse_qsl(query.lstrip("?")))
