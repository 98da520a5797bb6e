"""The real services, in their own processes, on the database of the running test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection

from config.celery import app
from config.serve import Server, services


def database_url() -> str:
    """Return the URL of the test database, for processes that a test starts."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{quote(str(settings['NAME']))}"
    part = {key: quote(str(settings[key]), safe="") for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")}
    password, port = part["PASSWORD"] and f":{part['PASSWORD']}", part["PORT"] and f":{part['PORT']}"
    return f"postgres://{part['USER']}{password}@{part['HOST']}{port}/{part['NAME']}"


def forget_messages() -> None:
    """Empty the queues, since earlier tests sent tasks that nobody took."""
    with app.connection_for_write() as broker:
        for each in app.amqp.queues.values():
            queue = each(broker.default_channel)
            queue.declare()
            queue.purge()


@contextmanager
def services_of_test(logs: Path, port: int = 0, host: str = "127.0.0.1", **env: str) -> Iterator[Server]:
    """Run web server, worker and beat on the test database. The fixture `transactional_db` is needed."""
    forget_messages()
    # One process of the web server starts faster than two, and serves one test as well.
    environment = {"DATABASE_URL": database_url(), "GRANIAN_WORKERS": "1", **env}
    with services(port=port, host=host, env=environment, logs=logs) as server:
        yield server
        server.check()
