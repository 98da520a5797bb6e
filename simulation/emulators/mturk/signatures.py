"""Checks who calls: a request's signature (AWS version 4) is computed again with the account's secret.

Its time is not checked, since the emulator's clock can be moved.
"""

from __future__ import annotations

import hmac
import re
from email.message import Message

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from simulation.emulators.mturk.errors import SignatureError
from simulation.emulators.mturk.world import Account

_FORM = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/[0-9]{8}/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request,"
    r" ?SignedHeaders=(?P<headers>[^,]+), ?Signature=(?P<signature>[0-9a-f]{64})"
)


def check(account: Account, headers: Message, address: str, body: bytes) -> None:
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
