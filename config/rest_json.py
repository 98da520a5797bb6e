"""JSON of the API's requests and replies, by orjson, which is much faster than the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

import orjson
from django.conf import settings
from django.utils.functional import Promise
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer


class BodyTooLarge(APIException):
    """The request's body is over `DATA_UPLOAD_MAX_MEMORY_SIZE`, which REST framework does not check."""

    status_code = 413
    default_detail = "The request is too large."
    default_code = "body_too_large"


class JSONParser(BaseParser):
    """Parses a request's body. Raises ParseError with the line and column, or BodyTooLarge."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise BodyTooLarge(f"The request is over the limit of {limit} bytes.")
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError as error:
            raise ParseError(f"The request is not JSON: {error}.") from error


def _text(value: object) -> str:
    """Return the text of a lazily translated string, which orjson does not know."""
    if isinstance(value, Promise):
        return str(value)
    raise TypeError(f"a reply cannot hold a {type(value).__name__}")


class JSONRenderer(BaseRenderer):
    """Renders a reply as UTF-8. Lazy strings become text; any other unknown object is an error."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if data is None:
            return b""
        return orjson.dumps(data, default=_text, option=orjson.OPT_NON_STR_KEYS)
