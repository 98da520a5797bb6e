from __future__ import annotations

import getpass
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from workflows.batch_settings.domain.crowd_settings import PROLIFIC
from workflows.core.audit_log import record_action
from workflows.platforms import registry
from workflows.platforms.prolific.domain.subscriptions import KINDS, Plan, ours
from workflows.platforms.prolific.provider import Prolific
from workflows.platforms.prolific.webhooks import SecretError, learn_secret, subscribe, unsubscribe
from workflows.platforms.provider import Environment, ProviderError

VARIABLE = "GROUNDCREW_PROLIFIC_WEBHOOK_SECRET"
HOW = (
    f"Give --secret-file FILE to have the secret written there, readable by its owner only. Then set "
    f"{VARIABLE}_FILE to this file for the web server"
)


class Command(BaseCommand):
    help = (
        "Subscribe to Prolific's events, which are sent to GROUNDCREW_SITE. You can repeat the command: it "
        "does what is missing. The secret that signs events is never shown."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument(
            "--list", action="store_true", help="change nothing; list subscriptions and what is missing"
        )
        what.add_argument(
            "--remove",
            action="store_true",
            help="end the subscriptions to this site; the workspace's secret stays",
        )
        what.add_argument(
            "--new-secret",
            action="store_true",
            help="replace the workspace's secret; the old one stops working for everybody in the workspace",
        )
        parser.add_argument(
            "--secret-file",
            type=Path,
            metavar="FILE",
            help="write the secret to this new file, or read it from an earlier one",
        )
        parser.add_argument(
            "--by", default="", help="your name, for the audit log (default: your account on this machine)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            provider = registry.provider(PROLIFIC)
            assert isinstance(provider, Prolific)
            self._act(provider, _address(provider.environment), options)
        except (registry.NoAccountError, registry.LiveMoneyError) as error:
            raise CommandError(str(error)) from error
        except SecretError as error:
            raise CommandError(f"{error}. {HOW}") from error
        except ProviderError as error:
            raise CommandError(
                f"Prolific says: {error} Run the command again: it does what is missing"
            ) from error

    def _act(self, provider: Prolific, url: str, options: dict[str, Any]) -> None:
        if options["list"]:
            self._list(provider, url)
            return
        by = options["by"] or getpass.getuser()
        action, detail = "crowd.webhooks", dict[str, object]()
        if options["remove"]:
            action, detail["ended"] = "crowd.webhooks-end", unsubscribe(provider.webhooks, url=url)
            self.stdout.write(f"{detail['ended']} subscriptions to {url} ended")
        else:
            detail["secret"] = self._learn(provider, options)
            done = subscribe(provider.webhooks, url=url)
            detail |= {"made": list(done.make), "dropped": len(done.drop)}
            self._report(done, url)
        record_action(by=by, action=action, now=timezone.now(), object=url, detail=detail)

    def _learn(self, provider: Prolific, options: dict[str, Any]) -> str:
        """Make or read the secret; returns `known` or `kept`, never the secret itself."""
        path: Path | None = options["secret_file"]
        account = settings.PROLIFIC
        known, where = (account.webhook_secret if account else ""), VARIABLE
        if path and path.exists():
            known, where = path.read_text(encoding="utf-8").strip(), str(path)
        renew = options["new_secret"]
        if path and path.exists() and renew:
            raise CommandError(f"--secret-file {path}: this file exists already; name a new one")
        keep = _Keeping(path) if path and not path.exists() else None
        try:
            kept = learn_secret(provider.webhooks, known=known, keep=keep, renew=renew)
        except BaseException:
            if keep:
                keep.give_up()
            raise
        if not kept:
            if keep:
                keep.give_up()
            self.stdout.write(f"{where} already has the workspace's secret")
            return "known"
        self.stdout.write(
            f"the secret is in {path}: set {VARIABLE}_FILE to this file for the web server and restart it. "
            "Until then no event is accepted"
        )
        return "kept"

    def _report(self, done: Plan, url: str) -> None:
        for one in done.drop:
            self.stdout.write(f"ended     {one.kind} ({one.id}): {_state(one.enabled)}, or a duplicate")
        for one in done.keep:
            self.stdout.write(f"kept      {one.kind} ({one.id})")
        for kind in done.make:
            self.stdout.write(f"made      {kind}")
        self.stdout.write(f"Prolific sends events to {url}")

    def _list(self, provider: Prolific, url: str) -> None:
        there = list(provider.webhooks.there())
        mine = ours(there, url)
        for one in there:
            whose = "" if one in mine else ", not ours"
            self.stdout.write(f"{one.kind} ({one.id}): {_state(one.enabled)}, to {one.url}{whose}")
        missing = set(KINDS) - {one.kind for one in mine if one.enabled}
        self.stdout.write(f"missing: {', '.join(sorted(missing))}" if missing else "nothing is missing")
        known = settings.PROLIFIC.webhook_secret if settings.PROLIFIC else ""
        secrets = provider.webhooks.secrets()
        comparison = "the same as here" if known in secrets else "not the same as here"
        self.stdout.write(f"secret of the workspace: {comparison if secrets else 'none'}")


class _Keeping:
    """The file for the secret. It is made before Prolific is asked, so that the secret can be written."""

    def __init__(self, path: Path) -> None:
        self.path, self._kept = path, False
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except OSError as error:
            raise CommandError(f"--secret-file {path}: {error.strerror}") from error
        self.file = os.fdopen(handle, "w", encoding="utf-8")

    def __call__(self, secret: str) -> None:
        try:
            with self.file:
                self.file.write(f"{secret}\n")
        except OSError as error:
            raise CommandError(
                f"--secret-file {self.path}: {error.strerror}; run the command again"
            ) from error
        self._kept = True

    def give_up(self) -> None:
        """Delete the file if nothing was written to it."""
        if not self._kept:
            self.file.close()
            self.path.unlink()
            self._kept = True


def _address(environment: Environment) -> str:
    """Return the address for events. Raises CommandError if GROUNDCREW_SITE does not give one."""
    if not settings.SITE:
        raise CommandError("GROUNDCREW_SITE is not set: Prolific needs the address of this site")
    if urlsplit(settings.SITE).scheme != "https" and environment != Environment.EMULATOR:
        raise CommandError("GROUNDCREW_SITE is not an https address: Prolific sends events to https only")
    return f"{settings.SITE}{reverse('prolific-webhook').removeprefix(settings.PREFIX)}"


def _state(enabled: bool) -> str:
    return "enabled" if enabled else "not enabled"
