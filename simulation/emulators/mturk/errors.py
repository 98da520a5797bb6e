"""Errors in the form of the API: AWS JSON 1.1, with the platform's own code for programs."""

from __future__ import annotations

from http import HTTPStatus


class ApiError(Exception):
    """A call is refused. boto3 makes an exception of `kind`; `code` is in TurkErrorCode."""

    kind = "RequestError"
    status = HTTPStatus.BAD_REQUEST

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code if not code or code.startswith("AWS.") else f"AWS.MechanicalTurk.{code}"
        self.message = message

    def body(self, now: float) -> dict[str, str]:
        """Return the error's JSON.

        As on the real platform, messages end with the time, so they all differ.
        """
        body = {"__type": self.kind, "Message": f"{self.message} ({int(now * 1000)} s)"}
        return {**body, "TurkErrorCode": self.code} if self.code else body


class ServiceFaultError(ApiError):
    """The service cannot do this now."""

    kind = "ServiceFault"
    status = HTTPStatus.INTERNAL_SERVER_ERROR

    def __init__(self) -> None:
        super().__init__("AWS.ServiceUnavailable", "The service is temporarily unavailable. Try again later.")


class ThrottlingError(ApiError):
    kind = "ThrottlingException"

    def __init__(self) -> None:
        super().__init__("", "Rate exceeded")


class SignatureError(ApiError):
    """The caller is not known."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__("", message)
        self.kind = kind


class InvalidRequestError(ApiError):
    """The service model does not allow the request."""

    kind = "ParameterValidationError"

    def __init__(self, message: str) -> None:
        super().__init__("AWS.ParameterValidationError", message)


class QueueError(ApiError):
    """An error of the queue's API, whose codes have another form."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__("", message)
        self.kind = kind


def no_such(what: str, named: str) -> ApiError:
    return ApiError(f"{what}DoesNotExist", f"{what} {named} does not exist.")


def bad_value(message: str) -> ApiError:
    return ApiError("InvalidParameterValue", message)
