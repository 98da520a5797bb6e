"""What errors have in common that name the field they are about."""

from __future__ import annotations


class FieldError(Exception):
    """`field` is wrong ("": no field alone), and `message` says why. The text is the message."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


class NamedFieldError(FieldError, ValueError):
    """A value is wrong. The text begins with the name of its field, if it is one field's."""

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message
