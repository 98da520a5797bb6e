"""The pages about verification questions: how workers answer them, and which are asked."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from annotation.domain.answers import CampaignStage
from annotation.models import Chain, VerificationQuestion
from annotation.transactions import write_transaction
from console.common.access import deciding, viewing
from console.common.forms import add_error
from console.common.labels import QUESTION_ROLES, STAGES
from console.common.numbers import say_count
from console.common.pages import acted, project_named, project_names, read_number, user_name
from console.common.pictures import editor_setup, picture
from console.common.queue_position import around, page
from console.common.reach import DECIDE, reach_of
from console.questions import question_list as selectors
from console.questions.forms import CaptionQuestionForm, CorrectForm, QuestionForm, StartForm, askable
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.quality.correct_question import Correction, correct_question
from workflows.quality.void_questions import void_question
from workflows.questions.domain.handwritten import CAPTION_STAGES
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.make import promote_chains
from workflows.questions.retire import retire_question
from workflows.questions.write import write_caption_question, write_question


@viewing
def questions(request: HttpRequest) -> HttpResponse:
    """Show the questions, filtered by project, stage, role and state."""
    wanted = selectors.read_wanted(request)
    found = selectors.question_list(wanted, before=read_number(request.GET, "before") or 0)
    words = {
        "project": wanted.project or "",
        "stage": wanted.stage,
        "role": wanted.role,
        "state": wanted.state,
        "before": found.more,
    }
    context = {
        "found": found,
        "wanted": wanted,
        "more": f"?{urlencode(words)}" if found.more else "",
        "stages": list(STAGES.items()),
        "roles": list(QUESTION_ROLES.items()),
        "states": VerificationQuestion.State.values,
        "place": "questions",
        "project": project_named(wanted.project, wanted.reach),
        "crumb": "Verification questions",
    }
    return page(request, "questions/questions", context, title="Verification questions")


@viewing
def question(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a question with its picture. A POST retires or voids it."""
    found = selectors.question_page(pk)
    if found is None:
        raise Http404
    if request.method == "POST":
        _act(request, found.row)
        return redirect(request.get_full_path())
    context = {
        "found": found,
        "place": "questions",
        "project": found.row.project,
        "crumb": f"Question {pk}",
        **around(request, found.open_cases),
    }
    return page(request, "questions/question", context, title=f"Verification question {pk}")


def _act(request: HttpRequest, question: VerificationQuestion) -> None:
    pk, project = question.pk, question.project
    action, note, by = request.POST.get("action"), request.POST.get("note", ""), user_name(request)
    try:
        if action == "retire":
            retire_question(
                question_id=pk,
                reason=note,
                by=by,
                now=timezone.now(),
                also=lambda: acted(request, "questions.retire", question, project, note=note),
            )
            messages.success(request, "The question is retired.")
        elif action == "void":
            # In its own transaction: it begins anew where a worker is shown the question meanwhile.
            void_question(
                question_id=pk,
                by=by,
                note=note,
                now=timezone.now(),
                also=lambda: acted(request, "questions.void", question, project, note=note),
            )
            messages.success(request, "The question is void. Scores are recomputed within a minute.")
        else:
            messages.error(request, "There is no such action.")
    except QuestionError as error:
        messages.error(request, str(error))


