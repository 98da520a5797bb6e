"""The report of a comparison with a platform: what was repaired, and which problems it found."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from workflows.crowd.models import Problem
from workflows.crowd.problems import close_problems, raise_problem

RECHECKED = (
    Problem.Kind.LOST,
    Problem.Kind.DOUBLE,
    Problem.Kind.ORPHAN,
)
"""Kinds of problems that each comparison finds again while they last, except those about bonuses."""


@dataclass(slots=True)
class Report:
    """What a comparison repaired, and what is left to people."""

    provider: str
    environment: str
    compared: int = 0  # publications
    repaired: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # that are open
    new: int = 0  # problems that were raised now
    gone: int = 0  # problems that were closed now
    failed: int = 0  # publications that could not be compared, or not to the end
    found: set[str] = field(default_factory=set)  # keys of the problems that were found

    @property
    def clean(self) -> bool:
        """Whether everything was compared, and nothing is left to people."""
        return not self.problems and not self.failed

    def problem(self, *, key: str, kind: Problem.Kind, detail: str, now: datetime, **about: Any) -> None:
        """Report a problem, here and in the database, unless a person has closed it."""
        self.new += raise_problem(key=key, kind=kind, detail=detail, now=now, once=True, **about)
        self.found.add(key)
        if Problem.objects.filter(key=key[:200], closed_at=None).exists():
            self.problems.append(f"{kind}: {detail}")

    def close_gone(self, now: datetime) -> None:
        """Close problems that were not found again, and list all others that are open.

        Nothing is closed if something could not be compared.
        """
        mine = Problem.objects.filter(closed_at=None, kind__in=RECHECKED).exclude(key__contains=":bonus:")
        here = [
            key
            for key, provider, environment in mine.values_list(
                "key", "publication__provider", "publication__environment"
            )
            if (provider, environment) == (self.provider, self.environment)
            or key.startswith(f"orphan:{self.provider}:{self.environment}:")
        ]
        gone = [] if self.failed else [key for key in here if key not in self.found]
        self.gone += close_problems(keys=gone, now=now)
        rest = Problem.objects.filter(
            closed_at=None, publication__provider=self.provider, publication__environment=self.environment
        ).exclude(key__in=self.found)
        self.problems += [f"{problem.kind}: {problem.detail}" for problem in rest.order_by("pk")]
