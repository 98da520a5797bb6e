"""What direct workers earned and are owed: hours and amounts, a file, and that it was paid."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from console.access import managing, overseeing


@overseeing
def payroll(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponse("")


@managing
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    return HttpResponse("")
