"""A new batch, a copy of one, and the settings of one that is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from annotation.domain.protocols import DEFAULT_PROTOCOL, ENTITIES_PROTOCOLS
from annotation.models import Batch, Image, Project
from annotation.selectors import all_type_names
from annotation.transactions import write_transaction
from console.batches import selectors
from console.batches.form import (
    AMOUNTS_IN,
    DEFAULTS,
    INVITED,
    PAID_BY,
    STAGES_OF,
    SettingsForm,
    about,
    leaves,
    offered_platforms,
    sent,
)
from console.batches.images import REST, ImagesForm, has_pictures
from console.batches.preset_choice import (
    ALONE,
    BY_LINK,
    LINKED_PLATFORMS,
    PRESETS,
    PROTOCOLS,
    USUAL,
    paid_for,
)
from console.common.access import managing, may_manage, overseeing
from console.common.pages import acted, page
from workflows.batch_settings.domain.crowd_settings import DIRECT, LINK
from workflows.batch_settings.domain.presets import KNOWN, LINKED, PAID, PAPER, preset_after, preset_settings
from workflows.batch_settings.domain.setting_fields import MONEY
from workflows.batch_settings.domain.settings import SETTINGS, BatchSettings, parse_settings
from workflows.batch_settings.selectors import next_name, settings_of
from workflows.batches.follow_up import hand_on
from workflows.batches.lifecycle import BatchError, create_batch
from workflows.batches.settings_edits import ALTERABLE, change_settings
from workflows.crowd.installation import can_reach, currency_of
from workflows.questions.domain.supply import questions_needed
from workflows.questions.images import free_images

NAMES = {KNOWN: "main", PAID: "paid", PAPER: "main"}
"""The name that is proposed for a batch of each preset, if it is not taken."""
CHOOSE = "choose"
"""What is sent with the form if another card of the page is chosen."""
CHOSEN = ("protocol", "currency", "crowd.provider")
"""The settings that follow from the cards."""
FEW = 8
"""The images that one person is offered to annotate at first."""


@managing
def new(request: HttpRequest, pk: int) -> HttpResponse:
    """A draft with settings of its own."""
    project = get_object_or_404(Project, pk=pk)
    # A card of the page was chosen: nothing is made, and the form is shown again with what was typed.
    typed = request.POST if CHOOSE in request.POST else None
    sends = request.method == "POST" and typed is None
    given = request.POST if sends else request.GET
    newest = project.batches.filter(by_hand=False).order_by("-pk").first()
    before = settings_of(newest) if newest else None
    preset = given.get("preset", "")
    if preset not in PRESETS:
        # A form without one is that of the usual preset.
        preset = preset_after(before) if before and not sends else USUAL
    protocol = _unless_typed(typed, given.get("protocol", ""), STAGES_OF, "protocol")
    if protocol not in ENTITIES_PROTOCOLS:
        kept = before is not None and before.protocol in ENTITIES_PROTOCOLS and not sends
        protocol = before.protocol if before and kept else DEFAULT_PROTOCOL
    kept_provider = before.crowd.provider if before and not sends else ""
    offered = offered_platforms(kept_provider)
    chosen = _unless_typed(typed, given.get("provider", ""), PAID_BY, "crowd.provider")
    named = (chosen.partition("-")[0], kept_provider, *offered)
    provider = DIRECT if chosen == DIRECT else next(one for one in named if one in offered)
    linked = chosen.partition("-")[2] if provider == LINK else ""
    # Where no platform pays in one of its own, the currency stays.
    typed_currency = _typed_currency(typed, kept=not currency_of(provider)) if preset == PAID else ""
    current = _current(preset, protocol, provider, typed_currency, linked)
    name = next_name(project, NAMES[preset])
    return _create(request, project, name, current, preset=preset, typed=typed)


def _current(
    preset: str, protocol: str, provider: str, currency: str = "", linked: str = ""
) -> dict[str, Any]:
    currency = currency or currency_of(provider) or DEFAULTS["currency"]
    made = preset_settings(preset, protocol, provider=provider, currency=currency, linked=linked)
    return made.to_json()


def _platforms(kept: str) -> list[tuple[str, str, bool]]:
    """Return where workers can come from, with whether this server can reach it now."""
    platforms = [(name, words, can_reach(name)) for name, words in offered_platforms(kept).items()]
    return [*platforms, (DIRECT, INVITED, True)]


def _linked(terms: BatchSettings) -> list[tuple[str, str, bool]]:
    """Return the platforms that can be reached by a link, with whether the settings are those of each."""
    return [
        (name, words, all(getattr(terms.by_link, field) == value for field, value in LINKED[name].items()))
        for name, words in LINKED_PLATFORMS.items()
    ]


def _unless_typed(typed: QueryDict | None, card: str, shown: str, name: str) -> str:
    """Return what the card says, or what was chosen in the form if the card says the same as it showed."""
    return typed.get(name, card) if typed is not None and card == typed.get(shown) else card


def _typed_currency(typed: QueryDict | None, *, kept: bool) -> str:
    """Return a currency that was typed, or ''. The one that was shown counts if it is to be `kept`.

    Only a form that asked for it is believed: another one has the usual currency in a fold.
    """
    if typed is None or typed.get("preset") != PAID:
        return ""
    currency = typed.get("currency", "").strip().upper()
    new = kept or currency != typed.get(AMOUNTS_IN)
    return currency if new and re.fullmatch("[A-Z]{3}", currency) else ""


@managing
def clone(request: HttpRequest, pk: int) -> HttpResponse:
    """A draft with the settings of another batch, and other images."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    return _create(request, batch.project, next_name(batch.project, batch.name), batch.settings, copied=batch)


