"""Accounts on crowd platforms, read from the environment. A platform has one only if its secret is set."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.environment import choice, number, secret, text, words
from workflows.platforms.accounts import MTurkAccount, ProlificAccount
from workflows.platforms.provider import Environment

MTURK_ENDPOINTS = {
    "sandbox": "https://mturk-requester-sandbox.us-east-1.amazonaws.com",
    "production": "https://mturk-requester.us-east-1.amazonaws.com",
}
MTURK_SITES = "https://www.mturk.com,https://workersandbox.mturk.com"
PROLIFIC_API = "https://api.prolific.com"
_REQUESTERS = "mturk-requester"
_PROLIFIC_DOMAINS = (["prolific", "com"], ["prolific", "co"])


def mturk_account() -> MTurkAccount | None:
    """Return the account on Mechanical Turk, or None.

    Raise ImproperlyConfigured, which names the variable.
    """
    key = secret("GROUNDCREW_MTURK_SECRET")
    if not key:
        return None
    named = text("GROUNDCREW_MTURK_ENDPOINT", "sandbox")
    endpoint = MTURK_ENDPOINTS.get(named, named)
    endpoint = _url("GROUNDCREW_MTURK_ENDPOINT", endpoint, "sandbox, production")
    return MTurkAccount(
        endpoint=endpoint,
        environment=_environment("GROUNDCREW_MTURK_ENVIRONMENT", endpoint),
        key_id=text("GROUNDCREW_MTURK_KEY_ID"),
        secret=key,
        region=text("GROUNDCREW_MTURK_REGION", "us-east-1"),
        queue_url=site("GROUNDCREW_MTURK_QUEUE_URL"),
        submit_origins=tuple(_origin(word) for word in words("GROUNDCREW_MTURK_SITES", MTURK_SITES)),
    )


def prolific_account() -> ProlificAccount | None:
    """Return the account on Prolific, or None. Raise ImproperlyConfigured, which names the variable."""
    token = secret("GROUNDCREW_PROLIFIC_TOKEN")
    if not token:
        return None
    endpoint = _url("GROUNDCREW_PROLIFIC_ENDPOINT", text("GROUNDCREW_PROLIFIC_ENDPOINT", PROLIFIC_API))
    return ProlificAccount(
        endpoint=endpoint,
        environment=_environment("GROUNDCREW_PROLIFIC_ENVIRONMENT", endpoint),
        token=token,
        project=text("GROUNDCREW_PROLIFIC_PROJECT", ""),
        site=_url("GROUNDCREW_PROLIFIC_SITE", text("GROUNDCREW_PROLIFIC_SITE", "https://app.prolific.com")),
        webhook_secret=secret("GROUNDCREW_PROLIFIC_WEBHOOK_SECRET"),
        currency=text("GROUNDCREW_PROLIFIC_CURRENCY", "GBP"),
        fee_per_mille=number("GROUNDCREW_PROLIFIC_FEE_PER_MILLE", 428),
    )


def site(name: str) -> str:
    """Return the variable `name` as an address, or nothing."""
    value = text(name, "")
    return _url(name, value) if value else ""


def _environment(name: str, endpoint: str) -> Environment:
    """Return the environment that the variable names.

    By default, an endpoint on this machine is an emulator, and an unknown endpoint is live: it may move real
    money.
    """
    host = (urlsplit(endpoint).hostname or "").rstrip(".")
    usual = Environment.LIVE
    if host == urlsplit(MTURK_ENDPOINTS["sandbox"]).hostname:
        usual = Environment.SANDBOX
    elif _is_loopback(host):
        usual = Environment.EMULATOR
    said = Environment(choice(name, usual, tuple(Environment)))
    if _pays(host) and said != Environment.LIVE:
        raise ImproperlyConfigured(f"{name} cannot be {said}, because money is real at {endpoint}.")
    return said


def _pays(host: str) -> bool:
    """Return whether a host is a platform's own, in any region, where money is real."""
    labels = host.split(".")
    if any(label.startswith(_REQUESTERS) and label != f"{_REQUESTERS}-sandbox" for label in labels):
        return True
    return labels[-2:] in _PROLIFIC_DOMAINS


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _url(name: str, value: str, others: str = "") -> str:
    parts = urlsplit(value)
    loopback = _is_loopback(parts.hostname or "")
    if not parts.hostname or parts.scheme not in ("https", *(("http",) if loopback else ())):
        either = f"{others}, or " if others else ""
        raise ImproperlyConfigured(f"{name} has to be {either}an https address, not {value!r}.")
    # Names of hosts are the same in upper case, and addresses are compared as text.
    return parts._replace(netloc=parts.netloc.lower()).geturl().rstrip("/")


def _origin(value: str) -> str:
    parts = urlsplit(_url("GROUNDCREW_MTURK_SITES", value))
    return f"{parts.scheme}://{parts.netloc}"
