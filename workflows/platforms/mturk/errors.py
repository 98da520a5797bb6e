"""Mechanical Turk's and botocore's errors as provider errors."""

from __future__ import annotations

from botocore.exceptions import BotoCoreError, ClientError, ParamValidationError

from workflows.platforms.provider import (
    NoFundsError,
    NotLetInError,
    ProviderError,
    RefusedError,
    UnavailableError,
    UnknownObjectError,
)

ALREADY_THERE = "HITAlreadyExists"
INVALID_STATE = "InvalidAssignmentState"
FEE_WOULD_CHANGE = "InvalidMaximumAssignmentsIncrease"
SAME_REQUEST = "DuplicateRequest"
NOT_HELD = frozenset({"QualificationDoesNotExist", "InvalidQualificationState", "WorkerDoesNotExist"})
"""Codes that say that a worker does not have a qualification."""

_LATER = frozenset(
    {
        "ServiceFault",
        "Throttling",
        "ThrottlingException",
        "ThrottledException",
        "RequestLimitExceeded",
        "RequestThrottled",
        "RequestThrottledException",
        "TooManyRequestsException",
        "SlowDown",
        "InternalFailure",
        "InternalError",
        "InternalServerError",
        "ServiceUnavailable",
        "RequestTimeout",
        "RequestTimeoutException",
    }
)
# These are about the account or this machine's clock, not about what was asked. Once that is put right, the
# call will work, so what was ordered must not be given up.
_NOT_LET_IN = frozenset(
    {
        "AccessDenied",
        "AccessDeniedException",
        "ExpiredToken",
        "ExpiredTokenException",
        "IncompleteSignature",
        "InvalidClientTokenId",
        "InvalidSignatureException",
        "MissingAuthenticationToken",
        "MissingAuthenticationTokenException",
        "NotAuthorized",
        "OptInRequired",
        "RequestExpired",
        "SignatureDoesNotMatch",
        "UnrecognizedClientException",
    }
)


def error_of(error: ClientError | BotoCoreError) -> ProviderError:
    """Return the provider error that stands for one of botocore's.

    Its `code` is the last part of TurkErrorCode, such as HITDoesNotExist, or the exception's name.
    """
    if isinstance(error, ParamValidationError):
        return RefusedError(str(error), code="ParamValidation")
    if isinstance(error, BotoCoreError):
        name = type(error).__name__
        return UnavailableError(f"No answer from Mechanical Turk ({name}).", code=name)
    return _error_of(error)


def _error_of(error: ClientError) -> ProviderError:
    reply = error.response
    kind = str(reply.get("Error", {}).get("Code", ""))
    status = reply.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    message = str(reply.get("Error", {}).get("Message") or reply.get("Message") or kind)
    code = str(reply.get("TurkErrorCode") or kind).rpartition(".")[2]
    if kind in _NOT_LET_IN or code in _NOT_LET_IN:
        return NotLetInError(
            f"Mechanical Turk does not let us in: check GROUNDCREW_MTURK_KEY_ID, its secret and rights, and "
            f"this machine's clock. {message}",
            code=code,
        )
    if kind in _LATER or code in _LATER or status >= 500 or status == 429:
        return UnavailableError(message, code=code)
    if code == "InsufficientFunds":
        return NoFundsError(message, code=code)
    if code.endswith("DoesNotExist") and code not in NOT_HELD:
        return UnknownObjectError(message, code=code)
    return RefusedError(message, code=code)