@deciding
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a question another right answer. What was judged by the old one is graded again."""
    found = selectors.question_page(pk)
    if found is None:
        raise Http404
    row = found.row
    form = CorrectForm(request.POST or None, question=row)
    if request.method == "POST" and form.is_valid():
        try:
            # In its own transaction: it begins anew where a worker is shown the question meanwhile.
            done = correct_question(
                question_id=pk,
                by=user_name(request),
                now=timezone.now(),
                also=lambda done: acted(
                    request,
                    "questions.correct",
                    row,
                    row.project,
                    right=done.became_right,
                    wrong=done.became_wrong,
                    note=form.cleaned_data["note"],
                ),
                **form.content(),
            )
        except QuestionError as error:
            field = "right" if error.field == "answer.boxes" else error.field
            add_error(form, field, error.message)
        else:
            messages.success(request, _say_correction(done))
            return redirect(reverse("questions:question", args=[pk]))
    shapes = found.picture
    context = {
        "found": found,
        "form": form,
        "place": "questions",
        "project": row.project,
        "crumb": f"Question {pk}",
        "draws": bool(form.layers()),
        "setup": editor_setup(shapes, form.layers(), minimum_side=BatchSettings().minimum_side),
    }
    status = 422 if form.is_bound else 200
    return page(request, "questions/correct", context, title=f"Correct question {pk}", status=status)


def _say_correction(done: Correction) -> str:
    """Return what followed from the new answer."""
    right = say_count(done.became_right, "answer")
    said = [f"The answer is corrected: {right} became right, {done.became_wrong} wrong."]
    if done.workers:
        shown = say_count(done.workers, "worker")
        said.append(f"The scores of {shown} are computed again within a minute.")
    if done.passed:
        said.append(f"{done.passed} failed qualification tests are now passed.")
    if done.rejected:
        said.append(f"{done.rejected} rejected pages had such an answer. You can let them count again.")
    return " ".join(said)


@deciding
def make(request: HttpRequest, pk: int) -> HttpResponse:
    """Propose verification questions of a finished chain. Nobody is asked before they are approved."""
    if request.method == "POST":
        try:
            with write_transaction():
                made = promote_chains(chain_ids=[pk], by=user_name(request), now=timezone.now())
                chain = Chain.objects.select_related("representative", "work__batch__project").get(pk=pk)
                name, project = chain.representative.text, chain.work.batch.project
                if made.total():
                    acted(request, "questions.promote", chain, project, name, made=made.total())
        except QuestionError as error:
            messages.error(request, f"No question was made: {error.message}.")
        else:
            number = made.total()
            what = f"{say_count(number, 'question')} proposed of this chain: approve them here."
            messages.success(request, what if number else "Its questions had already been made.")
            if number:
                return redirect(reverse("questions:gallery", args=[project.pk]))
    return redirect(reverse("review:chain", args=[pk]))


@deciding
def write_one(request: HttpRequest) -> HttpResponse:
    """Choose an image and a stage; then write the question."""
    mine = reach_of(request, DECIDE)
    projects = project_names(mine)
    start = StartForm(request.GET if "stage" in request.GET else None, projects=projects)
    start.fields["project"].initial = request.GET.get("project")
    start.fields["stage"].initial = request.GET.get("of")
    project = project_named(read_number(request.GET, "project"), mine)
    common = {"place": "questions", "project": project, "crumb": "Write a question", "start": start}
    if not (start.is_bound and start.is_valid()):
        return page(request, "questions/write", common, title="Write a verification question")
    image, stage = start.cleaned_data["found"], start.cleaned_data["stage"]
    whole = stage in CAPTION_STAGES
    mentions = [] if whole else askable(image)
    form: QuestionForm | CaptionQuestionForm = (
        CaptionQuestionForm(request.POST or None, stage=stage, image=image)
        if whole
        else QuestionForm(request.POST or None, stage=stage, mentions=mentions, image=image)
    )
    write: Callable[..., VerificationQuestion] = write_caption_question if whole else write_question
    if request.method == "POST" and form.is_valid():
        try:
            with write_transaction():
                made = write(
                    project_id=image.project_id,
                    image_id=image.pk,
                    by=user_name(request),
                    now=timezone.now(),
                    **form.content(),
                )
                acted(request, "questions.write", made, image.project, image=image.name, stage=stage)
        except QuestionError as error:
            add_error(form, form.field_of(error.field), error.message)
        else:
            messages.success(request, "The question is saved.")
            return redirect(reverse("questions:question", args=[made.pk]))
    shown = picture(image)
    minimum = BatchSettings().minimum_side
    context = {
        **common,
        "form": form,
        "image": image,
        "picture": shown,
        "stage_name": STAGES[stage],
        "captions": selectors.by_caption(mentions),
        "own_captions": selectors.own_captions(image) if whole and stage != CampaignStage.WRITING else [],
        "in_work": selectors.in_work(image),
        "draws": bool(form.layers()),
        "setup": editor_setup(shown, form.layers(), minimum_side=minimum),
    }
    return page(request, "questions/write", context, title="Write a verification question")
