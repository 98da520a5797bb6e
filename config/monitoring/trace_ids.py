"""The ids of the request and the task that log lines belong to. Messages to tasks carry the request's id."""

from __future__ import annotations

import inspect
import re
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from celery import signals
from django.core.signals import request_finished
from django.dispatch import receiver

HEADER = "X-Request-ID"
MESSAGE_HEADER = "groundcrew_request"
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")
_NOTHING: Mapping[str, Any] = {}
_context: ContextVar[Mapping[str, Any]] = ContextVar("groundcrew_log_context", default=_NOTHING)


def context() -> Mapping[str, Any]:
    """Return the fields of every line now: `request`, `task`, `task_id`, and ids among a task's arguments."""
    return _context.get()


@contextmanager
def tracing(**fields: Any) -> Iterator[None]:
    """Add fields to all lines that are logged in the block."""
    token = _context.set({**_context.get(), **fields})
    try:
        yield
    finally:
        _context.reset(token)


def begin_request(request_id: str) -> None:
    """Add the request's id to all lines until the reply is sent, which is after the last middleware."""
    _context.set({"request": request_id})


@receiver(request_finished)
def _end_request(**_: Any) -> None:
    _context.set(_NOTHING)


def new_id() -> str:
    return uuid.uuid4().hex


def accepted_id(given: str | None) -> str | None:
    """Return an id given by a client if it is safe in logs: 8 to 64 letters, digits, dots and dashes."""
    return given if given and _WELL_FORMED.fullmatch(given) else None


@signals.before_task_publish.connect
def _pass_on(*, headers: dict[str, Any] | None = None, **_: Any) -> None:
    request = _context.get().get("request")
    if request and headers is not None:
        headers[MESSAGE_HEADER] = request


@signals.task_prerun.connect
def _begin(*, task_id: str, task: Any, args: Any = (), kwargs: Any = None, **_: Any) -> None:
    if task.request.is_eager:
        return  # it runs within the request, whose fields hold
    fields = {"task": task.name.removeprefix("workflows.tasks."), "task_id": task_id}
    request = accepted_id(getattr(task.request, MESSAGE_HEADER, None))
    _context.set(
        {**fields, **subjects(task.run, args, kwargs or {}), **({"request": request} if request else {})}
    )


@signals.task_postrun.connect
def _end(*, task: Any, **_: Any) -> None:
    if not task.request.is_eager:
        _context.set(_NOTHING)


def subjects(function: Any, args: Any, kwargs: Mapping[str, Any]) -> dict[str, int]:
    """Return what a task is about, from its arguments' names: `job_id` 5 gives `{"job": 5}`."""
    try:
        given = inspect.signature(function).bind_partial(*args, **kwargs).arguments
    except TypeError:  # the arguments do not fit; the task is about to fail with that
        return {}
    return {
        name.removesuffix("_id"): value
        for name, value in given.items()
        if name.endswith("_id") and isinstance(value, int)
    }
