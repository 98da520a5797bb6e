"""Log lines for people or, one JSON object a line, for whatever collects them, with what they belong to."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any

import orjson

from config.trace_ids import context


class Traced(logging.Filter):
    """Puts onto a record the request and the task it was written in. Of the handler, so that it sees all."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.trace = context()
        return True


class TextFormatter(logging.Formatter):
    """`time level logger: message [request=… task=…]`."""

    def format(self, record: logging.LogRecord) -> str:
        line, trace = super().format(record), getattr(record, "trace", None)
        if not trace:
            return line
        said = " ".join(f"{name}={value}" for name, value in trace.items())
        first, newline, rest = line.partition("\n")  # a traceback follows
        return f"{first} [{said}]{newline}{rest}"


class JSONFormatter(logging.Formatter):
    """`time` (ISO 8601, UTC), `level`, `logger`, `message`, `request`, `task`, … and `error`, a traceback.

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


def log_settings(style: str, level: str) -> dict[str, Any]:
    """Django's LOGGING: everything to standard error, in the style `text` or `json`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {
                "()": "config.logs.TextFormatter",
                "format": "%(asctime)s %(levelname)s %(name)s: %(message)s",
            },
            "json": {"()": "config.logs.JSONFormatter"},
        },
        "filters": {"traced": {"()": "config.logs.Traced"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": style, "filters": ["traced"]}
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # A line a task and a line a beat say nothing that the transitions do not.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.worker.request": {"level": "WARNING"},  # hints that were overtaken
            "celery.beat": {"level": "WARNING"},
            "axes": {"level": "WARNING"},  # four lines a login
            "httpx": {"level": "WARNING"},  # calls to platforms have a log of their own
        },
    }