def _create(
    request: HttpRequest,
    project: Project,
    name: str,
    current: Mapping[str, Any],
    copied: Batch | None = None,
    preset: str = "",
    typed: QueryDict | None = None,
) -> HttpResponse:
    data = request.POST if request.method == "POST" and typed is None else None
    initial = {"name": name, "pictured": has_pictures(project)}
    which = ImagesForm(data, initial=initial if typed is None else _images_typed(project, name, typed))
    if copied and copied.state in Batch.UNDER_WAY:
        which.offer_rest_of(copied)
    asked, types = PRESETS[preset].asked if preset else (), all_type_names(project.pk)
    if preset == PAID and parse_settings(current).crowd.provider == LINK:
        asked = (*asked, *BY_LINK)
    proposed = partial(_proposed, preset, parse_settings(current).protocol)
    form = SettingsForm(data, current=current, asked=asked, types=types, proposed=proposed)
    given = _settings_typed(form, typed) if typed is not None else {}
    form.initial.update(given)
    amounts = any(about(one).unit == MONEY for one in given)
    shown = str(typed.get(AMOUNTS_IN, "")) if typed is not None else ""
    # Both are asked, so that all errors are shown at once.
    if data is not None and all([which.is_valid(), form.is_valid()]):
        try:
            batch = _write(request, project, which, form, copied, preset)
        except (forms.ValidationError, BatchError) as error:
            which.add_error(None, error if isinstance(error, forms.ValidationError) else _sentence(error))
        else:
            messages.success(
                request, f"Batch {batch.name} is a draft: nothing is asked before it is launched."
            )
            return redirect(reverse("batches:move", args=[batch.pk, "launch"]))
    title = f"Copy of {copied.name}" if copied else "New batch"
    terms = parse_settings(current)
    free = free_images(project, terms.campaign).count()
    context = {
        "project": project,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[project.pk]))],
        "crumb": title,
        "which": which,
        "form": form,
        "folds": (folds := form.folds()),
        "more": sum(len(fold.fields) for fold in folds),
        "wrong": any(fold.wrong for fold in folds),
        "preset": preset,
        "presets": list(PRESETS.items()) if preset else [],
        "alone": ALONE,
        "protocols": list(PROTOCOLS.items()) if preset else [],
        "platforms": _platforms(terms.crowd.provider) if preset == PAID else [],
        "linked": _linked(terms) if preset == PAID and terms.crowd.provider == LINK else [],
        "free": free,
        "few": min(free, FEW),
        "images": Image.objects.in_use().filter(project=project).count(),
        "asks": any(questions_needed(terms, stage) for stage in terms.stages),
        "copied": copied,
        "typed": typed is not None,
        "amounts_were": shown if amounts and shown != form.amounts_in else "",
    }
    status = 200 if data is None else 422
    return page(request, "batches/new.html", context, title=title, status=status)


def _images_typed(project: Project, name: str, typed: QueryDict) -> dict[str, Any]:
    """Return the name and the images as they were typed. A name that was proposed gives way to `name`."""
    was = NAMES.get(typed.get("preset", ""))
    given = {one: typed[one] for one in ("name", "take", "number", "split", "names") if one in typed}
    if not given.get("name") or (was and given["name"] == next_name(project, was)):
        given["name"] = name
    return {**given, "pictured": "pictured" in typed}


def _settings_typed(form: SettingsForm, typed: QueryDict) -> dict[str, Any]:
    """Return what was typed into settings that the card has not changed, as the form shows them."""
    preset, protocol = typed.get("preset", ""), typed.get(STAGES_OF, "")
    if preset not in PRESETS or protocol not in ENTITIES_PROTOCOLS:
        return {}
    shown = str(typed.get(AMOUNTS_IN, ""))
    was = SettingsForm(current=_current(preset, protocol, typed.get(PAID_BY, ""), shown))
    found: dict[str, Any] = {}
    for name, field in form.fields.items():
        if field.disabled or name in CHOSEN or name not in was.fields or was.fields[name].disabled:
            continue
        if isinstance(field, forms.MultipleChoiceField):
            given: Any = typed.getlist(name)
        else:
            given = name in typed if isinstance(field, forms.BooleanField) else typed.get(name, "")
        before = was.fields[name].initial
        # Of an amount, every card has another proposal: what was typed stays, in whatever currency.
        if given != before and (before == field.initial or about(name).unit == MONEY):
            found[name] = given
    return found


