"""What is sent to Mechanical Turk."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.workflows.platforms.orders import make_order
from workflows.platforms.mturk.payloads import (
    MASTERS_LIVE,
    MASTERS_SANDBOX,
    external_question,
    hit_type,
    qualification_requirements,
)
from workflows.platforms.provider import Environment, RefusedError, Requirements


def asked(wanted: Requirements, environment: Environment = Environment.SANDBOX) -> list[tuple[object, ...]]:
    """Return requirements without the actions that they guard."""
    made = qualification_requirements(wanted, environment)
    return [tuple(value for key, value in one.items() if key != "ActionsGuarded") for one in made]


def test_an_address_with_everything_in_it_stands_in_the_question_as_it_is() -> None:
    url = "https://groundcrew.example/work/crowd/links/5f/?a=1&b=<2>\"'é]]>"
    root = ElementTree.fromstring(external_question(url))  # noqa: S314  # our own
    namespace = root.tag.removesuffix("ExternalQuestion")
    assert namespace.endswith("/2006-07-14/ExternalQuestion.xsd}")
    assert root.findtext(f"{namespace}ExternalURL") == url
    assert root.findtext(f"{namespace}FrameHeight") == "0"


def test_a_type_has_the_values_that_all_its_hits_share() -> None:
    assert hit_type(make_order(), Environment.SANDBOX) == {
        "AutoApprovalDelayInSeconds": 3 * 24 * 3600,
        "AssignmentDurationInSeconds": 1800,
        "Reward": "0.50",
        "Title": "Do two phrases name the same thing?",
        "Keywords": "image, caption",
        "Description": "Ten questions about phrases of captions.",
        "QualificationRequirements": [],
    }


def test_screening_asks_for_approved_hits_and_their_share() -> None:
    assert asked(Requirements(completed=500, approval=0.95)) == [
        ("00000000000000000040", "GreaterThanOrEqualTo", [500]),
        ("000000000000000000L0", "GreaterThanOrEqualTo", [95]),
    ]


@pytest.mark.parametrize(("share", "per_cent"), [(0.57, 57), (0.29, 29), (0.955, 96), (1.0, 100), (0.001, 1)])
def test_a_share_is_never_asked_for_less_than_it_is(share: float, per_cent: int) -> None:
    ((_, _, values),) = asked(Requirements(approval=share))
    assert values == [per_cent]


def test_any_of_several_places_will_do() -> None:
    places = [{"Country": "GB"}, {"Country": "US", "Subdivision": "CA"}]
    assert asked(Requirements(locales=("GB", "US-CA"))) == [("00000000000000000071", "In", places)]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (Environment.LIVE, MASTERS_LIVE),
        (Environment.SANDBOX, MASTERS_SANDBOX),
        (Environment.EMULATOR, MASTERS_SANDBOX),
    ],
)
def test_masters_have_another_id_where_money_is_real(environment: Environment, expected: str) -> None:
    assert asked(Requirements(masters=True), environment) == [(expected, "Exists")]


def test_work_is_hidden_from_who_lacks_our_qualifications_only() -> None:
    wanted = Requirements(completed=1, masters=True, locales=("GB",), holding=("QA",), lacking=("QB",))
    made = qualification_requirements(wanted, Environment.LIVE)
    hidden = [one for one in made if one["ActionsGuarded"] == "DiscoverPreviewAndAccept"]
    assert [(one["QualificationTypeId"], one["Comparator"]) for one in hidden] == [
        ("QA", "Exists"),
        ("QB", "DoesNotExist"),
    ]
    assert {one["ActionsGuarded"] for one in made if one not in hidden} == {"Accept"}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Requirements(locales=("GB-LND",)), "crowd.locales: .* not GB-LND"),
        (Requirements(locales=("GB",) * 31), "crowd.locales: .* takes 30, not 31"),
        (
            Requirements(completed=1, lacking=tuple(f"Q{n}" for n in range(10))),
            "takes 10 requirements, not 11",
        ),
    ],
)
def test_what_mechanical_turk_cannot_ask_for_is_refused(wanted: Requirements, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        qualification_requirements(wanted, Environment.SANDBOX)
