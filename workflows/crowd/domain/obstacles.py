"""Reasons why a batch cannot be published on a crowd platform, as sentences that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK, MTURK, PROLIFIC
from workflows.batch_settings.domain.settings import BatchSettings

NAMES = {
    DIRECT: "direct workers",
    MTURK: "Mechanical Turk",
    PROLIFIC: "Prolific",
    LINK: "a platform by its link",
}
_LIVE, _EMULATOR = "live", "emulator"
_ACCOUNT = {
    MTURK: "GROUNDCREW_MTURK_KEY_ID and GROUNDCREW_MTURK_SECRET",
    PROLIFIC: "GROUNDCREW_PROLIFIC_TOKEN",
}
_ENDPOINT = {MTURK: "GROUNDCREW_MTURK_ENDPOINT", PROLIFIC: "GROUNDCREW_PROLIFIC_ENDPOINT"}


def elsewhere(launched_for: str, here: str) -> str:
    """Return why a batch launched for one environment must not be published in that of the account here.

    The text is empty if it may be. A test must not begin to spend real money because somebody changed the
    account, nor may a batch of which nobody knows for which environment it was launched.
    """
    if launched_for == here or (not launched_for and here != _LIVE):
        return ""
    if not launched_for:
        return (
            "It is not known for which account it was launched, and the account here moves real money: "
            "cancel it, and launch a copy."
        )
    return (
        f"It was launched for the {launched_for}, and the account here is {here} now: set the account back, "
        "or cancel the batch and launch a copy."
    )


@dataclass(frozen=True, slots=True)
class Installation:
    """What the server's environment says about the batch's provider."""

    environment: str = ""  # of the account, a `platforms.provider.Environment`; empty without account
    currency: str = ""  # in which the account pays, ISO 4217; empty if not known
    site: str = ""  # the address at which workers reach us
    live_money: bool = False  # whether real money may be moved


def obstacles(settings: BatchSettings, here: Installation) -> Iterator[str]:
    """Yield why a batch with these settings cannot be launched: sentences without a full stop.

    Nothing keeps a batch for direct workers from being launched.
    """
    crowd = settings.crowd
    if crowd.provider == DIRECT:
        return
    name = NAMES[crowd.provider]
    if not here.environment:
        yield (
            f"there is no account on {name} here: set {_ACCOUNT[crowd.provider]} in the server's environment "
            "(docs/crowd.md), or choose another provider in the settings"
        )
    if not here.site:
        yield (
            "workers could not reach this site: set GROUNDCREW_SITE in the server's environment to its "
            "address, as in https://annotate.example.org"
        )
    elif (
        crowd.provider != LINK
        and here.environment not in ("", _EMULATOR)
        and not here.site.startswith("https://")
    ):
        yield f"workers could not reach this site: GROUNDCREW_SITE is {here.site}, and has to be https"
    if crowd.provider != LINK and here.environment == _LIVE and not here.live_money:
        yield (
            f"the account on {name} moves real money: set GROUNDCREW_LIVE_MONEY=1 in the server's "
            f"environment to allow that, or try it first with an emulator ({_ENDPOINT[crowd.provider]})"
        )
    if here.currency and here.currency != settings.currency:
        yield (
            f"its currency is {settings.currency}, and the account on {name} pays in {here.currency}: set "
            "the currency, and look at the rewards and the cap again"
        )
    yield from money_obstacles(settings)


def money_obstacles(settings: BatchSettings) -> Iterator[str]:
    """Yield what is wrong with the money in the settings. Also checked when a running batch is changed."""
    crowd = settings.crowd
    if crowd.provider == DIRECT:
        return
    if crowd.provider == LINK and not any(settings.reward.values()):
        return  # the platform gives something else than money, such as credits of a course
    name = NAMES[crowd.provider]
    if crowd.cap is None:
        yield f"it has no cap: say in the settings what it may cost on {name} at most, fees included"
    if unpaid := [str(one) for one, reward in settings.reward.items() if not reward]:
        yield f"{', '.join(unpaid)}: the reward is 0, and {name} publishes nothing that is not paid"
