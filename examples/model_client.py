"""Answer joint checks with a model of yours: fetch questions, look at each photograph, post answers.

    python -m examples.model_client --site https://annotate.example.org --judge examples.vision_model

The token of `manage.py model add` is read from the environment variable GROUNDCREW_MODEL_TOKEN. A judge is a
module with a function `judge(question, picture)`. It returns the answer, such as {"boxes": ["good", "loose"],
"missing": False}, or None if it has none: workers then answer alone, after the batch's time for the model.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

Judge = Callable[[dict[str, Any], bytes], "dict[str, Any] | None"]
TIMEOUT = 60
"""Seconds for each request."""
PAUSES = (1, 2, 5, 15, 60)
"""Seconds between tries if the site cannot be reached, or is busy."""


class RefusedError(Exception):
    """The site refuses the request for good: the message says why."""


def request(url: str, token: str = "", body: object = None) -> bytes:
    """Return the reply's body. Tries again while the site is busy; every request may be sent twice."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    for pause in (*PAUSES, None):
        try:
            asked = urllib.request.Request(url, data, headers)  # noqa: S310  (the address is the caller's)
            with urllib.request.urlopen(asked, timeout=TIMEOUT) as reply:  # noqa: S310
                return bytes(reply.read())
        except urllib.error.HTTPError as error:
            with error:
                said = error.read()[:500].decode(errors="replace")
            if error.code < 500 and error.code != 429:
                raise RefusedError(f"{url}: {error.code} {said}") from error
            trouble: Exception = error
        except OSError as error:
            trouble = error
        if pause is None:
            raise trouble
        time.sleep(pause)
    raise AssertionError("unreachable")


def turn(site: str, token: str, judge: Judge, *, limit: int = 20) -> int:
    """Answer what waits now, at most `limit` questions, and return how many were posted."""
    api = urljoin(site.rstrip("/") + "/", "api/v1/models/")
    asked = json.loads(request(f"{api}questions?limit={limit}", token))["questions"]
    answers = []
    for one in asked:
        url = one["question"]["image"]["url"]
        answer = judge(one["question"], request(urljoin(site, url)) if url else b"")
        if answer is not None:
            answers.append({"key": one["key"], "answer": answer})
    if answers:
        request(f"{api}answers", token, {"answers": answers})
    return len(answers)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--site", required=True, help="its address, such as https://annotate.example.org")
    parser.add_argument("--judge", default="examples.vision_model", help="a module with `judge`")
    parser.add_argument("--once", action="store_true", help="end when nothing is left to answer")
    options = parser.parse_args(arguments)
    token = os.environ.get("GROUNDCREW_MODEL_TOKEN", "")
    if not token:
        print("Set GROUNDCREW_MODEL_TOKEN to the token of `manage.py model add`.", file=sys.stderr)
        return 2
    judge = importlib.import_module(options.judge).judge
    while True:
        try:
            posted = turn(options.site, token, judge)
        except RefusedError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{posted} answers posted", flush=True)
        if not posted:
            if options.once:
                return 0
            time.sleep(5)


if __name__ == "__main__":
    sys.exit(main())
