from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Batch, SuggestionStop
from workflows.batch_settings.selectors import settings_of
from workflows.limits.domain import say
from workflows.management.subject import project_named
from workflows.suggestions.batch_effects import effects_of
from workflows.suggestions.domain.effects import Effects, Figure
from workflows.suggestions.selectors import stops_of


class Command(BaseCommand):
    help = (
        "Say what suggestions did in a batch: seconds, quality, size of boxes and overlooked things with and "
        "without them, what became of suggestions by their score, how many bad ones were accepted, and for "
        "whom suggestions are switched off."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="name of the project")
        parser.add_argument("batch", help="name of the batch")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        batch = Batch.objects.filter(project=project, name=options["batch"]).first()
        if batch is None:
            raise CommandError(f"project {project.name} has no batch {options['batch']}")
        if settings_of(batch).suggestions.set is None:
            raise CommandError(f"batch {batch.name} shows no suggestions: it names no set of them")
        self.stdout.write("\n".join([*lines_of(effects_of(batch)), *lines_about(stops_of(batch))]))


def lines_about(stops: Sequence[SuggestionStop]) -> list[str]:
    """Return for whom suggestions are or were switched off, and why, as lines of text."""
    lines = []
    for one in stops:
        who = f"worker {one.worker.external_id}" if one.worker else "the whole batch"
        lines.append(f"off since {one.created_at:%Y-%m-%d %H:%M} for {who}: {say(one.reason, one.figures)}")
        if one.resumed:
            when = f"{one.resumed.created_at:%Y-%m-%d %H:%M}"
            lines.append(f"  shown again since {when} by {one.resumed.by}: {one.resumed.note}")
    return lines or ["suggestions are off for nobody"]


def lines_of(found: Effects) -> list[str]:
    """Return the figures as lines of text."""
    with_them, without = found.with_them, found.without
    rows = [
        ("answers", f"{with_them.answers:,}", f"{without.answers:,}"),
        ("median seconds of an answer", *_both(with_them.seconds, without.seconds, 1)),
        ("boxes a chain", *_both(with_them.boxes, without.boxes, 2)),
        ("of judged boxes, good %", *_both(with_them.good, without.good, 1, 100)),
        ("mean side of a box, % of the photograph's", *_both(with_them.side, without.side, 1, 100)),
        ("chains where a check missed a box, %", *_both(with_them.overlooked, without.overlooked, 1, 100)),
    ]
    lines = [f"{'':<42}{'with suggestions':>26}{'without':>26}"]
    lines += [f"{name:<42}{a:>26}{b:>26}" for name, a, b in rows]
    lines.append("suggestions by score: shown, accepted, adjusted")
    lines += [
        f"  from {one.low:.1f}: {one.shown:,}, {one.accepted / one.shown:.1%}, {one.adjusted / one.shown:.1%}"
        for one in found.bins
        if one.shown
    ]
    shown = found.bad_shown
    share = f" ({found.bad_accepted / shown:.1%})" if shown else ""
    lines.append(f"of {shown:,} bad suggestions on known images, {found.bad_accepted:,} were accepted{share}")
    return lines


def _both(a: Figure, b: Figure, digits: int, scale: float = 1) -> tuple[str, str]:
    return _said(a, digits, scale), _said(b, digits, scale)


def _said(one: Figure, digits: int, scale: float) -> str:
    if one.value is None:
        return "-"
    said = f"{scale * one.value:.{digits}f}"
    if one.low is None or one.high is None:
        return said
    return f"{said} ({scale * one.low:.{digits}f} to {scale * one.high:.{digits}f})"
