"""Calls of the API: finds the operation, checks the call by the service model, plays faults, and replies."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus
from typing import Any

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from simulation.emulators.mturk import lifecycle, notifications
from simulation.emulators.mturk.api import (
    assignments,
    hit_changes,
    hits,
    people,
    qualifications,
    queue,
    shapes,
)
from simulation.emulators.mturk.errors import (
    ApiError,
    InvalidRequestError,
    ServiceFaultError,
    SignatureError,
    ThrottlingError,
)
from simulation.emulators.mturk.faults import Fault, Kind, kill
from simulation.emulators.mturk.world import Account, Call, Input, Output, World

Handler = Callable[[World, Input], Output]

TARGETS = {"MTurkRequesterServiceV20170117": "mturk", "AmazonSQS": "sqs"}
CONTENT_TYPES = {"mturk": "application/x-amz-json-1.1", "sqs": "application/x-amz-json-1.0"}

OPERATIONS: Mapping[str, Mapping[str, Handler]] = {
    "mturk": {
        "AcceptQualificationRequest": qualifications.accept_request,
        "ApproveAssignment": assignments.approve,
        "AssociateQualificationWithWorker": qualifications.associate,
        "CreateAdditionalAssignmentsForHIT": hit_changes.add_assignments,
        "CreateHIT": hits.create,
        "CreateHITType": hits.create_type,
        "CreateHITWithHITType": hits.create_with_type,
        "CreateQualificationType": qualifications.create_type,
        "CreateWorkerBlock": people.block,
        "DeleteHIT": hit_changes.delete,
        "DeleteQualificationType": qualifications.delete_type,
        "DeleteWorkerBlock": people.unblock,
        "DisassociateQualificationFromWorker": qualifications.disassociate,
        "GetAccountBalance": assignments.balance,
        "GetAssignment": assignments.get,
        "GetFileUploadURL": assignments.refuse_upload,
        "GetHIT": hits.get,
        "GetQualificationScore": qualifications.get_score,
        "GetQualificationType": qualifications.get_type,
        "ListAssignmentsForHIT": assignments.list_for_hit,
        "ListBonusPayments": assignments.list_bonuses,
        "ListHITs": hits.list_all,
        "ListHITsForQualificationType": hits.list_for_qualification,
        "ListQualificationRequests": qualifications.list_requests,
        "ListQualificationTypes": qualifications.list_types,
        "ListReviewPolicyResultsForHIT": hits.list_policy_results,
        "ListReviewableHITs": hits.list_reviewable,
        "ListWorkerBlocks": people.list_blocks,
        "ListWorkersWithQualificationType": qualifications.list_holders,
        "NotifyWorkers": people.notify_workers,
        "RejectAssignment": assignments.reject,
        "RejectQualificationRequest": qualifications.reject_request,
        "SendBonus": assignments.send_bonus,
        "SendTestEventNotification": notifications.send_test,
        "UpdateExpirationForHIT": hit_changes.update_expiration,
        "UpdateHITReviewStatus": hit_changes.update_review_status,
        "UpdateHITTypeOfHIT": hit_changes.update_type,
        "UpdateNotificationSettings": notifications.update_settings,
        "UpdateQualificationType": qualifications.update_type,
    },
    "sqs": {
        "DeleteMessage": queue.delete,
        "DeleteMessageBatch": queue.delete_batch,
        "PurgeQueue": queue.purge,
        "ReceiveMessage": queue.receive,
        "SendMessage": queue.send,
    },
}


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def answer(world: World, target: str, headers: Message, address: str, body: bytes) -> Reply | None:
    """Return the reply to a call, or None if the connection is to be closed without a reply."""
    prefix, _, name = target.partition(".")
    service = TARGETS.get(prefix, "mturk")
    with world.changed:
        outcome, reply, performed, params = "ok", None, False, {}
        fault = world.faults.at_call(name, _identity(name, body))
        try:
            _check_signature(world.account, headers, address, body)
            params = _read(service, name, body)
            lifecycle.catch_up(world)
            _strike_before(fault)
            output = OPERATIONS[service][name](world, params)
            performed = True
            reply = _write(service, name, output)
        except _SilentError as silent:
            outcome = silent.args[0]
        except ApiError as error:
            outcome = error.code or error.kind
            reply = _refuse(service, error, world.now())
        except Exception as error:  # noqa: BLE001  # the emulator's own mistake: who runs it has to hear of it
            outcome = "broken"
            world.broken.append(f"{name}: {error!r}")
            reply = Reply(HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", repr(error).encode())
        if performed and fault and fault.kind in (Kind.TIMEOUT_AFTER, Kind.KILL_AFTER):
            outcome, reply = fault.kind.value, None
        world.calls.append(Call(len(world.calls) + 1, name, params, outcome, performed))
        if fault and fault.kind in (Kind.KILL_BEFORE, Kind.KILL_AFTER):
            kill(fault)
        return reply


def _identity(name: str, body: bytes) -> str:
    """Return a text that is the same for two calls that faults take for one.

    Receipts are left out, since a message has a new one each time it is delivered.
    """
    same = re.sub(rb'("ReceiptHandle": "[0-9A-Z]+)-[0-9]+', rb"\1", body)
    return hashlib.sha256(name.encode() + same).hexdigest()


class _SilentError(Exception):
    """There is no reply. The argument says why."""


def _strike_before(fault: Fault | None) -> None:
    match fault.kind if fault else None:
        case Kind.ERROR_BEFORE:
            raise ServiceFaultError
        case Kind.THROTTLE:
            raise ThrottlingError
        case Kind.KILL_BEFORE as kind:
            raise _SilentError(kind.value)
        case Kind.REFUSE:
            assert fault
            raise ApiError(fault.code or "InvalidParameterValue", "Refused, as the fault says.")


def _read(service: str, name: str, body: bytes) -> dict[str, Any]:
    """Return the parameters of a call. Raise ApiError if the service model does not allow them."""
    model = shapes.operation(service, name)
    if not model or not model.input_shape or name not in OPERATIONS[service]:
        raise ApiError("AWS.UnknownOperation", f"There is no operation {name}.")
    try:
        given = json.loads(body or b"{}")
    except ValueError:
        raise InvalidRequestError("The request is not JSON.") from None
    given = shapes.read_times(given, model.input_shape)
    wrong = shapes.faults_of(given, model.input_shape)
    if wrong:
        raise InvalidRequestError(wrong)
    return dict(given)


def _write(service: str, name: str, output: Output) -> Reply:
    model = shapes.operation(service, name)
    assert model
    shape = model.output_shape
    wrong = shapes.faults_of(output, shape) if shape else ""
    if wrong:
        raise AssertionError(wrong)
    body = json.dumps(shapes.write_times(output, shape) if shape else {}).encode()
    return Reply(HTTPStatus.OK, CONTENT_TYPES[service], body)


def _refuse(service: str, error: ApiError, now: float) -> Reply:
    return Reply(error.status, CONTENT_TYPES[service], json.dumps(error.body(now)).encode())


_FORM = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/[0-9]{8}/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request,"
    r" ?SignedHeaders=(?P<headers>[^,]+), ?Signature=(?P<signature>[0-9a-f]{64})"
)


def _check_signature(account: Account, headers: Message, address: str, body: bytes) -> None:
    """Raise SignatureError unless the request has the account's signature."""
    found = _FORM.fullmatch(headers.get("Authorization", ""))
    if not found:
        raise SignatureError("MissingAuthenticationTokenException", "The request has no AWS signature.")
    if found["key"] != account.key_id:
        raise SignatureError("UnrecognizedClientException", "The access key of the request is not known.")
    signed = {name: headers.get(name, "") for name in found["headers"].split(";")}
    request = AWSRequest(method="POST", url=address, headers=signed, data=body)
    request.context["timestamp"] = headers.get("X-Amz-Date", "")
    auth = SigV4Auth(Credentials(account.key_id, account.secret), found["service"], found["region"])
    text = auth.string_to_sign(request, auth.canonical_request(request))
    if not hmac.compare_digest(auth.signature(text, request), found["signature"]):
        raise SignatureError("InvalidSignatureException", "The signature of the request is wrong.")
