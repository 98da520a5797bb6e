from __future__ import annotations

import json
import logging
import sys

from config.monitoring.logs import JSONFormatter


def test_a_line_is_one_json_object_with_its_traceback() -> None:
    try:
        raise ValueError("first\nsecond")
    except ValueError:
        error = sys.exc_info()
    record = logging.LogRecord("workflows", logging.WARNING, __file__, 1, "%d\nleases", (3,), error)
    line = JSONFormatter().format(record)
    assert "\n" not in line
    shown = json.loads(line)
    assert (shown["level"], shown["logger"], shown["message"]) == ("WARNING", "workflows", "3\nleases")
    assert shown["time"].endswith("+00:00")
    assert shown["error"].endswith("ValueError: first\nsecond")
