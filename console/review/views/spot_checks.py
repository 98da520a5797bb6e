"""Spot checks: draw them, judge what was drawn, and see the error rates."""

from __future__ import annotations

import secrets

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.models import Project
from console.common.access import viewing
from console.common.forms import add_error
from console.common.pages import acted, user_name
from console.common.queue_position import page
from console.common.spot_check_rates import HEADER, NAMES, rate_rows
from console.review.spot_check_page import QUESTIONS, REASONS, drawn_of, reason_rows, unit_page
from workflows.review.domain.spot_checks import (
    BOX,
    CHAIN,
    MAX_NOTE_LENGTH,
    MAX_UNITS,
    MENTION,
    SpotCheckError,
)
from workflows.review.models import SpotCheck
from workflows.review.spot_checks import (
    Progress,
    draw_spot_check,
    give_verdict,
    progress_of,
    units_of,
)

USUAL = 100
SHOWN = 20
RIGHT = "right"
MAX_SEED = 2**31 - 1


class DrawForm(forms.Form):
    """How much to draw."""

    mention = forms.IntegerField(label="Mentions", min_value=0, max_value=MAX_UNITS, initial=USUAL)
    chain = forms.IntegerField(label="Chains", min_value=0, max_value=MAX_UNITS, initial=USUAL)
    box = forms.IntegerField(label="Boxes", min_value=0, max_value=MAX_UNITS, initial=USUAL)
    seed = forms.IntegerField(
        label="Random seed",
        required=False,
        min_value=0,
        max_value=MAX_SEED,
        help_text="Leave it empty unless you want to draw the same again.",
    )


class VerdictForm(forms.Form):
    """What a researcher says about a unit: `right`, or the reason why it is wrong."""

    verdict = forms.CharField(max_length=16)
    note = forms.CharField(
        label="Note", required=False, max_length=MAX_NOTE_LENGTH, widget=forms.Textarea(attrs={"rows": 2})
    )


@viewing
def spot_checks(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the newest spot check, or an older `?check=`, and those before. A POST draws one."""
    project = get_object_or_404(Project, pk=pk)
    form = DrawForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            drawn = _draw(request, project, form)
        except SpotCheckError as error:
            add_error(form, error.field, error.message)
        else:
            return redirect("review:spot-check", drawn.pk, 1)
    checks = list(SpotCheck.objects.filter(project=project).defer("units").order_by("-pk")[:SHOWN])
    asked = request.GET.get("check", "")
    chosen = next((one for one in checks if str(one.pk) == asked), checks[0] if checks else None)
    progress = progress_of(chosen) if chosen else None
    context = {
        "project": project,
        "place": "statistics",
        "form": form,
        "progress": progress,
        "drawn_of": drawn_of(chosen.totals) if chosen else "",
        "following": _address(progress, progress.following) if progress else "",
        "header": HEADER,
        "rates": rate_rows(progress) if progress else (),
        "reasons": reason_rows(progress) if progress else (),
        "checks": checks,
    }
    status = 422 if form.errors else 200
    return page(request, "review/spot_checks", context, title="Spot checks", status=status)


def _draw(request: HttpRequest, project: Project, form: DrawForm) -> SpotCheck:
    """Draw a spot check. Raises SpotCheckError."""
    sizes = {kind: form.cleaned_data[kind] for kind in (MENTION, CHAIN, BOX)}
    seed = form.cleaned_data["seed"]
    return draw_spot_check(
        project=project,
        sizes=sizes,
        seed=secrets.randbelow(MAX_SEED) if seed is None else seed,
        by=user_name(request),
        now=timezone.now(),
        also=lambda drawn: acted(request, "spot-check.draw", drawn, project, project.name, **sizes),
    )


@viewing
def unit(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Show one unit, the first being number 1. A POST keeps a verdict and goes on to the next unit."""
    check = get_object_or_404(SpotCheck.objects.select_related("project"), pk=pk)
    place = number - 1
    units = units_of(check)
    if not 0 <= place < len(units):
        raise Http404
    kind = units[place].kind
    form = VerdictForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if (refused := _judge(request, check, place, form)) is None:
            following = progress_of(check).after(place)
            if following is None:
                messages.success(request, "Everything in this spot check has a verdict.")
                return redirect("review:spot-checks", check.project_id)
            return redirect("review:spot-check", check.pk, following + 1)
        add_error(form, *refused)
    found = unit_page(units[place])
    if found is None:
        raise Http404
    progress = progress_of(check)
    neighbours = [number + step if 0 < number + step <= len(units) else None for step in (-1, 1)]
    context = {
        "project": check.project,
        "place": "statistics",
        "crumb": f"{number} of {len(units)}",
        "queue": reverse("review:spot-checks", args=[check.project_id]),
        "spot_check": check,
        "found": found,
        "name": NAMES[kind][0],
        "question": QUESTIONS[kind],
        "reasons": [(reason, *said) for reason, said in REASONS[kind].items()],
        "number": number,
        "before": neighbours[0],
        "after": neighbours[1],
        "progress": progress,
        "verdict": progress.verdicts.get(place),
        "said": _said(progress, place, kind),
        "form": form,
    }
    status = 422 if form.errors else 200
    return page(
        request, "review/spot_check", context, title=f"{NAMES[kind][0].capitalize()} {number}", status=status
    )


def _judge(request: HttpRequest, check: SpotCheck, place: int, form: VerdictForm) -> tuple[str, str] | None:
    """Keep the verdict, or return the field that is wrong and what to do."""
    said = form.cleaned_data["verdict"]
    right = said == RIGHT
    try:
        give_verdict(
            spot_check=check,
            place=place,
            right=right,
            reason="" if right else said,
            note=form.cleaned_data["note"],
            by=user_name(request),
            now=timezone.now(),
            also=lambda _: acted(
                request, "spot-check.judge", check, check.project, f"number {place + 1}", verdict=said
            ),
        )
    except SpotCheckError as error:
        return error.field, error.message
    return None


def _said(progress: Progress, place: int, kind: str) -> str:
    """Return the last verdict about a unit in words, or ''."""
    verdict = progress.verdicts.get(place)
    if verdict is None:
        return ""
    return "right" if verdict.right else f"wrong: {REASONS[kind][verdict.reason][1]}"


def _address(progress: Progress, place: int | None) -> str:
    if place is None:
        return ""
    return reverse("review:spot-check", args=[progress.spot_check.pk, place + 1])
