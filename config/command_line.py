"""The command line of `manage.py`: Django's, but errors that are not bugs show one line and no traceback."""

from __future__ import annotations

import os
import select
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError, OperationalError, ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor

READER_LEFT = 141  # the exit code that a shell reports for SIGPIPE


def main(argv: list[str]) -> None:
    """Run a command. Raise SystemExit with a message for errors of the database or of our own output."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        try:
            execute_from_command_line(argv)
        finally:
            sys.stdout.flush()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except (OperationalError, ProgrammingError) as error:
        reason = _reason(error)
        if reason is None:
            raise
        sys.exit(reason)
    except BrokenPipeError:
        if not _reader_left():
            raise
        # What is still buffered cannot be written either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(READER_LEFT)


def _reason(error: DatabaseError) -> str | None:
    """Return what to do: migrate, or start the database. Return None when the error is a bug in the code."""
    try:
        connection.close()  # it may be in a transaction that failed
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "The database is not set up, or not up to date: run `python manage.py migrate`."
    except DatabaseError:
        return f"The database cannot be used: {str(error).strip()}"
    return None


def _reader_left() -> bool:
    """Return whether the reader of our own output has gone, as with `| head -1`, not that of another pipe."""
    poll = select.poll()
    poll.register(sys.stdout.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))
