"""manage.py webhooks, with the emulated Prolific."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.workflows.platforms.prolific.stage import ProlificStage, account_at, prolific_stage
from workflows.core.models import AuditEntry
from workflows.platforms import registry
from workflows.platforms.models import ProviderCall
from workflows.platforms.prolific.domain.subscriptions import KINDS
from workflows.platforms.prolific.webhooks import learn_secret

pytestmark = pytest.mark.django_db
SITE = "http://127.0.0.1:9"
LEARN = "workflows.management.commands.webhooks.learn_secret"
URL = f"{SITE}/api/v1/crowd/prolific/webhook"


@pytest.fixture
def stage(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProlificStage]:
    settings.SITE = SITE
    with prolific_stage() as stage:
        settings.PROLIFIC = account_at(stage.emulator)
        monkeypatch.setattr(registry, "provider", lambda name: stage.provider)
        yield stage


def webhooks(**options: Any) -> str:
    out = StringIO()
    call_command("webhooks", stdout=out, by="ada", **options)
    return out.getvalue()


def there(stage: ProlificStage) -> list[tuple[str, str, bool]]:
    found = stage.emulator.hooks.subscriptions.values()
    return sorted((one.event_type, one.target_url, one.confirmed) for one in found)


def test_the_secret_goes_to_a_file_and_every_kind_of_event_is_confirmed(
    stage: ProlificStage, tmp_path: Path
) -> None:
    file = tmp_path / "secret"
    said = webhooks(secret_file=file)
    secret = stage.emulator.hooks.secret
    assert file.read_text() == f"{secret}\n" and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert there(stage) == sorted((kind, URL, True) for kind in KINDS)
    assert "set GROUNDCREW_PROLIFIC_WEBHOOK_SECRET_FILE to this file" in said and secret not in said
    entry = AuditEntry.objects.get(action="crowd.webhooks")
    assert (entry.by, entry.object, entry.detail["made"]) == ("ada", URL, list(KINDS))
    assert entry.detail["secret"] == "kept"
    assert secret not in str(list(ProviderCall.objects.values())) + str(entry.detail)


def test_run_again_it_does_nothing(stage: ProlificStage, settings: Settings, tmp_path: Path) -> None:
    webhooks(secret_file=tmp_path / "secret")
    secret, before = stage.emulator.hooks.secret, list(stage.emulator.hooks.subscriptions)
    assert "already has the workspace's secret" in webhooks(secret_file=tmp_path / "secret")
    settings.PROLIFIC = account_at(stage.emulator, webhook_secret=secret)
    assert "kept  " in webhooks()
    assert "already has the workspace's secret" in webhooks(secret_file=tmp_path / "another")
    assert not (tmp_path / "another").exists()
    assert (stage.emulator.hooks.secret, list(stage.emulator.hooks.subscriptions)) == (secret, before)


def test_the_secret_of_another_installation_is_taken_and_not_replaced(
    stage: ProlificStage, tmp_path: Path
) -> None:
    secret = stage.provider.webhooks.make_secret()
    webhooks(secret_file=tmp_path / "secret")
    assert stage.emulator.hooks.secret == secret == (tmp_path / "secret").read_text().strip()
    webhooks(new_secret=True, secret_file=tmp_path / "new")
    assert stage.emulator.hooks.secret == (tmp_path / "new").read_text().strip() != secret


@pytest.mark.parametrize("operation", ["create-subscription", "confirm-subscription"])
@pytest.mark.parametrize("kind", ["cut", "cut-after"])
def test_broken_off_and_run_again_there_is_one_of_each(
    stage: ProlificStage, tmp_path: Path, operation: str, kind: str
) -> None:
    stage.world.faults.add(kind, operation, times=9)
    with pytest.raises(CommandError, match="Run the command again"):
        webhooks(secret_file=tmp_path / "secret")
    stage.world.faults.clear()
    webhooks(secret_file=tmp_path / "secret")
    assert there(stage) == sorted((kind, URL, True) for kind in KINDS)


def test_a_lost_answer_to_making_the_secret_leaves_no_empty_file(
    stage: ProlificStage, tmp_path: Path
) -> None:
    stage.world.faults.add("cut-after", "create-secret")
    with pytest.raises(CommandError, match="Run the command again"):
        webhooks(secret_file=tmp_path / "secret")
    assert not (tmp_path / "secret").exists()
    made = stage.emulator.hooks.secret
    webhooks(secret_file=tmp_path / "secret")
    assert (tmp_path / "secret").read_text().strip() == made == stage.emulator.hooks.secret


def test_listing_and_removing_leave_what_is_others(stage: ProlificStage, tmp_path: Path) -> None:
    assert webhooks(list=True).splitlines() == [
        "missing: study.status.change, submission.status.change",
        "secret of the workspace: none",
    ]
    webhooks(secret_file=tmp_path / "secret")
    stage.provider.webhooks.subscribe(KINDS[0], "https://other.example/hook")
    said = webhooks(list=True)
    assert "https://other.example/hook, not ours" in said and "nothing is missing" in said
    assert "not the same as here" in said and stage.emulator.hooks.secret not in said
    assert webhooks(remove=True) == f"2 subscriptions to {URL} ended\n"
    assert there(stage) == [(KINDS[0], "https://other.example/hook", True)]
    assert stage.emulator.hooks.secret
    assert webhooks(remove=True) == f"0 subscriptions to {URL} ended\n"


def test_what_is_missing_is_said(stage: ProlificStage, settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not set here"):
        webhooks()
    assert not stage.emulator.hooks.secret and not there(stage)
    stage.provider.webhooks.make_secret()
    settings.PROLIFIC = account_at(stage.emulator, webhook_secret="an older one")
    with pytest.raises(CommandError, match="another secret than the one that is set here"):
        webhooks()
    (tmp_path / "taken").write_text("something else")
    with pytest.raises(CommandError, match="another secret"):
        webhooks(secret_file=tmp_path / "taken")
    with pytest.raises(CommandError, match="name a new one"):
        webhooks(new_secret=True, secret_file=tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "something else"
    with pytest.raises(CommandError, match="No such file or directory"):
        webhooks(secret_file=tmp_path / "no" / "folder")
    settings.SITE = ""
    with pytest.raises(CommandError, match="GROUNDCREW_SITE is not set"):
        webhooks()


def test_a_file_that_cannot_be_written_is_named_and_not_left_empty(
    stage: ProlificStage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def learn_to_nowhere(*args: Any, keep: Any, **options: Any) -> bool:
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, keep.file.fileno())
        os.close(nowhere)
        return learn_secret(*args, keep=keep, **options)

    monkeypatch.setattr(LEARN, learn_to_nowhere)
    with pytest.raises(CommandError, match=r"--secret-file .*secret: .*run the command again"):
        webhooks(secret_file=tmp_path / "secret")
    assert not (tmp_path / "secret").exists()

    monkeypatch.setattr(LEARN, learn_secret)
    webhooks(secret_file=tmp_path / "secret")
    assert (tmp_path / "secret").read_text() == f"{stage.emulator.hooks.secret}\n"
