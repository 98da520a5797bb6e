"""The participant's side as plain pages in a browser.

/participants/<id>                         the studies this participant could take; remembers who it is
/participants/<id>/studies/<study>/start   takes a place, and goes to the study's page
/participants/<id>/submissions/<…>/open    goes to the study's page again
/participants/<id>/submissions/<…>/return  gives it back
/submissions/complete?cc=<code>            where the study's page sends the browser back to
"""

from __future__ import annotations

import html
import re
from http.cookies import SimpleCookie
from urllib.parse import SplitResult, parse_qs

from simulation.emulators.prolific.errors import MissingError
from simulation.emulators.prolific.participants import Participants
from simulation.emulators.prolific.requests import Reply

_ID = "[0-9A-Za-z-]+"
PARTICIPANT = re.compile(
    rf"/participants/(?P<who>{_ID})"
    rf"(/studies/(?P<study>{_ID})/start|/submissions/(?P<submission>{_ID})/(?P<do>open|return))?/?"
)
COOKIE = "participant"


def answer(participants: Participants, parts: SplitResult, headers: dict[str, str]) -> Reply:
    """Return the page for a request. Raise RefusalError if the platform refuses it."""
    if parts.path.rstrip("/") == "/submissions/complete":
        query = parse_qs(parts.query)
        cookies = SimpleCookie(headers.get("cookie", ""))
        remembered = cookies[COOKIE].value if COOKIE in cookies else ""
        who = query.get("participant", [remembered])[0]
        participants.complete_by(who, query.get("cc", [""])[0])
        return _page("Thank you", f'<p><a href="/participants/{html.escape(who)}">More studies</a></p>')
    found = PARTICIPANT.fullmatch(parts.path)
    if not found:
        raise MissingError("The page")
    cookie = {"Set-Cookie": f"{COOKIE}={found['who']}; Path=/; SameSite=Lax; HttpOnly"}
    if found["study"]:
        started = participants.start(found["study"], found["who"])
        return Reply(302, b"", {"Location": started.url, **cookie})
    if found["do"] == "open":
        return Reply(302, b"", {"Location": participants.url_of(found["submission"]), **cookie})
    if found["submission"]:
        participants.give_back(found["submission"])
        return Reply(302, b"", {"Location": f"/participants/{found['who']}", **cookie})
    links = "".join(
        f'<li><a href="/participants/{found["who"]}/studies/{study.id}/start">'
        f"{html.escape(study.fields['name'])}</a></li>"
        for study in participants.studies(found["who"])
    )
    at_work = "".join(
        f'<a href="/participants/{found["who"]}/submissions/{one.id}/open">Go on with {one.id}</a> '
        f'<form method="post" action="/participants/{found["who"]}/submissions/{one.id}/return">'
        f"<button>Return {one.id}</button></form>"
        for one in participants.at_work(found["who"])
    )
    return _page("Studies", f"<ul>{links}</ul>{at_work}", cookie)


def _page(title: str, body: str, headers: dict[str, str] | None = None) -> Reply:
    text = f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{body}"
    return Reply(200, text.encode(), headers or {})
