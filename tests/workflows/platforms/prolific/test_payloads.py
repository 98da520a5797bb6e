"""What is sent to Prolific."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.workflows.platforms.orders import TOKEN, make_order
from workflows.platforms.prolific.payloads import (
    allowed_minutes,
    bonus_line,
    extension_mark,
    filters_of,
    study_of,
    with_parameters,
)
from workflows.platforms.prolific.replies import token_of

IDS = "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"


@pytest.mark.parametrize(
    ("amount", "line"), [(5, "u,0.05"), (30, "u,0.30"), (425, "u,4.25"), (10**9 + 1, "u,10000000.01")]
)
def test_a_bonus_is_told_in_pounds_to_the_penny(amount: int, line: str) -> None:
    assert bonus_line("u", amount) == line


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://g.example/work/", f"https://g.example/work/?{IDS}"),
        ("https://g.example/work/?a=1", f"https://g.example/work/?a=1&{IDS}"),
    ],
)
def test_the_page_is_given_the_ids(url: str, expected: str) -> None:
    assert with_parameters(url) == expected


@pytest.mark.parametrize(
    ("work_seconds", "estimated", "minutes"), [(1800, 2, 30), (60, 2, 9), (60, 1, 6), (10**6, 2, 1439)]
)
def test_the_time_allowed_is_within_what_prolific_takes(
    work_seconds: int, estimated: int, minutes: int
) -> None:
    assert allowed_minutes(work_seconds, estimated) == minutes


def test_a_study_names_its_token_and_shows_text_as_text() -> None:
    order = make_order("GBP", description="Mind <b> & co.\n\nTwo.", annotation="x" * 500)
    body = study_of(order, code="C", screen_out_code="S", filters=[], project="p")
    assert token_of(body) == TOKEN and len(str(body["internal_name"])) < 200
    assert body["description"] == "<p>Mind &lt;b&gt; &amp; co.</p><p>Two.</p>"
    assert (body["estimated_completion_time"], body["reward"], body["project"]) == (2, 50, "p")
    assert "mobile" in str(body["device_compatibility"]), "workers' pages are made for phones"
    assert body["submissions_config"] == {"max_submissions_per_participant": -1}


def test_a_study_pays_failed_tests_by_a_code_of_its_own() -> None:
    order = make_order("GBP")
    paying = replace(order, screen_out=40, screen_outs=12)
    codes = [
        study_of(one, code="C", screen_out_code="S", filters=[], project="")["completion_codes"]
        for one in (order, paying)
    ]
    done = {
        "code": "C",
        "code_type": "COMPLETED",
        "actions": [{"action": "MANUALLY_REVIEW"}],
        "actor": "participant",
    }
    action = {"action": "FIXED_SCREEN_OUT_PAYMENT", "fixed_screen_out_reward": 40, "slots": 12}
    paid = {"code": "S", "code_type": "FIXED_SCREENOUT", "actions": [action], "actor": "participant"}
    assert codes == [[done], [done, paid]]


@pytest.mark.parametrize("name", ["", None, "Somebody's", "[groundcrew ]", "[groundcrew a b]"])
def test_a_name_without_our_mark_is_none_of_ours(name: str | None) -> None:
    assert token_of({"internal_name": name}) == ""


def test_a_mark_of_an_extension_leaves_the_token_readable() -> None:
    name = f"Scenes [groundcrew {TOKEN}] {extension_mark('e0')}"
    assert token_of({"internal_name": name}) == TOKEN
    assert extension_mark("e0") != extension_mark("e1")


def test_each_group_that_is_asked_for_has_to_hold() -> None:
    def made(**fields: object) -> list[dict[str, object]]:
        usual = {"completed": 0, "approval": 0.0, "countries": [], "holding": (), "lacking": ()}
        return filters_of(**{**usual, **fields})  # type: ignore[arg-type]  # of a dictionary

    assert made() == []
    assert made(approval=0.95) == [
        {"filter_id": "approval_rate", "selected_range": {"lower": 95, "upper": 100}}
    ]
    one, two = (
        {"filter_id": "participant_group_allowlist", "selected_values": [group]} for group in ("a", "b")
    )
    assert made(holding=("a",)) == [one]
    assert made(holding=("a", "b")) == [{"filter_id": "and", "selected_filters": [one, two]}]