def _proposed(preset: str, protocol: str, currency: str) -> BatchSettings | None:
    return preset_settings(preset, protocol, currency=currency) if preset == PAID else None


def _write(
    request: HttpRequest,
    project: Project,
    which: ImagesForm,
    form: SettingsForm,
    copied: Batch | None,
    preset: str,
) -> Batch:
    name = which.cleaned_data["name"]
    settings = paid_for(preset, form.settings)
    rest = which.cleaned_data["take"] == REST
    images = None if rest else which.images(project, settings)
    with write_transaction():
        if rest and copied:
            batch = hand_on(batch=copied, name=name, settings=settings)
        else:
            batch = create_batch(project=project, name=name, settings=settings, images=images)
        detail = {"images": which.cleaned_data["take"], **({"copied": copied.name} if copied else {})}
        if preset and preset != USUAL:
            detail["preset"] = preset
        acted(request, "batch.clone" if copied else "batch.create", batch, project=project, **detail)
    return batch


@overseeing
def settings(request: HttpRequest, pk: int) -> HttpResponse:
    """The settings as they are; a POST changes those that may be changed now."""
    batch = get_object_or_404(Batch.objects.select_related("project"), pk=pk)
    alterable = _alterable(batch) if may_manage(request) else frozenset()
    data = request.POST if request.method == "POST" else None
    types = all_type_names(batch.project_id)
    form = SettingsForm(data, current=batch.settings, alterable=alterable, types=types)
    status = 200 if data is None else 422
    if data is not None and form.is_valid():
        try:
            changed = _change(request, batch, form)
        except StaleError:
            batch.refresh_from_db()
            alterable, status = _alterable(batch), 409
            form = _anew(request.POST, batch, alterable)
        except BatchError as error:
            form.add_error(None, _sentence(error))
        else:
            says = f"Changed: {_named(changed)}." if changed else "Nothing to do: they were so already."
            messages.success(request, says)
            if request.GET.get("then") == "launch" and batch.state == Batch.State.DRAFT:
                return redirect(reverse("batches:move", args=[pk, "launch"]))
            return redirect(reverse("batches:settings", args=[pk]))
    context = {
        "project": batch.project,
        "batch": batch,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[batch.project_id]))],
        "crumb": f"Settings of {batch.name}",
        "form": form,
        "folds": form.folds(),
        # Of a form with errors the one it came with: what was done since is found out once it has none.
        "stamp": request.POST.get("stamp", "") if status == 422 else selectors.stamp(batch),
        "alterable": alterable is None or bool(alterable),
        "draft": batch.state == Batch.State.DRAFT,
        "can_change": _named(sorted(alterable or ())),
    }
    return page(request, "batches/settings.html", context, title=f"Settings of {batch.name}", status=status)


def _named(names: Iterable[str]) -> str:
    """Return the names of settings as the form has them, or as they are if it has none for them."""
    labels = [SETTINGS[name].label if name in SETTINGS else name for name in names]
    return ", ".join(
        label[:1].lower() + label[1:] if label.split()[0][1:].islower() else label for label in labels
    )


class StaleError(Exception):
    """Something was done to the batch since its settings were shown."""


def _change(request: HttpRequest, batch: Batch, form: SettingsForm) -> list[str]:
    """The settings that are others now. Raises StaleError, BatchError."""
    with write_transaction():
        # The lock that `change_settings` takes: of two that come at once, the second finds the first.
        current = Batch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        if selectors.stamp(current) != request.POST.get("stamp"):
            raise StaleError
        if changed := change_settings(batch=current, settings=form.settings):
            acted(request, "batch.settings", batch, project=batch.project, changed=changed)
    return changed


def _anew(typed: QueryDict, batch: Batch, alterable: frozenset[str] | None) -> SettingsForm:
    """The form with what was typed, but for the settings that were changed since it was shown."""
    theirs = selectors.settings_changed(batch, typed.get("stamp", ""))
    data = typed.copy()
    currency = str(batch.settings.get("currency", DEFAULTS["currency"]))
    for name, value in leaves(batch.settings):
        if {name, name.partition(".")[0]} & set(theirs):
            data.setlist(name, sent(name, value, currency))
    types = all_type_names(batch.project_id)
    form = SettingsForm(data, current=batch.settings, alterable=alterable, types=types)
    form.is_valid()
    what = f"these settings were changed: {_named(theirs)}" if theirs else "something was done to the batch"
    form.add_error(
        None,
        f"Nothing was kept: since you opened this page, {what}. Below is what you typed, but what was "
        "changed meanwhile is as it is now. Look at it, and keep it if it still holds.",
    )
    return form


def _alterable(batch: Batch) -> frozenset[str] | None:
    """The names of the settings that may be changed; None: all of them."""
    if batch.state == Batch.State.DRAFT:
        return None
    return ALTERABLE if batch.state in Batch.UNDER_WAY else frozenset()


def _sentence(error: BatchError) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
