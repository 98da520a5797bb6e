"""Accounts on crowd platforms, as the environment names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.crowd_accounts import mturk_account, prolific_account, site
from workflows.platforms.accounts import MTurkAccount, ProlificAccount
from workflows.platforms.provider import Environment


@pytest.fixture(autouse=True)
def unset(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("SECRET", "KEY_ID", "ENDPOINT", "ENVIRONMENT", "REGION", "QUEUE_URL", "SITES"):
        monkeypatch.delenv(f"GROUNDCREW_MTURK_{name}", raising=False)
    for name in ("TOKEN", "ENDPOINT", "ENVIRONMENT", "PROJECT", "SITE", "WEBHOOK_SECRET", "CURRENCY"):
        monkeypatch.delenv(f"GROUNDCREW_PROLIFIC_{name}", raising=False)
    return monkeypatch


def mturk(monkeypatch: pytest.MonkeyPatch, **variables: str) -> MTurkAccount:
    for name, value in {"SECRET": "hush-hush", "KEY_ID": "AKIA", **variables}.items():
        monkeypatch.setenv(f"GROUNDCREW_MTURK_{name}", value)
    account = mturk_account()
    assert account is not None
    return account


def prolific(monkeypatch: pytest.MonkeyPatch, **variables: str) -> ProlificAccount:
    for name, value in {"TOKEN": "hush-hush", **variables}.items():
        monkeypatch.setenv(f"GROUNDCREW_PROLIFIC_{name}", value)
    account = prolific_account()
    assert account is not None
    return account


def test_without_secrets_there_are_no_accounts() -> None:
    assert (mturk_account(), prolific_account()) == (None, None)


def test_mechanical_turk_is_its_sandbox_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    account = mturk(monkeypatch)
    assert account.environment == Environment.SANDBOX
    assert account.endpoint == "https://mturk-requester-sandbox.us-east-1.amazonaws.com"
    assert account.submit_origins == ("https://www.mturk.com", "https://workersandbox.mturk.com")


@pytest.mark.parametrize(
    ("endpoint", "environment"),
    [
        ("production", Environment.LIVE),
        ("sandbox", Environment.SANDBOX),
        ("http://127.0.0.1:4999", Environment.EMULATOR),
        ("http://localhost:4999/", Environment.EMULATOR),
        ("https://[::1]:4999", Environment.EMULATOR),
        ("https://mturk.example.org", Environment.LIVE),  # nobody vouches for it
    ],
)
def test_an_endpoint_says_whether_money_is_real(
    monkeypatch: pytest.MonkeyPatch, endpoint: str, environment: Environment
) -> None:
    account = mturk(monkeypatch, ENDPOINT=endpoint)
    assert account.environment == environment
    assert not account.endpoint.endswith("/")


def test_whoever_runs_another_endpoint_can_vouch_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    account = mturk(monkeypatch, ENDPOINT="https://mturk.example.org", ENVIRONMENT="sandbox")
    assert account.environment == Environment.SANDBOX


def test_nobody_can_call_real_money_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ImproperlyConfigured, match="GROUNDCREW_MTURK_ENVIRONMENT cannot be sandbox"):
        mturk(monkeypatch, ENDPOINT="production", ENVIRONMENT="sandbox")
    with pytest.raises(ImproperlyConfigured, match="GROUNDCREW_PROLIFIC_ENVIRONMENT cannot be emulator"):
        prolific(monkeypatch, ENVIRONMENT="emulator")


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://mturk-requester.us-east-1.amazonaws.com/",
        "HTTPS://MTurk-Requester.us-east-1.amazonaws.com",
        "https://mturk-requester.us-east-1.amazonaws.com:443",
        "https://mturk-requester.us-east-1.amazonaws.com.",
        "https://mturk-requester.eu-west-1.amazonaws.com/x?y",
        "https://vpce-0a1b.mturk-requester.us-east-1.vpce.amazonaws.com",
    ],
)
def test_no_other_spelling_of_real_money_is_a_sandbox(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    assert mturk(monkeypatch, ENDPOINT=endpoint).environment == Environment.LIVE
    with pytest.raises(ImproperlyConfigured, match="GROUNDCREW_MTURK_ENVIRONMENT cannot be emulator"):
        mturk(monkeypatch, ENDPOINT=endpoint, ENVIRONMENT="emulator")


@pytest.mark.parametrize("endpoint", ["https://API.prolific.com/", "https://api.prolific.co"])
def test_nor_is_any_of_prolific(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="GROUNDCREW_PROLIFIC_ENVIRONMENT cannot be emulator"):
        prolific(monkeypatch, ENDPOINT=endpoint, ENVIRONMENT="emulator")


def test_the_sandbox_by_its_address_is_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    account = mturk(monkeypatch, ENDPOINT="https://MTurk-requester-sandbox.us-east-1.amazonaws.com/")
    assert account.environment == Environment.SANDBOX


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("QUEUE_URL", "http://sqs.example/queue"),
        ("ENDPOINT", "http://mturk.example.org"),  # the signature and the request could be read on the way
        ("ENDPOINT", "prod"),
        ("ENVIRONMENT", "test"),
        ("SITES", "http://www.mturk.com"),
        ("SITES", "javascript:alert(1)"),
        ("KEY_ID", ""),
    ],
)
def test_a_bad_value_names_its_variable_and_no_secret(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"GROUNDCREW_MTURK_{name}") as raised:
        mturk(monkeypatch, **{name: value})
    assert "hush-hush" not in str(raised.value)


def test_sites_are_origins(monkeypatch: pytest.MonkeyPatch) -> None:
    account = mturk(monkeypatch, SITES="http://127.0.0.1:4999/path?x=1, https://worker.example")
    assert account.submit_origins == ("http://127.0.0.1:4999", "https://worker.example")


def test_a_secret_can_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("hush-hush\n")
    monkeypatch.setenv("GROUNDCREW_MTURK_SECRET_FILE", str(path))
    monkeypatch.setenv("GROUNDCREW_MTURK_KEY_ID", "AKIA")
    account = mturk_account()
    assert account is not None and account.secret == "hush-hush"
    assert "hush-hush" not in repr(account)


def test_prolific_has_no_sandbox_so_it_is_live(monkeypatch: pytest.MonkeyPatch) -> None:
    account = prolific(monkeypatch)
    assert (account.environment, account.endpoint) == (Environment.LIVE, "https://api.prolific.com")
    assert account.currency == "GBP"


def test_an_emulated_prolific_is_an_emulator(monkeypatch: pytest.MonkeyPatch) -> None:
    account = prolific(monkeypatch, ENDPOINT="http://127.0.0.1:4998", SITE="http://127.0.0.1:4998")
    assert account.environment == Environment.EMULATOR
    assert account.site == "http://127.0.0.1:4998"


@pytest.mark.parametrize("name", ["ENDPOINT", "SITE"])
def test_prolific_is_spoken_to_by_https_only(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"GROUNDCREW_PROLIFIC_{name}"):
        prolific(monkeypatch, **{name: "http://prolific.example"})


def test_our_own_address_is_https_or_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GROUNDCREW_SITE", raising=False)
    assert site("GROUNDCREW_SITE") == ""
    monkeypatch.setenv("GROUNDCREW_SITE", "https://crew.example/")
    assert site("GROUNDCREW_SITE") == "https://crew.example"
    monkeypatch.setenv("GROUNDCREW_SITE", "http://127.0.0.1:8000")
    assert site("GROUNDCREW_SITE") == "http://127.0.0.1:8000"
    monkeypatch.setenv("GROUNDCREW_SITE", "http://crew.example")
    with pytest.raises(ImproperlyConfigured, match="GROUNDCREW_SITE"):
        site("GROUNDCREW_SITE")
