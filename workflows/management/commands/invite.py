from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from getpass import getpass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from workflows.api.work_links import join_link, site
from workflows.crowd.invitations.invite import (
    MAX_AT_ONCE,
    MAX_DAYS,
    MAX_USES,
    USUAL_DAYS,
    InvitationError,
    invite,
)
from workflows.management.subject import project_named


class Command(BaseCommand):
    help = (
        "Make invitations with which workers join a project themselves. Prints their links, only this once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--project", required=True)
        parser.add_argument(
            "--site",
            type=site,
            default=settings.SITE or None,
            help="the address of the server, such as https://annotate.example.org (default: GROUNDCREW_SITE)",
        )
        parser.add_argument("--label", default="invitation", help="whom it is for; workers do not see this")
        parser.add_argument(
            "--number", type=int, default=1, help=f"how many links, at most {MAX_AT_ONCE} (default: 1)"
        )
        parser.add_argument(
            "--uses",
            type=_uses,
            default=1,
            metavar="NUMBER",
            help=f"how many can join with a link, up to {MAX_USES}, or `open` for any number (default: 1)",
        )
        parser.add_argument(
            "--days",
            type=int,
            default=USUAL_DAYS,
            help=f"days after which nobody can join any more, up to {MAX_DAYS}; 0: no end "
            f"(default: {USUAL_DAYS})",
        )
        parser.add_argument(
            "--passcode",
            action="store_true",
            help="also require a passcode: typed in, or the first line of standard input",
        )
        parser.add_argument("--note", default="", help="a note for yourself")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["project"])
        if not 0 <= options["days"] <= MAX_DAYS:
            raise CommandError(f"--days must be from 0 to {MAX_DAYS}")
        if not options["site"]:
            raise CommandError("--site is needed, since GROUNDCREW_SITE is not set")
        now = timezone.now()
        try:
            made = invite(
                project=project,
                label=options["label"],
                number=options["number"],
                uses=options["uses"],
                expires_at=now + timedelta(days=options["days"]) if options["days"] else None,
                passcode=_passcode() if options["passcode"] else "",
                note=options["note"],
                by="manage.py invite",
                now=now,
            )
        except InvitationError as error:
            raise CommandError(f"--{error.field}: {error}") from error
        for one in made:
            self.stdout.write(f"{one.invitation.label}\t{join_link(options['site'], one.code)}")


def _uses(text: str) -> int | None:
    if text == "open":
        return None
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"{text!r} is neither a number nor `open`")
    return int(text)


def _passcode() -> str:
    """Read the passcode. It is never an argument, because lists of processes show arguments.

    Raises CommandError if none is given.
    """
    said = getpass("Passcode: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\r\n")
    if not said:
        raise CommandError("--passcode: no passcode was given")
    return said
