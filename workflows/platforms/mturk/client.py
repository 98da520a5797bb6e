"""The client of Mechanical Turk's requester API: one boto3 operation a call, logged and paced."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from botocore import xform_name
from botocore.exceptions import BotoCoreError, ClientError

from workflows.platforms.accounts import MTurkAccount
from workflows.platforms.call_rate import Pace
from workflows.platforms.calls import call
from workflows.platforms.mturk.errors import error_of
from workflows.platforms.provider import Environment, UnavailableError

if TYPE_CHECKING:
    from boto3.session import Session

CONNECT_TIMEOUT, READ_TIMEOUT = 5, 30  # seconds
PAGE = 100  # objects that a page of a reply holds at most
MAX_PAGES = 10_000
Reply = dict[str, Any]
_making = threading.Lock()
"""Many threads may use one client, but only one thread at a time may make clients from a session."""


def make_client(service: str, account: MTurkAccount, endpoint: str) -> Any:
    """Return a botocore client that repeats nothing: `platforms/calls.py` repeats calls and logs them."""
    from botocore.config import Config  # slow to import, and only needed where there is an account

    config = Config(
        connect_timeout=CONNECT_TIMEOUT,
        read_timeout=READ_TIMEOUT,
        retries={"mode": "standard", "total_max_attempts": 1},
    )
    with _making:
        return _session().client(  # type: ignore[call-overload]  # there are no stubs of these services
            service,
            endpoint_url=endpoint,
            region_name=account.region,
            aws_access_key_id=account.key_id,
            aws_secret_access_key=account.secret,
            config=config,
        )


@cache
def _session() -> Session:
    """Return the one session of all clients, which keeps the service models that it has read."""
    from boto3.session import Session  # slow to import, and only needed where there is an account

    return Session()


class Requester:
    """One account, as the log of calls names it. The parts of MTurk are built on this class."""

    def __init__(
        self,
        account: MTurkAccount,
        *,
        pace: Pace | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.name: str = "mturk"
        self.environment: Environment = account.environment
        self.currency: str = "USD"
        self.account = account
        self.client = make_client("mturk", account, account.endpoint)
        self.pace, self.now = pace, now
        self._notifying: set[str] = set()  # HIT types whose notifications this process has asked for
        self._types: dict[str, str] = {}  # HIT types that this process has registered, by their content

    def ask(self, operation: str, subject: str, **params: object) -> Reply:
        """Call an operation and return the reply; `subject` is for the log. Raises ProviderError."""
        return self.ask_by(self.client, operation, subject, **params)

    def ask_by(self, client: Any, operation: str, subject: str, **params: object) -> Reply:
        """Call an operation of another of Amazon's services, like `ask`."""

        def once() -> Reply:
            try:
                reply: Reply = getattr(client, xform_name(operation))(**params)
            except (ClientError, BotoCoreError) as error:
                raise error_of(error) from error
            return reply

        return call(self, operation, subject, once, pace=self.pace)

    def pages(self, operation: str, member: str, subject: str, **params: object) -> Iterator[Reply]:
        """Yield everything in the list `member` of all pages of a reply. Raises ProviderError."""
        following: dict[str, object] = {}
        for _ in range(MAX_PAGES):
            reply = self.ask(operation, subject, MaxResults=PAGE, **following, **params)
            yield from reply.get(member, ())
            token = reply.get("NextToken")
            if not token:
                return
            if {"NextToken": token} == following:
                break
            following = {"NextToken": token}
        raise UnavailableError(f"{operation} does not come to an end.", code="endless")
