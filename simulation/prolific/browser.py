"""What the participant's browser sees, and what a test in another process turns: plain pages and JSON.

/participants/<id>                         the studies this participant could take; remembers who it is
/participants/<id>/studies/<study>/start   takes a place, and goes to the study's page
/submissions/complete?cc=<code>            where the study's page sends the browser back to
/emulator/books|clock|faults|deliver       JSON; the last three by POST
"""

from __future__ import annotations

import html
import json
import re
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, parse_qs

from simulation.prolific.errors import MissingError
from simulation.prolific.faults import FaultError, read_fault
from simulation.prolific.requests import Reply

if TYPE_CHECKING:
    from simulation.prolific.server import Emulator

PARTICIPANT = re.compile(r"/participants/(?P<who>[0-9A-Za-z-]+)(/studies/(?P<study>[0-9A-Za-z-]+)/start)?/?")
COOKIE = "participant"


def answer(
    emulator: Emulator, method: str, parts: SplitResult, headers: dict[str, str], content: bytes
) -> Reply:
    """Raises RefusalError."""
    if parts.path.startswith("/emulator/"):
        return _control(emulator, method, parts.path.removeprefix("/emulator/").strip("/"), content)
    if parts.path.rstrip("/") == "/submissions/complete":
        query = parse_qs(parts.query)
        cookies = SimpleCookie(headers.get("cookie", ""))
        remembered = cookies[COOKIE].value if COOKIE in cookies else ""
        who = query.get("participant", [remembered])[0]
        emulator.participants.complete_by(who, query.get("cc", [""])[0])
        return _page("Thank you", f'<p><a href="/participants/{html.escape(who)}">More studies</a></p>')
    found = PARTICIPANT.fullmatch(parts.path)
    if not found:
        raise MissingError("The page")
    cookie = {"Set-Cookie": f"{COOKIE}={found['who']}; Path=/; SameSite=Lax; HttpOnly"}
    if found["study"]:
        started = emulator.participants.start(found["study"], found["who"])
        return Reply(302, b"", {"Location": started.url, **cookie})
    links = "".join(
        f'<li><a href="/participants/{found["who"]}/studies/{study.id}/start">'
        f"{html.escape(study.fields['name'])}</a></li>"
        for study in emulator.participants.studies(found["who"])
    )
    return _page("Studies", f"<ul>{links}</ul>", cookie)


def _control(emulator: Emulator, method: str, what: str, content: bytes) -> Reply:
    world = emulator.world
    given: Any = json.loads(content) if content else {}
    match method, what:
        case "GET", "books":
            paid = {kind: world.books.paid(kind) for kind in ("reward", "bonus")}
            fees = sum(one.fee for one in world.books.entries)
            totals = {"total": world.books.total, "available": world.available, "reserved": world.reserved()}
            return Reply(body={**totals, **paid, "fees": fees, "currency": world.books.currency})
        case "POST", "clock":
            world.clock.advance(float(given["seconds"]))
            return Reply(204)
        case "POST", "faults":
            try:
                world.faults.planned = [read_fault(text) for text in given["faults"]]
            except FaultError as error:
                return Reply(400, {"error": str(error)})
            return Reply(204)
        case "POST", "deliver":
            return Reply(body={"taken": emulator.hooks.deliver()})
    raise MissingError("The page")


def _page(title: str, body: str, headers: dict[str, str] | None = None) -> Reply:
    text = f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{body}"
    return Reply(200, text.encode(), headers or {})
