"""Errors as the API tells them: AWS JSON 1.1, with the platform's own code for a programme to read."""

from __future__ import annotations

from http import HTTPStatus


class ApiError(Exception):
    """Refuses a call. `kind` is what boto3 makes an exception of, `code` stands in TurkErrorCode."""

    kind = "RequestError"
    status = HTTPStatus.BAD_REQUEST

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code if not code or code.startswith("AWS.") else f"AWS.MechanicalTurk.{code}"
        self.message = message

    def body(self, now: float) -> dict[str, str]:
        """Return the time at the end of the message is the real one's habit: nobody may compare messages."""
        told = {"__type": self.kind, "Message": f"{self.message} ({int(now * 1000)} s)"}
        return {**told, "TurkErrorCode": self.code} if self.code else told


class ServiceFaultError(ApiError):
    """The service could not do it now."""

    kind = "ServiceFault"
    status = HTTPStatus.INTERNAL_SERVER_ERROR

    def __init__(self) -> None:
        super().__init__("AWS.ServiceUnavailable", "The service is temporarily unavailable. Try again later.")


class ThrottlingError(ApiError):
    kind = "ThrottlingException"

    def __init__(self) -> None:
        super().__init__("", "Rate exceeded")


class SignatureError(ApiError):
    """Who calls is not known."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__("", message)
        self.kind = kind


class InvalidRequestError(ApiError):
    """Shapes: what the service model does not allow."""

    kind = "ParameterValidationError"

    def __init__(self, message: str) -> None:
        super().__init__("AWS.ParameterValidationError", message)


class QueueError(ApiError):
    """Of the queue's API, whose codes have another form."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__("", message)
        self.kind = kind


def no_such(what: str, named: str) -> ApiError:
    return ApiError(f"{what}DoesNotExist", f"{what} {named} does not exist.")


def bad_value(message: str) -> ApiError:
    return ApiError("InvalidParameterValue", message)
