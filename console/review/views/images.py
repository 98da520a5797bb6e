"""The page of an image: its photograph, captions, chains, and what was decided about it."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from annotation.models import Batch, ImageWork
from console.common.access import deciding, viewing
from console.common.case_list import neighbours, read_case, read_filter
from console.common.forms import say_errors
from console.common.labels import say_error
from console.common.pages import acted, user_name
from console.common.queue_position import around, page
from console.review.forms import WrittenForm
from console.review.image_page import work_page
from workflows.cases.unrelated_captions import open_unrelated_of
from workflows.pipeline.models import WrittenCaption
from workflows.pipeline.replay.domain.decisions import DecisionError
from workflows.review.decide import let_go_on
from workflows.review.written_captions import rule_on_caption


@viewing
@require_safe
def work(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the image with its captions, chains, decisions and cases."""
    found = work_page(pk)
    if found is None:
        raise Http404
    name = found.work.image.name
    context = {
        "found": found,
        "place": "review",
        "project": found.work.batch.project,
        "crumb": name,
        "unrelated": open_unrelated_of(found.work.image_id),
        "draft": found.work.batch.state == Batch.State.DRAFT,
        **around(request, found.open_cases),
    }
    return page(request, "review/work", context, title=name)


@deciding
@require_POST
def written(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept the caption that the judgment `pk` wrote, as it is or edited, or refuse it."""
    row = get_object_or_404(WrittenCaption.objects.select_related("work__batch__project"), judgment=pk)
    wanted, case = read_filter(request), read_case(request.GET)
    form = WrittenForm(request.POST)
    back = reverse("review:work", args=[row.work_id]) + wanted.query(**({"case": case} if case else {}))
    if not form.is_valid():
        messages.error(request, f"Nothing was changed: {say_errors(form)}")
        return redirect(back)
    data, after = form.cleaned_data, neighbours(case, wanted).after
    text = data["text"] if data["accept"] and data["text"] != " ".join(row.text.split()) else None
    project = row.work.batch.project
    try:
        rule_on_caption(
            judgment_id=pk,
            accept=data["accept"],
            text=text,
            by=user_name(request),
            note=data["note"],
            now=timezone.now(),
            also=lambda: acted(
                request, "caption.rule", row.judgment, project, accepted=data["accept"], text=text or row.text
            ),
        )
    except DecisionError as error:
        messages.error(request, say_error(error.field, error.message))
        return redirect(back)
    done = "accepted" if data["accept"] else "refused: another worker is asked for one"
    messages.success(request, f"The caption is {done}.")
    # The case of this caption is closed. Whoever came with it goes on to the next one.
    more = row.work.written.filter(state=WrittenCaption.State.FLAGGED).exists()
    return redirect(back if more or case is None else after or reverse("review:queue") + wanted.query())


@deciding
@require_POST
def usable(request: HttpRequest, pk: int) -> HttpResponse:
    """Let work on the image go on, because its photograph can be seen, or its questions can be told."""
    work = get_object_or_404(ImageWork.objects.select_related("image", "batch__project"), pk=pk)
    note = request.POST.get("note", "").strip()[:2000]
    try:
        let_go_on(
            work_id=pk,
            by=user_name(request),
            note=note,
            now=timezone.now(),
            also=lambda: acted(request, "image.usable", work.image, work.batch.project, note=note),
        )
    except DecisionError as error:
        messages.error(request, say_error(error.field, error.message))
    else:
        messages.success(request, "The image goes on. What was open about it is asked again.")
    return redirect("review:work", pk)
