"""Subscriptions to Prolific's events, and the workspace's secret that signs them (reference: Webhooks)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from workflows.crowd.calls import call
from workflows.crowd.prolific.client import Asking
from workflows.crowd.prolific.domain.subscriptions import Plan, Subscription, ours, plan
from workflows.crowd.prolific.http import Reply, UnclearError, objects
from workflows.crowd.prolific.replies import word
from workflows.crowd.provider import UnavailableError, UnknownObjectError

SECRETS, SUBSCRIPTIONS = "/hooks/secrets/", "/hooks/subscriptions/"
CONFIRMATION = "X-Hook-Secret"


@dataclass(slots=True)
class Webhooks:
    """Secrets are returned, and stand in no log and no error."""

    asking: Asking

    def there(self) -> Iterator[Subscription]:
        """The workspace's; without a filter only those that are enabled are listed."""
        seen: set[str] = set()
        for enabled in ("true", "false"):
            params = {"workspace_id": self.asking.workspace(), "is_enabled": enabled}
            found = self.asking.ask("get-subscriptions", "", "GET", SUBSCRIPTIONS, params=params)
            for one in objects(found):
                if word(one, "id") not in seen:
                    seen.add(word(one, "id"))
                    yield _read(one)

    def secrets(self) -> list[str]:
        """The workspace's: one, or none."""
        workspace = self.asking.workspace()
        found = self.asking.ask("get-secrets", workspace, "GET", SECRETS, params={"workspace_id": workspace})
        # The reference has a list of results in its words, and in its example objects by number.
        listed = found.get("results", list(found.values()))
        rows = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
        return [word(one, "value") for one in rows if one.get("workspace_id", workspace) == workspace]

    def make_secret(self) -> str:
        """A new one: whatever there was signs nothing any more."""
        workspace = self.asking.workspace()
        made = self.asking.once("create-secret", workspace, "POST", SECRETS, body={"workspace_id": workspace})
        return word(made, "value")

    def subscribe(self, kind: str, url: str) -> None:
        """Makes one and confirms it. Broken off in between, one is left that is not enabled."""
        body = {"workspace_id": self.asking.workspace(), "event_type": kind, "target_url": url}
        try:
            made, headers = call(
                self.asking.caller,
                "create-subscription",
                kind,
                lambda: self.asking.api.told("POST", SUBSCRIPTIONS, body=body),
                pace=self.asking.pace,
            )
        except UnclearError as error:
            raise UnavailableError(str(error), code=error.code) from error
        secret = headers.get(CONFIRMATION)
        if not secret:
            raise UnavailableError(f"Prolific's reply has no {CONFIRMATION}.", code="unreadable")
        subscription = word(_made(made, kind, url), "id")
        path = f"{SUBSCRIPTIONS}{subscription}/"
        self.asking.ask("confirm-subscription", subscription, "POST", path, body={"secret": secret})

    def unsubscribe(self, subscription: str) -> None:
        try:
            self.asking.ask("delete-subscription", subscription, "DELETE", f"{SUBSCRIPTIONS}{subscription}/")
        except UnknownObjectError:
            return  # gone already


def _made(reply: Reply, kind: str, url: str) -> Reply:
    """The reference says that the reply has an id, and shows a list of subscriptions."""
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
