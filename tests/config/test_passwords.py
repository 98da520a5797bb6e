"""Which passwords researchers may choose."""

from __future__ import annotations

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError


@pytest.mark.parametrize("password", ["groundcrew1", "password1234", "qwertyuiop12", "a4-Kd_9wQ.x", ""])
def test_weak_passwords_are_refused(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password)


def test_a_sentence_is_a_password() -> None:
    validate_password("red kites over the hill")
