"""The calls of the queue service that are needed to read notifications.

Messages are delivered at least once, in any order. A message that is not deleted comes again after its
visibility timeout, with a new receipt.
"""

from __future__ import annotations

import hashlib
from urllib.parse import urlsplit

from simulation.emulators.mturk.errors import QueueError
from simulation.emulators.mturk.state import Message
from simulation.emulators.mturk.world import Input, Output, World

VISIBILITY = 30.0  # seconds
RETENTION = 4 * 86_400.0  # seconds
_MAX_WAIT = 20.0
_STEP = 0.05


def enqueue(world: World, queue: str, body: str, *, delay: float = 0.0) -> Message:
    now = world.now()
    message = Message(world.state.new_id(), _name(queue), body, sent=now, visible=now + delay)
    world.state.messages[message.id] = message
    world.changed.notify_all()
    return message


def send(world: World, given: Input) -> Output:
    message = enqueue(world, given["QueueUrl"], given["MessageBody"], delay=given.get("DelaySeconds", 0))
    return {"MessageId": message.id, "MD5OfMessageBody": _md5(message.body)}


def receive(world: World, given: Input) -> Output:
    most = given.get("MaxNumberOfMessages", 1)
    if not 1 <= most <= 10:
        raise QueueError("InvalidParameterValue", "MaxNumberOfMessages has to be from 1 to 10.")
    patience = float(min(given.get("WaitTimeSeconds", 0), _MAX_WAIT))
    found = _waiting(world, given["QueueUrl"], most)
    while not found and patience > 0:  # other calls are answered meanwhile
        world.changed.wait(_STEP)
        patience -= _STEP
        found = _waiting(world, given["QueueUrl"], most)
    for message in found:
        message.deliveries += 1
        message.receipt = f"{message.id}-{message.deliveries}"
        message.visible = world.now() + given.get("VisibilityTimeout", VISIBILITY)
    counted = bool({"All", "ApproximateReceiveCount"} & set(_asked(given)))
    return {"Messages": [_told(message, counted=counted) for message in found]} if found else {}


def delete(world: World, given: Input) -> Output:
    """Delete a message. An old or unknown receipt deletes nothing, without an error."""
    _delete(world, given["ReceiptHandle"])
    return {}


def delete_batch(world: World, given: Input) -> Output:
    for entry in given["Entries"]:
        _delete(world, entry["ReceiptHandle"])
    return {"Successful": [{"Id": entry["Id"]} for entry in given["Entries"]], "Failed": []}


def purge(world: World, given: Input) -> Output:
    name = _name(given["QueueUrl"])
    kept = {key: message for key, message in world.state.messages.items() if message.queue != name}
    world.state.messages = kept
    return {}


def _delete(world: World, receipt: str) -> None:
    message = world.state.messages.get(receipt.partition("-")[0])
    if message and message.receipt == receipt:
        del world.state.messages[message.id]


def _waiting(world: World, queue: str, most: int) -> list[Message]:
    now, name = world.now(), _name(queue)
    for key in [key for key, one in world.state.messages.items() if one.sent + RETENTION <= now]:
        del world.state.messages[key]
    found = [one for one in world.state.messages.values() if one.queue == name and one.visible <= now]
    return found[:most]


def _asked(given: Input) -> list[str]:
    return [*given.get("AttributeNames", ()), *given.get("MessageSystemAttributeNames", ())]


def _told(message: Message, *, counted: bool) -> dict[str, object]:
    shape: dict[str, object] = {
        "MessageId": message.id,
        "ReceiptHandle": message.receipt,
        "MD5OfBody": _md5(message.body),
        "Body": message.body,
    }
    if counted:
        shape["Attributes"] = {"ApproximateReceiveCount": str(message.deliveries)}
    return shape


def _name(queue: str) -> str:
    """Return a queue's name, which is the path of its address, whatever the host."""
    return urlsplit(queue).path


def _md5(body: str) -> str:
    return hashlib.md5(body.encode(), usedforsecurity=False).hexdigest()
