"""Make verification questions: of chains that came with the corpus, or of a batch's finished chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone

from annotation.domain.answers import JointStage, Stage
from annotation.domain.chain_states import DONE, NONVISUAL
from annotation.models import Batch, Chain, ImageWork, Project, VerificationQuestion
from annotation.transactions import write_transaction
from console.batches.caption_ways import caption_ways
from console.batches.gold_ways import gold_ways
from console.batches.launch_report import images_to_use, known_images, unused_known
from console.batches.question_reach import say_reach
from console.common.access import managing
from console.common.labels import STAGES
from console.common.numbers import say_count
from console.common.pages import acted, page, read_number, user_name
from workflows.batch_settings.domain.crowd_settings import DIRECT
from workflows.batch_settings.domain.settings import BatchSettings
from workflows.batch_settings.selectors import settings_of
from workflows.batches.question_reach import reach_of
from workflows.questions import supply
from workflows.questions.domain.known_images import QuestionError
from workflows.questions.domain.supply import GOLD, image_place, questions_needed
from workflows.questions.exposure import stock_of
from workflows.questions.make import MAX_PER_IMAGE, PER_IMAGE, Counts, make_from_gold, promote_chains

_BOXES = (
    "chains with boxes of at least 8 pixels a side, inside the image, those of a chain hardly overlapping"
)
NEEDS: Mapping[str, str] = MappingProxyType(
    {
        Stage.LINK: "images with a chain of several mentions, and another chain that shares a type with it",
        Stage.VERIFICATION: "chains of several mentions, and others that could be taken for them",
        Stage.REQUIREMENT: "chains of types that come to this stage, and not all with a box: some that are a "
        "scene, or that no box can be drawn for",
        Stage.DRAWING: _BOXES,
        Stage.QUALITY: _BOXES,
        Stage.COVERAGE: "chains with several boxes: at least one to show and one that is missing",
        JointStage.BOXES: _BOXES,
        JointStage.CHECK: f"{_BOXES}; and some chains with several boxes, of which one can be missing",
    }
)
"""What a stage's questions are made of, by stage: as docs/questions.md has it."""


def nothing_new(project: Project, stages: Sequence[str], made: Collection[str]) -> Iterator[str]:
    """For those of the stages that nothing was made for now (`made` are the others): which, and why."""
    without = [stage for stage in stages if stage not in made]
    if not without:
        return
    rows = VerificationQuestion.objects.filter(project=project, stage__in=without).order_by()
    known = set(rows.values_list("stage", flat=True).distinct())
    if before := [STAGES[stage] for stage in without if stage in known]:
        yield (
            f"No more of {', '.join(before)}: what these chains admit was made before. More images, or more "
            "questions a stage and image, may give some."
        )
    if never := [STAGES[stage] for stage in without if stage not in known]:
        yield (
            f"None of {', '.join(never)}: the known chains of these images admit none, or only such as all "
            "have the same answer. What each needs is below."
        )


IMAGES = 40
MAX_IMAGES = 300
"""The most images for which one request makes questions."""
MAX_CHAINS = 2000
RECOGNIZABLE = (
    "The images with questions are all older, or all newer, than the images to annotate. Workers see image "
    "ids and can recognise questions by them. Import everything as one corpus, and draw questions from all "
    "of it."
)


