"""Gauges that are read from the database at each scrape, by kept counters and short indexes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Max, Min, OuterRef, Subquery
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from annotation.models import Assignment, Item, Judgment, Project
from workflows.analysis.counts.selectors import kept_of_projects
from workflows.core.models import Beat
from workflows.crowd.models import Payment, Problem, Publication
from workflows.jobs.models import Job

MAX_UNREAD = 1000
"""How many unread items are read at most. More would only say that nobody advances."""


def gauges() -> Iterator[Metric]:
    """Yield all gauges; without a database, those that need none, and `groundcrew_database_up` 0."""
    now = timezone.now()
    up = GaugeMetricFamily("groundcrew_database_up", "1 while the database replies.", value=1)
    try:
        found = [*_sweeps(now), *_leases(now), *_lag(now), *_jobs(), *_kept(now), *_crowd()]
    except DatabaseError:
        found, up = [], GaugeMetricFamily("groundcrew_database_up", "1 while the database replies.", value=0)
    yield up
    yield from found
    free = shutil.disk_usage(settings.VAR).free
    yield GaugeMetricFamily("groundcrew_disk_free_bytes", "Free where GROUNDCREW_VAR lies.", value=free)


def _sweeps(now: datetime) -> Iterator[Metric]:
    age = GaugeMetricFamily(
        "groundcrew_beat_age_seconds", "Since a periodic task last began.", labels=("beat",)
    )
    found = CounterMetricFamily(
        "groundcrew_beat_found",
        "What periodic tasks found, by kind; runs are how often.",
        labels=("beat", "kind"),
    )
    for beat in Beat.objects.order_by("name"):
        age.add_metric((beat.name,), (now - beat.began_at).total_seconds())
        for kind, value in sorted(beat.totals.items()):
            found.add_metric((beat.name, kind), value)
    return iter((age, found))


def _leases(now: datetime) -> Iterator[Metric]:
    """Yield gauges of leases. Their index has only live pages, and there are as many as people at work."""
    live = Assignment.objects.filter(state=Assignment.State.LIVE).aggregate(
        n=Count("*"), first=Min("expires_at")
    )
    overdue = max(0.0, (now - live["first"]).total_seconds()) if live["first"] else 0.0
    yield GaugeMetricFamily("groundcrew_leases_live", "Pages that workers hold now.", value=live["n"])
    yield GaugeMetricFamily(
        "groundcrew_lease_overdue_seconds", "How long the oldest lease has run out.", value=overdue
    )


def _lag(now: datetime) -> Iterator[Metric]:
    judgments = Judgment.objects.filter(item=OuterRef("pk")).order_by().values("item")
    newest = judgments.annotate(at=Max("created_at")).values("at")
    unread = Item.objects.unread().order_by("pk")[:MAX_UNREAD]
    times = [at for at in unread.annotate(at=Subquery(newest)).values_list("at", flat=True) if at]
    lag = max(0.0, (now - min(times)).total_seconds()) if times else 0.0
    yield GaugeMetricFamily("groundcrew_advance_lag_seconds", "Age of the oldest unread judgment.", value=lag)
    yield GaugeMetricFamily(
        "groundcrew_unread_items", f"Items with unread judgments, {MAX_UNREAD} at most.", value=len(times)
    )


def _jobs() -> Iterator[Metric]:
    jobs = GaugeMetricFamily("groundcrew_jobs", "Imports and exports.", labels=("kind", "state"))
    for kind, state, number in Job.objects.values_list("kind", "state").annotate(n=Count("*")).order_by():
        jobs.add_metric((kind, state), number)
    yield jobs


def _crowd() -> Iterator[Metric]:
    """Yield gauges of crowd platforms, by short indexes: few publications and payments are open at a time."""
    problems = GaugeMetricFamily(
        "groundcrew_crowd_problems", "Open problems with platforms.", labels=("kind",)
    )
    found = Problem.objects.filter(closed_at=None).values_list("kind").annotate(n=Count("*")).order_by()
    for kind, number in found:
        problems.add_metric((kind,), number)
    due = Payment.objects.filter(state=Payment.State.DUE).count()
    out = GaugeMetricFamily(
        "groundcrew_crowd_publications", "Publications that are not over.", labels=("provider", "state")
    )
    alive = Publication.objects.filter(state__in=("planned", "open", "closed"))
    for provider, state, number in alive.values_list("provider", "state").annotate(n=Count("*")).order_by():
        out.add_metric((provider, state), number)
    yield problems
    yield GaugeMetricFamily(
        "groundcrew_crowd_payments_due", "Payments that platforms are to make.", value=due
    )
    yield out


def _kept(now: datetime) -> Iterator[Metric]:
    """Yield the kept counters of each project."""
    items = GaugeMetricFamily("groundcrew_items", "Items, as kept.", labels=("project", "stage", "state"))
    cases = GaugeMetricFamily("groundcrew_review_cases", "Open cases, as kept.", labels=("project", "reason"))
    age = GaugeMetricFamily("groundcrew_figures_age_seconds", "Of the oldest kept.", labels=("project",))
    names = dict(Project.objects.values_list("pk", "name").order_by("name"))
    for project, kept in kept_of_projects(list(names)).items():
        name = names[project]
        if kept.counted_at:
            age.add_metric((name,), (now - kept.counted_at).total_seconds())
        for reason, number in sorted(kept.queue.reasons.items() if kept.queue else ()):
            cases.add_metric((name, reason), number)
        for stage, states in sorted(kept.items.stages.items() if kept.items else ()):
            for state in ("open", "leased", "waiting", "done"):
                items.add_metric((name, stage, state), getattr(states, state))
    return iter((items, cases, age))
