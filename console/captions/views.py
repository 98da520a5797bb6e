"""Edit a caption or withdraw it. What it does is said before it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone

from annotation.models import Caption, Case, ImageWork, Mention
from annotation.selectors import type_names
from console.captions.effects import say_effect
from console.captions.phrase_rows import place_names, read_rows, rows_of
from console.common.access import deciding
from console.common.labels import say_error
from console.common.pages import acted, digest, page, say_done, user_name
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.annotate import image_version
from workflows.review.caption_effects import effect_of, marked_text, suggest
from workflows.review.captions import change_caption
from workflows.review.decide import StaleDecisionError
from workflows.review.domain.captions import (
    MAX_TEXT_LENGTH,
    Wording,
    check_phrases,
    fate_of,
    mark,
    read_marked,
)
from workflows.review.selectors import active_work, known_mentions, places_of

MAX_NOTE = 500
TOLD_ANEW = "With these phrases, it does something else. Look at what it does, then save it."
ANOTHER = "It is about another photograph."
DONE = {
    "edit": "The caption was changed.",
    "withdraw": "The caption was withdrawn.",
    "bring-back": "The caption was brought back.",
}


@deciding
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change what a caption says and which phrases it has, in two steps: its words, then what follows."""
    caption = _caption(pk)
    work = active_work(caption.image_id)
    said = request.POST if request.method == "POST" else request.GET
    if "text" not in said:
        return _words(request, caption, marked_text(caption))
    marked = said["text"]
    try:
        wording = suggest(caption, read_marked(marked, caption.text, caption.tokens.split(" ")), work)
    except DecisionError as error:
        return _words(request, caption, marked, error)
    action = request.POST.get("action", "")
    if action == "back":
        return _words(request, caption, marked)
    if "told" not in said:
        return _phrases(request, caption, work, wording)
    try:
        wording, types = read_rows(said, wording), type_names(caption.image_id)
        check_phrases(wording, [place.key for place in places_of(caption.image_id, work)], types)
        if digest(_effects(caption, wording, work)) != said["told"]:
            return _phrases(request, caption, work, wording, TOLD_ANEW)
        decision = change_caption(
            caption_id=pk,
            wording=wording,
            by=user_name(request),
            note=_note(request.POST),
            now=timezone.now(),
            version=request.POST.get("version", ""),
            also=_audited(request, caption, "bring-back" if caption.superseded else "edit"),
        )
    except (DecisionError, StaleDecisionError) as error:
        return _phrases(request, caption, work, wording, _said(error))
    say_done(request, DONE["bring-back" if caption.superseded else "edit"], decision)
    return redirect("inspector:image", caption.image_id)


@deciding
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a caption out of the data set, after saying what rests on it."""
    caption = _caption(pk)
    error = ""
    said_unrelated = Case.objects.filter(
        reason=Case.Reason.UNRELATED, caption__image=caption.image_id, caption__index=caption.index
    ).filter(closed_at=None)
    unrelated = "unrelated" in request.POST if request.method == "POST" else said_unrelated.exists()
    if request.method == "POST" and not _note(request.POST):
        error = "Say why you withdraw the caption."
    elif request.method == "POST":
        try:
            decision = change_caption(
                caption_id=pk,
                wording=None,
                by=user_name(request),
                note=_note(request.POST),
                now=timezone.now(),
                version=request.POST.get("version", ""),
                unrelated=unrelated,
                also=_audited(request, caption, "withdraw"),
            )
        except (DecisionError, StaleDecisionError) as raised:
            error = _said(raised)
        else:
            say_done(request, DONE["withdraw"], decision)
            return redirect("inspector:image", caption.image_id)
    context = {
        **_common(caption),
        "error": error,
        "note": _note(request.POST) or (ANOTHER if unrelated and request.method == "GET" else ""),
        "unrelated": unrelated,
        "effects": say_effect(effect_of(caption, None, active_work(caption.image_id))),
        "version": image_version(caption.image_id),
    }
    title = f"Withdraw caption {caption.index + 1}"
    return page(request, "captions/withdraw.html", context, title=title)


def _caption(pk: int) -> Caption:
    return get_object_or_404(Caption.objects.select_related("image__project"), pk=pk)


def _note(data: QueryDict) -> str:
    return data.get("note", "").strip()[:MAX_NOTE]


def _said(error: DecisionError | StaleDecisionError) -> str:
    return say_error(error.field, error.message) if isinstance(error, DecisionError) else str(error)


def _audited(request: HttpRequest, caption: Caption, action: str) -> Callable[[], object]:
    project = caption.image.project
    return lambda: acted(
        request,
        f"caption.{action}",
        caption.image,
        project,
        caption=caption.index + 1,
        note=_note(request.POST),
    )


def _effects(caption: Caption, wording: Wording, work: ImageWork | None) -> list[str]:
    return say_effect(effect_of(caption, wording, work))


def _common(caption: Caption) -> dict[str, Any]:
    return {"project": caption.image.project, "place": "images", "image": caption.image, "caption": caption}


def _words(
    request: HttpRequest, caption: Caption, marked: str, error: DecisionError | None = None
) -> HttpResponse:
    context = {
        **_common(caption),
        "text": marked,
        "most": 2 * MAX_TEXT_LENGTH,
        "error": _said(error) if error else "",
    }
    return page(request, "captions/words.html", context, title=f"Edit caption {caption.index + 1}")


def _phrases(
    request: HttpRequest,
    caption: Caption,
    work: ImageWork | None,
    wording: Wording,
    error: str = "",
) -> HttpResponse:
    effects = _effects(caption, wording, work)
    places = places_of(caption.image_id, work)
    texts = dict(Mention.objects.filter(image=caption.image_id).values_list("pk", "text"))
    fate = fate_of(caption.tokens.split(" "), known_mentions(caption), wording)
    new = [phrase.span for phrase in fate.new]
    context = {
        **_common(caption),
        "text": mark(wording.text, wording.tokens, [phrase.span for phrase in wording.phrases]),
        "after": wording.text,
        "rows": rows_of(wording, new, type_names(caption.image_id)),
        "places": place_names(places, texts) if places else [],
        "effects": effects,
        "told": digest(effects),
        "note": _note(request.POST),
        # What somebody else changed meanwhile is on the page now, so it can be saved.
        "version": image_version(caption.image_id),
        "error": error,
    }
    return page(request, "captions/phrases.html", context, title=f"Edit caption {caption.index + 1}")
