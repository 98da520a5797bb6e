"""What commands say about the seals of a log."""

from __future__ import annotations

import re
from argparse import ArgumentParser

from django.core.management.base import CommandError

from workflows.core.seals import Log, verify_log


def add_expect(parser: ArgumentParser) -> None:
    """Add the option `--expect`."""
    parser.add_argument(
        "--expect",
        default="",
        metavar="HASH",
        help="a hash that this command printed before: it must still be there",
    )


def check_log(log: Log, *, expect: str) -> tuple[list[str], str]:
    """Return a line for each mistake in the log, and a summary for a log without mistakes.

    Raises CommandError if `expect` is not a hash.
    """
    check_expect(expect)
    found = verify_log(log, expect=expect)
    counts = found.counts
    summary = (
        f"{log.name}: {counts.sealed:,} entries are as they were sealed, {counts.newer:,} are not sealed yet"
    )
    if counts.seals:
        summary += f"\nnewest hash (seal {counts.seals}): {counts.newest}"
    return [f"{log.name}: {line}" for line in found.mistakes], summary


def check_expect(expect: str) -> None:
    """Raise CommandError if `expect` is neither empty nor a hash."""
    if expect and not re.fullmatch("[0-9a-f]{64}", expect):
        raise CommandError(
            "--expect: give the 64 digits and letters that this command printed after 'newest hash'"
        )
