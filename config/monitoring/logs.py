"""Log lines, with the request and task that they belong to: as text for people, or as JSON for collectors."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import orjson

from config.monitoring.trace_ids import context


class Traced(logging.Filter):
    """Adds the request and the task to a record. It belongs to the handler, so that it sees every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.trace = context()
        return True


class TextFormatter(logging.Formatter):
    """Formats a record as `time level logger: message [request=… task=…]`."""

    def format(self, record: logging.LogRecord) -> str:
        line, trace = super().format(record), getattr(record, "trace", None)
        if not trace:
            return line
        said = " ".join(f"{name}={value}" for name, value in trace.items())
        first, newline, rest = line.partition("\n")  # a traceback follows
        return f"{first} [{said}]{newline}{rest}"


class JSONFormatter(logging.Formatter):
    """Formats a record as JSON: `time` (ISO 8601, UTC), `level`, `logger`, `message`, `request`, `task`, ….

    A traceback is in `error`.

    `logger.info("…", extra={"fields": {…}})` adds fields.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
            **getattr(record, "trace", {}),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()


class OneLine(logging.Filter):
    """Takes the traceback away, which tells nothing that the message does not."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True


class NotBusy(logging.Filter):
    """Drops Django's own record of a reply 503: whoever made the reply has logged why, in one line."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != 503


def log_settings(style: str, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: everything goes to standard error, in the style `text` or `json`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {
                "()": "config.monitoring.logs.TextFormatter",
                "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            },
            "json": {"()": "config.monitoring.logs.JSONFormatter"},
        },
        "filters": {
            "traced": {"()": "config.monitoring.logs.Traced"},
            "one line": {"()": "config.monitoring.logs.OneLine"},
            "not busy": {"()": "config.monitoring.logs.NotBusy"},
        },
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": style, "filters": ["traced"]}
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # These would log each task and each beat, which says nothing that the transitions do not.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.worker.request": {"level": "WARNING"},  # revoked or expired messages are normal
            "celery.beat": {"level": "WARNING"},
            # Robots ask for every name there is.
            "django.security.DisallowedHost": {"filters": ["one line"]},
            "django.request": {"filters": ["not busy"]},
            "axes": {"level": "WARNING"},  # it logs four lines for each login
            "httpx": {"level": "WARNING"},  # calls to platforms have their own log
        },
    }
