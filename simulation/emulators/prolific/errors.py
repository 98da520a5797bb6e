"""Errors in the form of Prolific's."""

from __future__ import annotations

from typing import Any

# The reference names no codes. Ours begin like those that were published.
CODES = {
    400: 140000,
    401: 140001,
    403: 140003,
    404: 140004,
    405: 140005,
    429: 140029,
    500: 150000,
    502: 150002,
}
TITLES = {
    400: "Bad request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    429: "Too many requests",
    500: "Internal server error",
    502: "Bad gateway",
}


class RefusalError(Exception):
    """A request is refused. `detail` is a text, a list of texts, or texts by field."""

    def __init__(self, status: int, detail: str | list[str] | dict[str, list[str]]) -> None:
        super().__init__(str(detail))
        self.status = status
        self.detail = detail

    def body(self) -> dict[str, Any]:
        return {
            "error": {
                "status": self.status,
                "error_code": CODES[self.status],
                "title": TITLES[self.status],
                "detail": self.detail,
                "additional_information": "",
                "interactive": False,
            }
        }


class MissingError(RefusalError):
    def __init__(self, what: str) -> None:
        super().__init__(404, f"{what} was not found.")
