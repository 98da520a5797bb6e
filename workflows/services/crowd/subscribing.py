"""Prolific's events: subscribing to them and ending that. What is there already is left as it is."""

from __future__ import annotations

from collections.abc import Callable

from workflows.crowd.prolific_webhooks import Webhooks
from workflows.domain.crowd.subscribing import Plan, ours, plan


class SecretError(Exception):
    """The secret that signs events is not known here; says what to do."""


def learn_secret(
    webhooks: Webhooks, *, known: str, keep: Callable[[str], None] | None, renew: bool = False
) -> bool:
    """Sees that we have the workspace's secret; whether it had to be kept. `known` is ours, or empty.

    Another installation may be told by the same secret: one that is there is taken, not replaced, unless
    `renew` says so. Raises SecretError and ProviderError.
    """
    there = [] if renew else webhooks.secrets()
    if known and known in there:
        return False
    if keep is None:
        raise SecretError(
            "the workspace has another secret than the one that is set here"
            if there and known
            else "the secret that signs events is not set here"
        )
    if len(there) > 1:
        raise SecretError(f"the workspace has {len(there)} secrets: it is not known which one signs")
    keep(there[0] if there else webhooks.make_secret())
    return True


def subscribe(webhooks: Webhooks, *, url: str) -> Plan:
    """One subscription of each kind of event to `url`; returns what was done. Raises ProviderError.

    Broken off anywhere and begun again, it comes to the same.
    """
    found = plan(webhooks.there(), url)
    for one in found.drop:
        webhooks.unsubscribe(one.id)
    for kind in found.make:
        webhooks.subscribe(kind, url)
    return found


def unsubscribe(webhooks: Webhooks, *, url: str) -> int:
    """Ends all that lead to `url`; returns how many. The secret stays. Raises ProviderError."""
    found = ours(webhooks.there(), url)
    for one in found:
        webhooks.unsubscribe(one.id)
    return len(found)
