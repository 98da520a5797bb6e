"""Who may do what under /admin/: one table, which has to name every address and every action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ROLES = ("superuser", "manager", "reviewer", "viewer", "outsider", "nobody")

_ALL = ("superuser", "manager", "reviewer", "viewer")
LEVELS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "viewing": (_ALL, _ALL[:3]),
    "deciding": (_ALL[:3], _ALL[:3]),
    "overseeing": (_ALL, _ALL[:2]),
    "managing": (_ALL[:2], _ALL[:2]),
    "listing": (_ALL, _ALL),  # a list of the administration: a POST without an action shows it again
    "reading": (_ALL, ()),
    "superuser": (_ALL[:1], _ALL[:1]),
    "superuser-reading": (_ALL[:1], ()),
    "staff": ((*_ALL, "outsider"), (*_ALL, "outsider")),
    "everybody": (ROLES, ROLES),
    "none": ((), ()),
}
"""For each level, who is let in by a GET, and who by a POST."""


@dataclass(frozen=True, slots=True)
class Page:
    """An address.

    `get` has the statuses for those who may see it. `only_read` says that their POST gets 405.
    """

    level: str
    get: tuple[int, ...] = (200,)
    only_read: bool = False
    query: str = ""  # with {the word before a row's id in an address}
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # words of the address, besides ids


def _redirects(level: str) -> Page:
    return Page(level, get=(302,))


_VERBS = ("approve", "reject", "bonus", "part", "message")
_STEPS = ("launch", "pause", "resume", "cancel", "delete")

PAGES: Mapping[str, Page] = {
    "dashboards:overview": Page("viewing"),
    "dashboards:project": Page("overseeing"),
    "dashboards:batch": Page("overseeing"),
    "audit:log": Page("viewing", only_read=True),
    "audit:download": Page("viewing", only_read=True),
    "review:queue": Page("viewing"),
    "review:close": _redirects("viewing"),
    "review:closed": Page("viewing", only_read=True),
    "review:undo": Page("deciding"),
    "review:history": Page("viewing", only_read=True),
    "review:chain": Page("viewing"),
    "review:flag": _redirects("viewing"),
    "questions:make": _redirects("deciding"),
    "review:usable": Page("deciding", get=(405,)),
    "review:written": Page("deciding", get=(405,)),
    "review:work": Page("viewing", only_read=True),
    "workers:list": Page("viewing"),
    "workers:worker": Page("viewing"),
    "workers:compare": Page("viewing", only_read=True, query="?worker={worker}&worker={another}"),
    "workers:table": Page("managing", only_read=True),
    "workers:judgments": Page("viewing", only_read=True),
    "workers:set-aside": Page("deciding", query="?stage=link"),
    "workers:let-count": _redirects("deciding"),
    "questions:list": Page("viewing"),
    "questions:write": Page("deciding"),
    "questions:question": Page("viewing"),
    "questions:gallery": Page("viewing"),
    "review:spot-checks": Page("viewing"),
    "review:spot-check": Page("viewing", words={"number": ("1",)}),
    "questions:correct": Page("deciding"),
    "batches:all": Page("viewing"),
    "batches:list": Page("viewing"),
    "batches:new": Page("managing"),
    "batches:questions": Page("managing"),
    "batches:campaign": Page("managing"),
    "batches:judgments": Page("managing", get=(404,), only_read=True),
    "batches:pilot": Page("managing", get=(405,)),
    "batches:use-finished": Page("managing", get=(405,)),
    "batches:missing": Page("managing", get=(405,)),
    "batches:fewer-questions": Page("managing", get=(405,)),
    "batches:caption-questions": Page("managing", get=(405,)),
    "batches:cap": Page("managing", get=(405,)),
    "batches:write-again": Page("managing", get=(405,)),
    "agreement:project": Page("viewing"),
    "batches:settings": Page("overseeing"),
    "batches:clone": Page("managing"),
    "batches:forecast": Page("viewing"),
    "batches:links": Page("managing"),
    "batches:move": Page("managing", get=(200, 409), words={"action": _STEPS}),
    "crowd:batch": Page("viewing", only_read=True),
    "crowd:publications": Page("viewing", only_read=True),
    "crowd:publication": Page("viewing", only_read=True),
    "crowd:participation": Page("viewing", only_read=True),
    "crowd:cap": Page("managing"),
    "crowd:task": Page("managing", get=(302,), words={"what": ("ask", "reconcile")}),
    "crowd:bring": _redirects("managing"),
    "crowd:take-out": _redirects("managing"),
    "crowd:pay-list": Page("managing", get=(404,), only_read=True),
    "crowd:expire": Page("managing"),
    "crowd:act": Page("managing", words={"verb": _VERBS}),
    "crowd:close": Page("managing"),
    "crowd:retry": _redirects("managing"),
    "crowd:withdraw": Page("managing"),
    "crowd:payroll": Page("overseeing"),
    "crowd:payroll-table": Page("managing", get=(302,), only_read=True),
    "members:list": Page("managing"),
    "members:join": Page("everybody"),
    "invitations:list": Page("managing"),
    "invitations:new": Page("managing"),
    "invitations:revoke": _redirects("managing"),
    "jobs:new-project": Page("managing"),
    "jobs:import": Page("overseeing"),
    "jobs:new-upload": Page("managing", get=(405,)),
    "jobs:pieces": Page("managing", get=(409,), words={"upload": ("20260101000000-0123456789abcdef",)}),
    "jobs:jobs": Page("viewing", only_read=True),
    "jobs:exports": Page("overseeing"),
    "jobs:pairs": Page("managing"),
    "jobs:job": Page("overseeing"),
    "jobs:progress": Page("viewing", only_read=True),
    "jobs:snapshot": Page("viewing", only_read=True),
    "jobs:evaluate": Page("overseeing"),
    "jobs:report": Page("viewing", get=(404,), only_read=True),
    "jobs:report-numbers": Page("viewing", get=(404,), only_read=True),
    "jobs:download": Page("viewing", only_read=True),
    "instructions:list": Page("viewing"),
    "instructions:photographs": Page("viewing"),
    "instructions:stage": Page("overseeing", words={"stage": ("link", "quality")}),
    "instructions:preview": Page("overseeing", words={"stage": ("link", "quality")}),
    "types:project": Page("overseeing"),
    "judges:project": Page("overseeing"),
    "judges:model": _redirects("overseeing"),
    "priors:project": Page("overseeing"),
    "suggestions:project": Page("overseeing"),
    "suggestions:resume": Page("deciding", get=(405,)),
    "suggestions:set": Page("viewing", words={"number": ("1",)}, only_read=True),
    "projects:archived": Page("viewing"),
    "projects:settings": Page("managing"),
    "projects:delete": Page("managing"),
    "statistics:project": Page("overseeing"),
    "expert-queue": Page("deciding"),
    "expert-image": Page("deciding"),
    "expert-named": _redirects("deciding"),
    "boxes:wall": Page("viewing", only_read=True),
    "boxes:chains": Page("viewing", only_read=True),
    "boxes:newest-chains": Page("viewing", get=(302,), only_read=True),
    "filters:change": Page("deciding", get=(405,)),
    "selection:images": Page("deciding", get=(405,)),
    "captions:edit": Page("deciding"),
    "captions:withdraw": Page("deciding"),
    "inspector:search": Page("viewing"),
    "inspector:image": Page("viewing"),
    "inspector:photograph": Page("viewing", only_read=True),
    "inspector:rendition": Page("viewing", words={"width": ("640",)}, only_read=True),
    "inspector:change": Page("deciding", get=(405,)),
    "inspector:merged": Page("viewing"),
    "inspector:history": Page("viewing", query="?chain={chain}"),
    "admin:search": Page("staff"),
    "admin:index": Page("viewing"),  # which is dashboards:overview
    "admin:login": Page("everybody", get=(200, 302)),
    "admin:logout": Page("everybody", get=(302, 405)),
    "admin:password_change": Page("staff"),
    "admin:password_change_done": Page("staff", only_read=True),
    "admin:jsi18n": Page("staff", only_read=True),
}
"""The pages by name. The pages of the administration's lists follow from LISTS."""