class MakeForm(forms.Form):
    """What questions are made from, and how many."""

    source = forms.ChoiceField(label="Make them from", initial="gold")
    images = forms.IntegerField(
        label="Images",
        min_value=1,
        max_value=MAX_IMAGES,
        initial=IMAGES,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "number"}),
        help_text="Drawn at random. From then on they are used for questions, and no batch includes them.",
    )
    per_image = forms.IntegerField(
        label="Questions a stage and image",
        min_value=1,
        max_value=MAX_PER_IMAGE,
        initial=PER_IMAGE,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "class": "number"}),
    )
    without_pictures = forms.BooleanField(
        label="Also of images without a picture",
        required=False,
        help_text="Only to try things out: workers see nothing but the captions.",
    )

    def __init__(self, *args: object, finished: list[tuple[int, str]], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        source = self.fields["source"]
        assert isinstance(source, forms.ChoiceField)
        source.choices = [
            ("gold", "Known chains: of the corpus, or your own gold"),
            *((str(pk), f"Finished chains of batch {name}") for pk, name in finished),
        ]


@managing
def make(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which questions there are and which are missing. A POST makes more."""
    project = get_object_or_404(Project, pk=pk)
    number = read_number(request.GET, "batch")
    # Questions are made for what is to be launched: the roles of their images follow from its settings.
    drafts = project.batches.filter(state=Batch.State.DRAFT).order_by("-pk")
    batch = get_object_or_404(Batch, pk=number, project=project) if number is not None else drafts.first()
    settings = settings_of(batch) if batch else BatchSettings()
    over = project.batches.exclude(state=Batch.State.DRAFT).order_by("-pk")
    form = MakeForm(
        request.POST if request.method == "POST" else None, finished=list(over.values_list("pk", "name")[:20])
    )
    if form.is_bound and form.is_valid():
        try:
            made = _make(request, project, form, settings)
        except QuestionError as error:
            field = error.field if error.field in form.fields else None
            form.add_error(field, f"{error.message[:1].upper()}{error.message[1:]}.")
        else:
            number = made.total()
            made_or_proposed = "made" if form.cleaned_data["source"] == "gold" else "proposed"
            what = f"{say_count(number, 'verification question')} {made_or_proposed}."
            messages.success(request, what if number else "Nothing is new.")
            for sentence in nothing_new(project, settings.stages, {stage for stage, _, _ in made}):
                messages.info(request, sentence)
            if supply.can_be_recognized(project):
                messages.warning(request, RECOGNIZABLE)
            if number and made_or_proposed == "proposed":
                return redirect(reverse("questions:gallery", args=[pk]))
            return redirect(request.get_full_path())
    there = supply.askable_now(project)
    stock = stock_of(project.pk)
    shortages = supply.shortages(project, settings, stock)
    known = known_images(project, MAX_IMAGES)
    named = {stage: STAGES[stage] for stage in settings.stages}
    ways = gold_ways(project, shortages, draft=batch)
    short = {key: there[key] + number for key, number in ways.plan.missing.items()}
    draft = batch is not None and batch.state == Batch.State.DRAFT
    reach = reach_of(batch, stock) if batch and draft and not shortages else None
    wanted = reach.more_images if reach and not reach.enough else 0
    captions = caption_ways(batch, shortages, wanted) if batch else None
    proposals = ways.plan.proposals
    if wanted:  # Only questions on pages let workers go on.
        proposals = Counter({key: proposals[key] for key in proposals if key[1] == GOLD and key[0] in named})
    unused = ways.unused if short else images_to_use(project, reach.more_images if reach else 0)
    # A page has one main button.
    if captions:
        main = "captions" if short or wanted else "launch" if draft else ""
    elif short:
        main = ways.main
    elif reach and not reach.enough:
        main = (
            "approve"
            if proposals.total()
            else "make"
            if unused
            else "annotate"
            if reach.hopeless
            else "launch"
        )
    else:
        main = "launch" if draft else "form"
    context = {
        "project": project,
        "batch": batch,
        "place": "batches",
        "crumbs": [("Batches", reverse("batches:list", args=[pk]))],
        "crumb": "Make verification questions",
        "form": form,
        "rows": [
            (name, [(there[stage, role], short.get((stage, role))) for role in ("gold", "training", "test")])
            for stage, name in named.items()
        ],
        "short": bool(short),
        "needed": any(questions_needed(settings, stage) for stage in settings.stages),
        "needs": [
            (name, NEEDS[stage])
            for stage, name in named.items()
            if stage in NEEDS and any(s == stage for s, _ in short)
        ]
        if there
        else [],
        "known": known,
        "ways": ways,
        "captions": captions,
        "proposals": proposals.total(),
        "unused": unused,
        "per_image": PER_IMAGE,
        "reach": say_reach(reach, unused, ways.spare) if reach else None,
        "direct": settings.crowd.provider == DIRECT,
        "main": main,
        "most": MAX_IMAGES,
    }
    status = 422 if form.is_bound else 200
    return page(
        request, "batches/questions.html", context, title="Make verification questions", status=status
    )


def _make(request: HttpRequest, project: Project, form: MakeForm, settings: BatchSettings) -> Counts:
    data, now = form.cleaned_data, timezone.now()
    with write_transaction():
        if data["source"] == "gold":
            made = make_from_gold(
                project=project,
                images=_unused(project, data["images"]) if "unused" in request.POST else data["images"],
                per_image=data["per_image"],
                settings=settings,
                without_pictures=data["without_pictures"],
                now=now,
            )
        else:
            chains = _finished(int(data["source"]), data["images"])
            made = promote_chains(
                chain_ids=chains,
                by=user_name(request),
                per_image=data["per_image"],
                settings=settings,
                now=now,
            )
        detail = {"source": data["source"], "images": data["images"], "made": made.total()}
        if made.total():
            acted(request, "questions.make", project=project, **detail)
    return made


def _unused(project: Project, number: int) -> list[int]:
    """Return so many images with known chains and without questions, drawn at random."""
    found = list(unused_known(project).values_list("pk", "name"))
    return [pk for pk, name in sorted(found, key=lambda one: (image_place(one[1], 0), one[1]))][:number]


def _finished(batch: int, images: int) -> list[int]:
    """Finished chains of so many finished images of the batch. Raises QuestionError where there are none."""
    works = ImageWork.objects.filter(batch=batch, state=ImageWork.State.DONE, active=True)
    ids = list(works.order_by("pk").values_list("pk", flat=True)[:images])
    chains = Chain.objects.filter(work__in=ids, state__in=(DONE, NONVISUAL))
    if not (found := list(chains.order_by("pk").values_list("pk", flat=True)[:MAX_CHAINS])):
        raise QuestionError("source", "no image of this batch is done: wait for some, or make them of others")
    return found
