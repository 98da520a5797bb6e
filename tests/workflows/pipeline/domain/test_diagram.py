from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.domain.chain_states import DONE
from workflows.batch_settings.domain.protocol_groups import Limits
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.pipeline.domain.diagram import BEGIN, END, describe, refresh
from workflows.pipeline.domain.moves import PROTOCOLS, VERIFIED, Move, Progress, Protocol

FLICKR = PROTOCOLS["flickr30k-entities"]


def lines(protocol: Protocol = FLICKR, settings: BatchSettings | None = None) -> list[str]:
    return [line.strip() for line in describe(protocol, settings or BatchSettings()).splitlines()]


@pytest.mark.parametrize("move", FLICKR.moves, ids=lambda move: move.rule)
def test_every_move_is_an_arrow_and_a_row(move: Move) -> None:
    found = lines()
    assert any(line.startswith(f"{move.stage} --> {move.target} : {move.verdict}") for line in found)
    row = next(
        line for line in found if line.startswith(f"| `{move.rule}` | {move.stage} | {move.verdict} |")
    )
    assert row.endswith("| (next table) |" if move.target == VERIFIED else f"| {move.target} |")


def test_what_a_move_changes_is_found_by_trying_it() -> None:
    assert "| `box-accepted` | quality | good |  | boxes_accepted + 1, fruitless = 0 | coverage |" in lines()
    assert "| `complete` | coverage | complete |  |  | done |" in lines()


def test_limits_and_skipped_types_are_those_of_the_settings() -> None:
    settings = replace(BatchSettings(), skip_requirement=("animals",), limits=Limits(rejected=77))
    found = lines(settings=settings)
    assert "quality --> review : bad (77 boxes rejected)" in found
    assert "| `limits.rejected` | 77 | `rejection-cycle` |" in found
    assert "verified --> drawing : with animals" in found


@pytest.mark.parametrize("name", ["returns", "fruitless", "rejected"])
def test_a_guard_holds_from_the_number_its_words_name(name: str) -> None:
    (move,) = [move for move in FLICKR.moves if f"{{{name}}}" in move.says]
    nine = Progress(move.stage, returns=9, fruitless=9, boxes_rejected=9)
    assert move.guard(nine, Limits(9, 9, 9))
    assert not move.guard(nine, replace(Limits(9, 9, 9), **{name: 10}))


def test_every_guard_has_words() -> None:
    unguarded = Move.__dataclass_fields__["guard"].default
    assert all(bool(move.says) == (move.guard is not unguarded) for move in FLICKR.moves)


def test_another_protocol_has_another_diagram() -> None:
    over = replace(FLICKR.moves[-1], target=DONE, rule="over")
    shorter = replace(FLICKR, name="short", moves=(*FLICKR.moves[:-1], over), decide={})
    found = lines(shorter)
    assert found[0] == "## The protocol `short`"
    assert any(line.startswith("| `over` |") for line in found)


def test_the_block_is_put_between_its_marks_and_again_changes_nothing() -> None:
    page = f"# Title\n\n{BEGIN}\nold\n{END}\n\nafter\n"
    new = refresh(page, "new")
    assert new == f"# Title\n\n{BEGIN}\n\nnew\n\n{END}\n\nafter\n"
    assert refresh(new, "new") == new


@pytest.mark.parametrize("page", ["", BEGIN, END, f"{END}{BEGIN}", f"{BEGIN}{BEGIN}{END}"])
def test_a_page_without_its_marks_is_refused(page: str) -> None:
    with pytest.raises(ValueError, match="once each"):
        refresh(page, "new")
