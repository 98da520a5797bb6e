"""Errors of Amazon and of botocore as the typed errors of a provider."""

from __future__ import annotations

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ParamValidationError,
    ReadTimeoutError,
)

from workflows.platforms.mturk.errors import error_of
from workflows.platforms.provider import (
    NoFundsError,
    NotLetInError,
    RefusedError,
    UnavailableError,
    UnknownObjectError,
)


def told(kind: str, turk: str = "", status: int = 400) -> ClientError:
    reply = {
        "Error": {"Code": kind, "Message": "words (1700000000000 s)"},
        "ResponseMetadata": {"HTTPStatusCode": status},
        **({"TurkErrorCode": turk} if turk else {}),
    }
    return ClientError(reply, "CreateHIT")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("error", "meant", "code"),
    [
        (told("RequestError", "AWS.MechanicalTurk.InsufficientFunds"), NoFundsError, "InsufficientFunds"),
        (told("RequestError", "AWS.MechanicalTurk.HITDoesNotExist"), UnknownObjectError, "HITDoesNotExist"),
        (
            told("RequestError", "AWS.MechanicalTurk.QualificationDoesNotExist"),
            RefusedError,
            "QualificationDoesNotExist",
        ),
        (told("RequestError", "AWS.MechanicalTurk.HITAlreadyExists"), RefusedError, "HITAlreadyExists"),
        (told("RequestError"), RefusedError, "RequestError"),
        (told("ServiceFault", "AWS.ServiceUnavailable", 500), UnavailableError, "ServiceUnavailable"),
        (told("ThrottlingException"), UnavailableError, "ThrottlingException"),
        (told("Whatever", status=503), UnavailableError, "Whatever"),
        (told("Whatever", status=429), UnavailableError, "Whatever"),
        *(
            (told(kind, status=status), NotLetInError, kind)
            for kind, status in (
                ("InvalidSignatureException", 400),
                ("UnrecognizedClientException", 400),
                ("AccessDeniedException", 400),
                ("AccessDenied", 403),
                ("ExpiredTokenException", 403),
            )
        ),
        (ParamValidationError(report="Reward: …"), RefusedError, "ParamValidation"),
        (ConnectTimeoutError(endpoint_url="https://x"), UnavailableError, "ConnectTimeoutError"),
        (ReadTimeoutError(endpoint_url="https://x"), UnavailableError, "ReadTimeoutError"),
        (EndpointConnectionError(endpoint_url="https://x"), UnavailableError, "EndpointConnectionError"),
    ],
)
def test_an_error(error: ClientError | BotoCoreError, meant: type[Exception], code: str) -> None:
    typed = error_of(error)
    assert type(typed) is meant
    assert typed.code == code


def test_an_account_that_is_not_let_in_says_what_to_see_to() -> None:
    said = str(error_of(told("UnrecognizedClientException")))
    assert "GROUNDCREW_MTURK_KEY_ID" in said and "clock" in said
