"""The worker's side as pages in a browser: sign in, list HITs, preview, accept, work, submit, return."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from http import HTTPStatus
from urllib.parse import urlencode

from simulation.emulators.mturk import lifecycle, money, question
from simulation.emulators.mturk.api.dispatch import Reply
from simulation.emulators.mturk.errors import ApiError, no_such
from simulation.emulators.mturk.state import Status
from simulation.emulators.mturk.workers import actions as worker_actions
from simulation.emulators.mturk.world import World

_STYLE = (
    "body{font:16px/1.5 sans-serif;margin:0 auto;max-width:1100px;padding:0 16px}"
    "iframe{border:1px solid #767676;width:100%}form{display:inline}"
    ".bar{align-items:center;display:flex;flex-wrap:wrap;gap:8px 16px;padding:8px 0}"
    "button{font:inherit;min-height:44px;padding:0 16px}"
)
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    # The page itself needs no script. The frame may be of any site, since the question says which.
    "Content-Security-Policy": (
        f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; frame-src *; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def show(world: World, path: str, query: dict[str, str]) -> Reply:
    pages = {"/": _sign_in, "/worker": _list, "/mturk/preview": _preview, "/mturk/work": _work}
    if path not in pages:
        return _page("Not found", "<p>There is no such page.</p>", HTTPStatus.NOT_FOUND)
    with world.changed:
        lifecycle.catch_up(world)
        try:
            return pages[path](world, query)
        except ApiError as error:
            return _refusal(error)


def post(world: World, path: str, fields: Sequence[tuple[str, str]]) -> Reply:
    acts = {"/mturk/externalSubmit": _submit, "/mturk/accept": _accept, "/mturk/return": _return}
    if path not in acts:
        return _page("Not found", "<p>There is no such page.</p>", HTTPStatus.NOT_FOUND)
    with world.changed:
        lifecycle.catch_up(world)
        try:
            return acts[path](world, fields)
        except ApiError as error:
            return _refusal(error)


def _sign_in(world: World, query: dict[str, str]) -> Reply:
    return _page(
        "Sign in as a worker",
        '<form action="/worker"><label>Worker ID <input name="workerId" required pattern="A[A-Z0-9]{1,63}">'
        "</label> <button>Sign in</button></form>",
    )


def _list(world: World, query: dict[str, str]) -> Reply:
    worker = worker_actions.known(query.get("workerId", ""))
    rows = "".join(
        "<tr><td>{title}</td><td>${reward}</td><td>{count}</td><td>{preview}</td><td>{accept}</td></tr>".format(
            title=escape(hit_type.title),
            reward=money.to_dollars(hit_type.reward),
            count=len(hits),
            preview=_link("/mturk/preview", "Preview", workerId=worker, hitId=hits[0].id),
            accept=_button("/mturk/accept", "Accept", workerId=worker, groupId=hit_type.group_id),
        )
        for hit_type, hits in worker_actions.groups(world, worker)
    )
    head = "<tr><th>HIT group</th><th>Reward</th><th>HITs</th><th></th><th></th></tr>"
    at_work = "".join(
        f"<li>{_link('/mturk/work', one.id, workerId=worker, assignmentId=one.id)}</li>"
        for one in world.state.assignments.values()
        if one.worker == worker and one.status == Status.PENDING
    )
    table = f"<table>{head}{rows}</table>" if rows else "<p>There are no HITs for you now.</p>"
    queue = f"<h2>Your HITs queue</h2><ul>{at_work}</ul>" if at_work else ""
    return _page(f"HITs for {worker}", table + queue)


def _preview(world: World, query: dict[str, str]) -> Reply:
    worker = worker_actions.known(query.get("workerId", ""))
    hit = worker_actions.preview(world, worker, query.get("hitId", ""))
    bar = _button("/mturk/accept", "Accept", workerId=worker, hitId=hit.id)
    frame = _frame(hit.question, worker_actions.preview_address(world, hit))
    return _page(
        f"Preview: {lifecycle.type_of(world.state, hit).title}", f'<div class="bar">{bar}</div>{frame}'
    )


def _work(world: World, query: dict[str, str]) -> Reply:
    worker = worker_actions.known(query.get("workerId", ""))
    one = world.state.assignments.get(query.get("assignmentId", ""))
    if not one or one.worker != worker or one.status != Status.PENDING:
        raise no_such("Assignment", query.get("assignmentId", "") or "(none)")
    hit = world.state.hits[one.hit_id]
    back = _button("/mturk/return", "Return", workerId=worker, assignmentId=one.id)
    left = max(0, int(one.deadline - world.now()))
    bar = f'<div class="bar"><span>{left // 60} minutes left</span>{back}</div>'
    title = lifecycle.type_of(world.state, hit).title
    return _page(title, bar + _frame(hit.question, worker_actions.page_address(world, one)))


def _accept(world: World, fields: Sequence[tuple[str, str]]) -> Reply:
    form = dict(fields)
    worker = worker_actions.known(form.get("workerId", ""))
    one = worker_actions.accept(world, worker, hit_id=form.get("hitId", ""), group_id=form.get("groupId", ""))
    return _go("/mturk/work", workerId=worker, assignmentId=one.id)


def _return(world: World, fields: Sequence[tuple[str, str]]) -> Reply:
    form = dict(fields)
    worker = worker_actions.known(form.get("workerId", ""))
    worker_actions.give_back(world, worker, form.get("assignmentId", ""))
    return _go("/worker", workerId=worker)


def _submit(world: World, fields: Sequence[tuple[str, str]]) -> Reply:
    """Submit what the page in the frame posts.

    As on the real platform, it only has to name the assignment.
    """
    named = [value for name, value in fields if name == "assignmentId"]
    answers = [(name, value) for name, value in fields if name != "assignmentId"]
    one = worker_actions.submit(world, named[0] if named else "", answers)
    more = _link("/worker", "Go on to more HITs", top=True, workerId=one.worker)
    return _page("Submitted", f"<p>Thank you. Your work was submitted.</p><p>{more}</p>")


def _frame(xml: str, address: str) -> str:
    height = question.parse(xml).height or 800
    return f'<iframe title="HIT" name="hit" height="{height}" src="{escape(address)}"></iframe>'


def _link(path: str, text: str, *, top: bool = False, **query: str) -> str:
    target = ' target="_top"' if top else ""
    return f'<a href="{escape(path + "?" + urlencode(query))}"{target}>{escape(text)}</a>'


def _button(path: str, text: str, **fields: str) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in fields.items()
    )
    return f'<form method="post" action="{escape(path)}">{hidden}<button>{escape(text)}</button></form>'


def _go(path: str, **query: str) -> Reply:
    return Reply(HTTPStatus.SEE_OTHER, "text/html", b"", {"Location": f"{path}?{urlencode(query)}"})


def _refusal(error: ApiError) -> Reply:
    return _page("This is not possible", f"<p>{escape(error.message)}</p>", error.status)


def _page(title: str, body: str, status: int = HTTPStatus.OK) -> Reply:
    text = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><main><h1>{escape(title)}</h1>{body}</main></body></html>"
    )
    return Reply(status, "text/html; charset=utf-8", text.encode(), _HEADERS)
