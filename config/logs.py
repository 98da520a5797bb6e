"""Log lines as JSON, one object a line, for whatever collects them."""

from __future__ import annotations

import logging
from datetime import UTC, datetime

import orjson


class JSONFormatter(logging.Formatter):
    """`time` (ISO 8601, UTC), `level`, `logger`, `message`, and `error` with any traceback."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()