_READ = {
    "changelist": Page("listing"),
    "change": Page("reading"),
    "history": Page("listing"),
    "add": Page("none"),
    "delete": Page("none"),
}
LISTS: Mapping[str, Mapping[str, Page]] = {
    "read": _READ,
    "leading": {**_READ, "changelist": _redirects("staff")},  # to a page that checks who is asking
    "accounts": {
        **dict.fromkeys(("changelist", "change", "history", "add", "password_change"), Page("superuser")),
        "delete": Page("none"),
    },
    "lock": {
        "changelist": Page("superuser"),
        "change": Page("superuser-reading"),
        "history": Page("superuser"),
        "add": Page("none"),
        "delete": Page("superuser"),
    },
}
"""What may be done with the rows of a list, by the kind of list."""

KINDS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("annotation.project", "annotation.image", "annotation.mention", "annotation.batch"),
            *("annotation.worker", "annotation.item", "annotation.judgment", "annotation.chain"),
            *("annotation.decision", "workflows.job", "workflows.snapshot", "workflows.auditentry"),
        ),
        "read",
    ),
    "annotation.case": "leading",
    "annotation.verificationquestion": "leading",
    "auth.user": "accounts",
    "auth.group": "accounts",
    "axes.accessattempt": "lock",
}
"""Every model with a list, and the kind of its list."""

ACTIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "axes.accessattempt": {"delete_selected": _ALL[:1]},
}
"""Who is offered an action of a list. Nobody else may use it. Lists without actions are not named."""
