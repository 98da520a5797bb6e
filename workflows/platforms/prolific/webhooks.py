"""Webhooks: subscribe to Prolific's events, and learn the workspace's secret that signs them.

Source: Prolific's API reference, "Webhooks".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workflows.platforms.calls import call
from workflows.platforms.prolific.client import Client
from workflows.platforms.prolific.domain.subscriptions import Plan, Subscription, ours, plan
from workflows.platforms.prolific.http import Reply, UnclearError, objects
from workflows.platforms.prolific.replies import word
from workflows.platforms.provider import UnavailableError, UnknownObjectError

SECRETS, SUBSCRIPTIONS = "/hooks/secrets/", "/hooks/subscriptions/"
CONFIRMATION = "X-Hook-Secret"


class SecretError(Exception):
    """The secret that signs events is not known here; the message says why."""


@dataclass(slots=True)
class Webhooks:
    """The subscriptions and secrets of one account's workspace. No log and no error contains a secret."""

    client: Client

    def there(self) -> Iterator[Subscription]:
        """Yield the workspace's subscriptions. Without a filter, Prolific lists only enabled ones."""
        seen: set[str] = set()
        for enabled in ("true", "false"):
            params = {"workspace_id": self.client.workspace(), "is_enabled": enabled}
            found = self.client.ask("get-subscriptions", "", "GET", SUBSCRIPTIONS, params=params)
            for one in objects(found):
                if word(one, "id") not in seen:
                    seen.add(word(one, "id"))
                    yield _read(one)

    def secrets(self) -> list[str]:
        """Return the workspace's secrets: one, or none."""
        workspace = self.client.workspace()
        found = self.client.ask("get-secrets", workspace, "GET", SECRETS, params={"workspace_id": workspace})
        # The reference has a list of results in its words, and in its example objects by number.
        listed = found.get("results", list(found.values()))
        rows = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return [word(one, "value") for one in rows if one.get("workspace_id", workspace) == workspace]

    def make_secret(self) -> str:
        """Make a new secret and return it; the old one signs nothing any more."""
        workspace = self.client.workspace()
        made = self.client.once("create-secret", workspace, "POST", SECRETS, body={"workspace_id": workspace})
        return word(made, "value")

    def subscribe(self, kind: str, url: str) -> None:
        """Make a subscription and confirm it. If this stops in between, one is left that is not enabled."""
        body = {"workspace_id": self.client.workspace(), "event_type": kind, "target_url": url}
        try:
            made, headers = call(
                self.client.caller,
                "create-subscription",
                kind,
                lambda: self.client.api.once_with_headers("POST", SUBSCRIPTIONS, body=body),
                pace=self.client.pace,
            )
        except UnclearError as error:
            raise UnavailableError(str(error), code=error.code) from error
        secret = headers.get(CONFIRMATION)
        if not secret:
            raise UnavailableError(f"Prolific's reply has no {CONFIRMATION}.", code="unreadable")
        subscription = word(_made(made, kind, url), "id")
        path = f"{SUBSCRIPTIONS}{subscription}/"
        self.client.ask("confirm-subscription", subscription, "POST", path, body={"secret": secret})

    def unsubscribe(self, subscription: str) -> None:
        """Delete a subscription, given by its id, if it is there."""
        try:
            self.client.ask("delete-subscription", subscription, "DELETE", f"{SUBSCRIPTIONS}{subscription}/")
        except UnknownObjectError:
            return  # gone already


def learn_secret(
    webhooks: Webhooks, *, known: str, keep: Callable[[str], None] | None, renew: bool = False
) -> bool:
    """Make sure that we have the workspace's secret; return whether a new one had to be kept.

    `known` is the secret that is set here, or empty, and `keep` stores another one. Other installations may
    use the same secret, so an existing one is taken and not replaced, unless `renew` is True. Raises
    SecretError if there is no `keep`, or if the workspace has several secrets, and ProviderError.
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
    """Have one subscription to `url` for each type of event; return what was done.

    This may be stopped anywhere and run again. Raises ProviderError.
    """
    found = plan(webhooks.there(), url)
    for one in found.drop:
        webhooks.unsubscribe(one.id)
    for kind in found.make:
        webhooks.subscribe(kind, url)
    return found


def unsubscribe(webhooks: Webhooks, *, url: str) -> int:
    """Delete all subscriptions that lead to `url`, and return how many. Raises ProviderError.

    The secret stays: other installations may use it.
    """
    found = ours(webhooks.there(), url)
    for one in found:
        webhooks.unsubscribe(one.id)
    return len(found)


def _made(reply: Reply, kind: str, url: str) -> Reply:
    """Return the new subscription. The reference says that the reply has an id, and shows a list instead."""
    if "results" not in reply:
        return reply
    alike = [
        one
        for one in objects(reply)
        if (one.get("event_type"), one.get("target_url")) == (kind, url) and not one.get("is_enabled")
    ]
    if len(alike) != 1:
        raise UnavailableError("Prolific's reply does not say which subscription is new.", code="unreadable")
    return alike[0]


def _read(one: Reply) -> Subscription:
    return Subscription(
        id=word(one, "id"),
        kind=word(one, "event_type"),
        url=word(one, "target_url"),
        enabled=one.get("is_enabled") is True,
    )
