"""The XML of a HIT's question, which is an external page, and the XML of the answers that the page posts."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit
from xml.sax.saxutils import escape

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from simulation.emulators.mturk.errors import ApiError, bad_value

_SCHEMAS = "http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas"
QUESTION = f"{_SCHEMAS}/2006-07-14/ExternalQuestion.xsd"
ANSWERS = f"{_SCHEMAS}/2005-10-01/QuestionFormAnswers.xsd"
MAX_BYTES = 65_535
NOT_AVAILABLE = "ASSIGNMENT_ID_NOT_AVAILABLE"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Question:
    url: str
    height: int  # of the frame in pixels; 0: as high as the window

    def address(self, **parameters: str) -> str:
        """Return the page's address, with the platform's parameters after its own."""
        parts = urlsplit(self.url)
        query = [*parse_qsl(parts.query, keep_blank_values=True), *parameters.items()]
        return parts._replace(query=urlencode(query)).geturl()


def parse(xml: str) -> Question:
    """Return the question. Raise ApiError unless it is an ExternalQuestion; others are not emulated."""
    if len(xml.encode()) > MAX_BYTES:
        raise bad_value(f"Question is longer than {MAX_BYTES} bytes.")
    try:
        root = fromstring(xml, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise ApiError("XMLParseError", f"There was an error parsing the XML question: {error}") from None
    wanted = [f"{{{QUESTION}}}{name}" for name in ("ExternalURL", "FrameHeight")]
    if root.tag != f"{{{QUESTION}}}ExternalQuestion" or [child.tag for child in root] != wanted:
        raise ApiError(
            "XMLParseError",
            "The question is not an ExternalQuestion with an ExternalURL and a FrameHeight.",
        )
    url, height = ((child.text or "").strip() for child in root)
    if not _is_secure(url):
        raise bad_value("ExternalURL has to be an https address.")
    if not re.fullmatch("[0-9]{1,5}", height):
        raise bad_value(f"FrameHeight cannot be {height!r}.")
    return Question(url, int(height))


def _is_secure(url: str) -> bool:
    """Return whether browsers show the page in the platform's https site: https, or http on this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme == "https":
        return bool(host)
    try:
        return parts.scheme == "http" and (host == "localhost" or ipaddress.ip_address(host).is_loopback)
    except ValueError:
        return False


def write_answers(fields: Iterable[tuple[str, str]]) -> str:
    """Return a QuestionFormAnswers document. Characters that XML does not allow are left out."""
    answers = "".join(
        f"<Answer><QuestionIdentifier>{_text(name)}</QuestionIdentifier><FreeText>{_text(value)}</FreeText></Answer>"
        for name, value in fields
    )
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><QuestionFormAnswers xmlns="{ANSWERS}">'
        f"{answers}</QuestionFormAnswers>"
    )


def _text(value: str) -> str:
    return escape(_NOT_XML.sub("", value))
