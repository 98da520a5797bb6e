"""What decisions about an image as a whole changed, in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.domain.chain_states import SPLIT, WITHDRAWN
from annotation.models import Decision, Mention
from console.common.numbers import say_count
from workflows.pipeline.models import Transition
from workflows.pipeline.replay.domain.decisions import parse_regrouping
from workflows.pipeline.replay.load_rows import WHOLE


@dataclass(frozen=True, slots=True)
class Change:
    """What a decision changed: chains as the texts of their mentions, before and after, and chunks."""

    before: list[str]
    after: list[str]
    settled: list[str]
    carried_on: int
    dropped: list[str]
    added: list[str]

    @property
    def lines(self) -> list[str]:
        """For a list."""
        # A mention whose types or words change is another row with the same text.
        anew = list((Counter(self.dropped) & Counter(self.added)).elements())
        named = (
            ("before", self.before),
            ("after", self.after),
            ("settled", self.settled),
            ("marked anew", anew),
            ("no mention any more", _without(self.dropped, anew)),
            ("new mentions", _without(self.added, anew)),
        )
        found = [f"{name}: {'; '.join(texts)}" for name, texts in named if texts]
        chains = say_count(self.carried_on, "chain")
        return [*found, f"{chains} carried on as before"] if self.carried_on else found or ["nothing changed"]


def _without(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    return list((Counter(texts) - Counter(others)).elements())


def texts_of(image_id: int) -> dict[int, str]:
    """Return the texts of all mentions that an image has or had, by id."""
    return dict(Mention.objects.filter(image=image_id).values_list("pk", "text"))


def changes(decisions: Iterable[Decision], texts: Mapping[int, str]) -> dict[int, Change]:
    """Return what each decision about an image as a whole changed, by decision id. One query.

    The chains before are those that were withdrawn in the same moment, as the log says. A chain that had been
    split is withdrawn then, too, but its mentions were in other chains already.
    """
    regrouped = [one for one in decisions if one.kind in WHOLE and "chains" in one.content]
    moments = {one.created_at for one in regrouped}
    withdrawn: dict[datetime, list[list[int]]] = defaultdict(list)
    moves = Transition.objects.filter(
        work__in={one.work_id for one in regrouped}, target=WITHDRAWN, created_at__in=moments
    ).exclude(source=SPLIT)
    for at, members in moves.order_by("pk").values_list("created_at", "chain__members"):
        withdrawn[at].append(members)
    return {one.pk: _change(one, withdrawn[one.created_at], texts) for one in regrouped}


def _change(decision: Decision, before: Sequence[Sequence[int]], texts: Mapping[int, str]) -> Change:
    groups = parse_regrouping(decision.content).groups
    after = [group.members for group in groups if group.kept is None]

    def quoted(members: Iterable[int]) -> list[str]:
        return [f"“{texts.get(pk, '?')}”" for pk in members]

    return Change(
        [" + ".join(quoted(chain)) for chain in before],
        [" + ".join(quoted(chain)) for chain in after],
        [" + ".join(quoted(group.members)) for group in groups if group.ruling is not None],
        sum(group.kept is not None and group.ruling is None for group in groups),
        quoted(sorted(decision.content.get("gone", ()))),
        quoted(sorted(decision.content.get("new", ()))),
    )
