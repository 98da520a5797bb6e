"""A load of annotators: each claims, answers at once and submits, over one connection that is kept open.

It runs in a process of its own, and speaks HTTP by hand, since a client library would cost more than the
server. `python -m benchmarks.dispatch.annotators` reads a job as JSON from standard input, and prints its
figures as JSON.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from typing import Any
from urllib.parse import urlsplit

import orjson


class Connection:
    """An HTTP/1.1 connection that is kept open."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.head = f"Host: {parts.netloc}\r\nAuthorization: Bearer {token}\r\n"

    async def open(self) -> None:
        """Connect."""
        self.reader, self.writer = await asyncio.open_connection(self.host, self.port)

    async def post(self, path: str, body: object) -> tuple[int, Any]:
        """Return the status and the JSON of the reply.

        Raises RuntimeError for anything but 200, 201 and 204.
        """
        data = orjson.dumps(body)
        head = f"POST /api/v1/{path} HTTP/1.1\r\n{self.head}Content-Type: application/json\r\n"
        self.writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
        status, length = 0, 0
        for line in (await self.reader.readuntil(b"\r\n\r\n")).split(b"\r\n"):
            if line.startswith(b"HTTP/"):
                status = int(line.split()[1])
            elif line[:15].lower() == b"content-length:":
                length = int(line[15:])
        reply = await self.reader.readexactly(length)
        if status not in (200, 201, 204):
            raise RuntimeError(f"{path}: {status} {reply[:500]!r}")
        return status, orjson.loads(reply) if reply else None


def answer(stage: str, question: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return an answer that keeps all six stages busy.

    Links are answered by comparing words, everything else by chance.
    """
    if stage == "link":
        words = [s["text"] for c in question["captions"] for s in c["segments"] if s["mention"]]
        return {"same": words[0] == words[1]}
    if stage == "verification":
        return {"same": rng.random() < 0.9}
    if stage == "requirement":
        return {"requirement": rng.choice(("box", "box", "scene", "nobox"))}
    if stage == "quality":
        return {"good": rng.random() < 0.85}
    if stage == "coverage":
        return {"complete": rng.random() < 0.85}
    if question["boxes"]:
        return {"box": None}
    left, top = rng.randrange(500), rng.randrange(400)
    return {"box": [left, top, left + 80, top + 60]}


async def annotate(job: dict[str, Any], token: str, seed: int, figures: dict[str, Any]) -> None:
    """Work as one annotator until the job's time is over."""
    connection, rng = Connection(job["url"], token), random.Random(seed)
    await connection.open()
    while time.perf_counter() < figures["end"]:
        begin = time.perf_counter()
        status, page = await connection.post("assignments", {"stage": None})
        figures["claim"].append(time.perf_counter() - begin)
        if status == 204:
            figures["idle"] += 1
            await asyncio.sleep(0.05)
            continue
        path = f"assignments/{page['id']}"
        if job["give_back"]:
            await connection.post(f"{path}/return", {})
            continue
        answers = [
            {"item": item["item"], "answer": answer(page["stage"], item["question"], rng)}
            for item in page["items"]
        ]
        begin = time.perf_counter()
        _, receipt = await connection.post(f"{path}/submission", {"answers": answers})
        figures["submit"].append(time.perf_counter() - begin)
        figures["judgments"] += receipt["accepted"]
        figures["stages"][page["stage"]] = figures["stages"].get(page["stage"], 0) + receipt["accepted"]


async def load(job: dict[str, Any]) -> dict[str, Any]:
    """Run all annotators of the job at once. Returns latencies in seconds, and counts."""
    figures: dict[str, Any] = {"claim": [], "submit": [], "judgments": 0, "idle": 0, "stages": {}}
    figures["end"] = time.perf_counter() + job["seconds"]
    await asyncio.gather(*(annotate(job, token, n, figures) for n, token in enumerate(job["tokens"])))
    return figures


if __name__ == "__main__":
    sys.stdout.buffer.write(orjson.dumps(asyncio.run(load(orjson.loads(sys.stdin.buffer.read())))))
