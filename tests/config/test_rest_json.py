from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import ErrorDetail, ParseError

from config.rest_json import BodyTooLarge, JSONParser, JSONRenderer


def parse(body: bytes) -> Any:
    return JSONParser().parse(BytesIO(body))


def test_json_is_parsed() -> None:
    assert parse('{"comment": "größer", "seconds": 4.5}'.encode()) == {"comment": "größer", "seconds": 4.5}


@pytest.mark.parametrize("body", [b"", b"{", b'{"seconds": NaN}', b'"\xff"', b"[" * 5000])
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with pytest.raises(ParseError, match=r"The request is not JSON: .+"):
        parse(body)


def test_a_body_over_the_limit_is_refused_before_it_is_parsed(settings: LazySettings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert parse(b'"12345678"') == "12345678"
    with pytest.raises(BodyTooLarge, match="over the limit of 10 bytes") as caught:
        parse(b'"123456789"')
    assert caught.value.status_code == 413


def test_errors_and_lazy_texts_are_rendered() -> None:
    data = {"detail": ErrorDetail("no", code="n"), "name": gettext_lazy("page")}
    assert JSONRenderer().render(data) == b'{"detail":"no","name":"page"}'


def test_no_data_is_no_body() -> None:
    assert JSONRenderer().render(None) == b""


def test_an_unknown_object_is_an_error_rather_than_its_name() -> None:
    with pytest.raises(TypeError):
        JSONRenderer().render({"file": object()})
