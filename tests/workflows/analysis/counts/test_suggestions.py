"""What suggestions did is counted for batches that show some, and for no others."""

from __future__ import annotations

import pytest

from annotation.models import Chain, Worker
from tests.entities_fast import answer, make_fast, said
from tests.factories import NOW
from tests.suggesting_models import SUGGESTED, make_suggesting
from workflows.analysis.counts import suggestions
from workflows.analysis.counts.refresh import count_due
from workflows.analysis.counts.selectors import kept
from workflows.analysis.counts.suggestions import count_suggestions
from workflows.analysis.counts.targets import Target
from workflows.analysis.domain.kept_counts import NO_INTERVAL, BadAccepted, ByScore
from workflows.analysis.models import KeptCounts
from workflows.suggestions.domain.effects import Effects, Figure, Group

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
FIRST, SECOND = SUGGESTED[0][:4], SUGGESTED[1][:4]


def test_only_a_batch_with_a_set_has_figures_about_suggestions() -> None:
    batch, other = make_suggesting(), make_fast()
    answer(batch, {"boxes": [{"box": FIRST, "suggestion": 0}, {"box": SECOND, "suggestion": 1}]})
    while Chain.objects.filter(work__batch=batch).get().state == "check":
        answer(batch, said("good", "wrong"))
    count_due(clock=lambda: NOW)
    found = kept(batch=batch).suggestions
    assert found is not None and kept(batch=other).suggestions is None
    assert kept(project=batch.project).suggestions is None
    assert list(KeptCounts.objects.filter(kind="suggestions").values_list("batch", flat=True)) == [batch.pk]
    assert (found.with_them.answers, found.without.answers) == (1, 0)
    assert found.with_them.boxes == (2, None, None) and found.without.boxes == NO_INTERVAL
    assert found.by_score[4] == ByScore(0.8, shown=1, accepted=1, checked=1, right=1)
    assert found.by_score[1] == ByScore(0.2, shown=1, accepted=1, checked=1, right=0)
    assert found.bad == BadAccepted() and found.bad_of_workers == ()


def test_the_workers_who_accepted_the_most_bad_suggestions_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batch = make_suggesting()
    nothing = Group(0, *[Figure(None)] * 5)
    by_worker = {7: (4, 1), 8: (6, 5), 9: (2, 1), 10: (3, 0)}
    monkeypatch.setattr(suggestions, "effects_of", lambda _: Effects(nothing, nothing, (), by_worker))
    monkeypatch.setattr(suggestions, "MAX_WORKERS", 3)
    found = count_suggestions(Target(batch.project_id, batch.pk, (batch.pk,)), NOW)
    assert [worker for worker, _ in found.bad_of_workers] == [8, 9, 7]
    assert (found.workers, found.bad.shown, found.bad.accepted) == (4, 15, 7)
    assert found.bad.share == pytest.approx((7 / 15, 0.2127, 0.7341), abs=5e-4)
    assert type(found).from_json(found.to_json()) == found
    assert not Worker.objects.filter(pk__in=by_worker).exists(), "ids alone are enough"
