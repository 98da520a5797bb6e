"""The brokers for Celery: the embedded default's, whose messages are files in one folder, and Redis.

kombu's file transport opens a message (or the table of an exchange's queues) under its final name and then
writes it. A process that reads the folder at that moment finds an empty file and stops. Here files appear
complete or not at all.

kombu's transport for Redis may close a channel after its connection. If the channel holds messages, that was
an AttributeError, which ended the Celery worker when Redis died. And it ended a worker that started while
the memory of Redis was full, also if it was full of messages that only this worker could take.
"""

from __future__ import annotations

import fcntl
import logging
import os
import uuid
from contextlib import suppress
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any, cast

from kombu.transport import filesystem, redis
from kombu.utils.json import dumps, loads
from redis.exceptions import ConnectionError as RedisAway
from redis.exceptions import OutOfMemoryError

logger = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """Reads and writes `<time>_<uuid>.<queue>.msg` in one folder, oldest first."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for folder in (self.data_folder_in, self.control_folder):
            Path(folder).mkdir(parents=True, exist_ok=True)

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str) -> None:
        entry = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        self.get_table(exchange)  # refuses a name that leads out of the folder
        path = Path(self.control_folder, f"{exchange}.exchange")
        with path.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            table = self.get_table(exchange)
            if entry not in table:
                aside = path.with_suffix(".new")
                aside.write_bytes(dumps([entry, *table]).encode())
                aside.rename(path)

    # The published types call the message by two names in two base classes; kombu passes it by position.
    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:  # type: ignore[override]
        name = f"{monotonic_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        final = Path(self.data_folder_out, name)
        aside = final.with_suffix(".new")
        aside.write_bytes(dumps(message).encode())
        aside.rename(final)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        ending = f".{queue}.msg"
        for name in sorted(entry for entry in os.listdir(self.data_folder_in) if entry.endswith(ending)):
            message = Path(self.data_folder_in, name)
            taken = message.with_suffix(".taken")
            try:
                message.rename(taken)
            except FileNotFoundError:
                continue  # another worker took it first
            payload = taken.read_bytes()
            taken.unlink()
            return loads(payload)
        raise Empty


class Transport(filesystem.Transport):
    """kombu's file transport with the channel above."""

    Channel = Channel

    # Celery checks between two calls whether it should stop, and then calls once more. With its two seconds a
    # call, a worker would take up to four to begin to stop. The published types lack the timeout.
    def drain_events(self, connection: Any, timeout: float | None = None) -> Any:  # type: ignore[override]
        return super().drain_events(connection, timeout=timeout and min(timeout, 0.3))


class RedisQoS(redis.QoS):
    """Takes messages also while the memory of Redis is full, perhaps of these messages.

    Redis then keeps no copy of a message that is in work. If its worker dies, the sweep finds what it was
    about.
    """

    def append(self, message: Any, delivery_tag: str) -> None:
        try:
            super().append(message, delivery_tag)
        except OutOfMemoryError:
            super(redis.QoS, self).append(message, delivery_tag)

    def restore_visible(self, *args: Any, **kwargs: Any) -> None:
        """Deliver messages again that dead workers held, unless there is no room for them."""
        with suppress(OutOfMemoryError):
            super().restore_visible(*args, **kwargs)


class RedisChannel(redis.Channel):
    """A channel that kombu may use after it, or its connection, was closed because Redis died.

    kombu then sends the message by another channel. Messages that this one held are lost: the sweep finds
    what they were about.
    """

    QoS = RedisQoS

    def _connparams(self, asynchronous: bool = False) -> Any:
        connection = cast(Any, self.connection)  # the types lack that close() leaves None
        if connection is None or connection.client is None:
            raise RedisAway("this channel or its connection is closed")  # kombu expects this one
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]  # the types lack it

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str) -> None:
        """Note where messages for the queue go. If Redis is full, who sends the next message notes it."""
        try:
            super()._queue_bind(exchange, routing_key, pattern, queue)  # type: ignore[misc]  # the types lack it
        except OutOfMemoryError:
            logger.warning("the memory of Redis is full: the queue %s is used as it is", queue)


class RedisTransport(redis.Transport):
    """kombu's transport for Redis with the channel above."""

    Channel = RedisChannel
