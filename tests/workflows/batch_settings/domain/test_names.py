"""Names that are proposed for new batches."""

from __future__ import annotations

from workflows.batch_settings.domain.names import LONGEST, free_name


def test_a_free_name_stays() -> None:
    assert free_name("main", {"pilot"}) == "main"


def test_a_taken_name_gets_the_first_free_number() -> None:
    assert free_name("main", {"main", "main-2", "main-4"}) == "main-3"


def test_a_numbered_name_is_not_longer_than_a_name_may_be() -> None:
    long = "a" * LONGEST
    assert free_name(long, {long}) == f"{'a' * (LONGEST - 2)}-2"
