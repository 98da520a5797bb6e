"""A verification question written by hand: what of an image can be asked about, and the form for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation.domain.answers import (
    DRAWS_BOXES,
    GRADES,
    SHOWS_BOXES,
    BoxJudgment,
    CampaignStage,
    JointStage,
    Stage,
)
from annotation.domain.protocols import ENTITIES_STAGES
from annotation.models import Image, Mention, VerificationQuestion
from console.common.forms import MAX_TYPED, parse_boxes
from console.common.labels import QUESTION_ROLES, STAGES, say_answer
from workflows.questions.authorship import MAX_NOTE_LENGTH
from workflows.questions.domain.caption_questions import CONTROL_CAPTIONS
from workflows.questions.domain.handwritten import (
    CAPTION_STAGES,
    MAX_BOXES,
    MAX_CAPTION_LENGTH,
    MAX_EXPLANATION_LENGTH,
    mixed,
)
from workflows.questions.domain.supply import GOLD, IN_TESTS_ALONE

BOXES = "boxes"
"""The choice that the boxes in the form are the answer."""
CHOICES: Mapping[str, tuple[tuple[str, str, Mapping[str, Any]], ...]] = {
    Stage.LINK: (("same", "the same", {"same": True}), ("other", "not the same", {"same": False})),
    Stage.VERIFICATION: (
        ("same", "all the same", {"same": True}),
        ("other", "not all the same", {"same": False}),
    ),
    Stage.REQUIREMENT: (
        ("box", "a box can be drawn", {"requirement": "box"}),
        ("scene", "a scene or place", {"requirement": "scene"}),
        ("nobox", "no box can be drawn", {"requirement": "nobox"}),
    ),
    Stage.QUALITY: (("good", "good", {"good": True}), ("bad", "bad", {"good": False})),
    Stage.COVERAGE: (
        ("complete", "all boxes are here", {"complete": True}),
        ("incomplete", "a box is missing", {"complete": False}),
    ),
    Stage.DRAWING: (
        (BOXES, "one of these boxes", {}),
        ("none", "no further box is needed", {"boxes": []}),
    ),
    JointStage.BOXES: (
        (BOXES, "all of these boxes", {}),
        ("done", "no box: all are there", {"none": "done"}),
        ("scene", "no box: a scene or place", {"none": "scene"}),
        ("nobox", "no box: none can be drawn", {"none": "nobox"}),
    ),
    JointStage.CHECK: (
        ("complete", "nothing is missing", {"missing": False}),
        ("incomplete", "something is missing", {"missing": True}),
    ),
    CampaignStage.CAPTION_CHECK: (
        ("right", "describes the image", {"caption": "right"}),
        ("wrong", "does not describe it", {"caption": "wrong"}),
    ),
    CampaignStage.GRADING: tuple(
        (str(grade), say_answer(CampaignStage.GRADING, {"grade": grade}), {"grade": grade})
        for grade in reversed(GRADES)
    ),
}
"""By stage, what a worker may answer: name, words, answer object.

Boxes that are right to draw have a field of their own, but it must be said that they are the answer: boxes
that somebody forgot are none. So has what is said of each box in a joint check."""


class StartForm(forms.Form):
    """The project, image and stage of a new question."""

    project = forms.TypedChoiceField(coerce=int)
    image = forms.CharField(max_length=200, help_text="The name of its file, as in 1000268201.jpg.")
    stage = forms.ChoiceField(
        choices=tuple((str(stage), STAGES[stage]) for stage in (*ENTITIES_STAGES, *CAPTION_STAGES))
    )

    def __init__(self, *args: Any, projects: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["project"].choices = projects  # type: ignore[attr-defined]  # that of a choice field

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "image" in data and "project" in data:
            found = Image.objects.filter(project=data["project"], name=data["image"].strip()).first()
            if found is None:
                self.add_error("image", "The project has no image of this name.")
            data["found"] = found
        return data


def _numbers(label: str, help_text: str) -> forms.CharField:
    attrs = {"rows": 3, "spellcheck": "false", "class": "numbers"}
    return forms.CharField(
        label=label,
        required=False,
        max_length=MAX_TYPED,
        widget=forms.Textarea(attrs=attrs),
        help_text=f"{help_text} One a line: left, top, right, bottom, in pixels of the photograph.",
    )


def _answer_fields(stage: str, captions: Sequence[str] = ()) -> dict[str, forms.Field]:
    """Return the fields of the right answer to a question of the stage, which shows these `captions`."""
    fields: dict[str, forms.Field] = {}
    if stage == CampaignStage.WRITING:
        fields["answer"] = forms.CharField(
            label="The corrected sentence",
            max_length=MAX_TYPED,
            widget=forms.Textarea(attrs={"rows": 3}),
            help_text="Any of these is right. One a line.",
        )
        return fields
    if stage == CampaignStage.RELEVANCE:
        fields["answer"] = forms.MultipleChoiceField(
            label="The captions that describe the image",
            required=False,
            choices=[(str(place), f"{place}: {text}") for place, text in enumerate(captions, start=1)],
            widget=forms.CheckboxSelectMultiple,
        )
        return fields
    if stage in DRAWS_BOXES:
        which = "Any of these is right." if stage == Stage.DRAWING else "All of these must be drawn."
        fields["right"] = _numbers("Right to draw", which)
    if stage == JointStage.CHECK:
        fields["said"] = forms.CharField(
            label="What each new box is",
            required=False,
            max_length=MAX_TYPED,
            widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false", "class": "numbers"}),
            help_text=f"One a line, in the order of the new boxes: {', '.join(BoxJudgment)}.",
        )
    fields["answer"] = forms.ChoiceField(
        label="The right answer",
        choices=tuple((name, words) for name, words, _ in CHOICES[stage]),
        widget=forms.RadioSelect,
    )
    return fields


def _clean_answer(
    form: forms.Form, data: dict[str, Any], size: tuple[int, int] | None, new_boxes: int | None
) -> None:
    """Check the fields of the right answer. A joint check is about so many new boxes, if that is known."""
    if "right" in data:
        data["right"] = _parsed(form, data, "right", size)
        if data.get("answer") == BOXES and data["right"] == []:
            form.add_error("right", "Draw a box that is right, or choose another answer.")
        if data.get("answer") not in (BOXES, None) and data["right"]:
            form.add_error("answer", "Remove the boxes that are right to draw, or choose them as the answer.")
    if "said" in data:
        data["said"] = data["said"].lower().split()
        if strange := [word for word in data["said"] if word not in tuple(BoxJudgment)]:
            form.add_error("said", f"“{strange[0]}” is not one of {', '.join(BoxJudgment)}.")
        elif new_boxes is not None and len(data["said"]) != new_boxes:
            form.add_error("said", f"Say what each of the {new_boxes} new boxes is, one a line.")


def _parsed(
    form: forms.Form, data: Mapping[str, Any], name: str, size: tuple[int, int] | None
) -> list[list[int]] | None:
    """Return the boxes in a field of the form, or None with an error in the form."""
    try:
        return [list(box.edges) for box in parse_boxes(data[name], size)]
    except forms.ValidationError as error:
        form.add_error(name, error)
        return None


def _answer(stage: str, data: Mapping[str, Any], captions: int = 0) -> Mapping[str, Any]:
    """Return the right answer object that valid fields give. In a campaign, it is about so many captions."""
    if stage == CampaignStage.WRITING:
        return {"captions": [line.strip() for line in data["answer"].splitlines() if line.strip()]}
    if stage == CampaignStage.RELEVANCE:
        return {"describes": [str(place) in data["answer"] for place in range(1, captions + 1)]}
    if data["answer"] == BOXES:
        return {"boxes": data["right"]}
    given = next(given for name, _, given in CHOICES[stage] if name == data["answer"])
    return {"boxes": data["said"], **given} if "said" in data else given


def _explanation() -> forms.CharField:
    return forms.CharField(
        max_length=MAX_EXPLANATION_LENGTH,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Why this is right. Shown after the answer in training, where it is needed.",
    )


class QuestionForm(forms.Form):
    """The question itself. Its fields are those of the stage."""

    mentions = forms.TypedMultipleChoiceField(
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what is asked about."},
    )
    explanation = _explanation()
    role = forms.ChoiceField(label="Where it is asked", choices=tuple(QUESTION_ROLES.items()))

    def __init__(
        self, *args: Any, stage: str, mentions: Sequence[Mention], image: Image, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.stage = stage
        self.size = (image.width, image.height) if image.width and image.height else None
        self.fields["mentions"].choices = [  # type: ignore[attr-defined]  # that of a choice field
            (mention.pk, f"{mention.caption.index + 1}: {mention.text}") for mention in mentions
        ]
        self.fields.update(_answer_fields(stage))
        if stage == Stage.QUALITY:
            self.fields["box"] = _numbers("The new box", "The one that is judged.")
        if stage == JointStage.CHECK:
            self.fields["new_boxes"] = _numbers("The new boxes", "The ones that are judged.")
        if stage in SHOWS_BOXES:
            self.fields["boxes"] = _numbers("Shown as accepted", "Boxes that the chain has already.")
        self.order_fields(
            ("mentions", "right", "box", "new_boxes", "said", "boxes", "answer", "explanation", "role")
        )

    def layers(self) -> list[tuple[str, str, int]]:
        """Return what the drawing editor draws: the field's id, the name, and the most boxes."""
        most = {"right": MAX_BOXES, "box": 1, "new_boxes": MAX_BOXES, "boxes": MAX_BOXES}
        return [
            (str(self[name].auto_id), str(self[name].label), number)
            for name, number in most.items()
            if name in self.fields
        ]

    def field_of(self, argument: str) -> str:
        """Return the field in which an argument of `write_question` is given."""
        return "right" if argument == "answer.boxes" else argument

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in ("box", "new_boxes", "boxes"):
            if name in data:
                data[name] = _parsed(self, data, name, self.size)
        if len(data.get("box") or []) > 1:
            self.add_error("box", "Give only the one box that is to be judged.")
        new = data.get("new_boxes")
        _clean_answer(self, data, self.size, None if new is None else len(new))
        return data

    def content(self) -> dict[str, Any]:
        """Return the arguments of `workflows.questions.write.write_question` from a valid form."""
        data = self.cleaned_data
        return {
            "stage": self.stage,
            "role": data["role"],
            "mentions": data["mentions"],
            "boxes": data.get("boxes", []),
            "box": (data.get("box") or [None])[0],
            "new_boxes": data.get("new_boxes", []),
            "answer": _answer(self.stage, data),
            "explanation": data["explanation"],
        }


class CaptionQuestionForm(forms.Form):
    """A question about whole captions, or a sentence of a language test."""

    explanation = _explanation()
    role = forms.ChoiceField(label="Where it is asked", choices=tuple(QUESTION_ROLES.items()))

    def __init__(self, *args: Any, stage: str, image: Image, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stage = stage
        if stage == CampaignStage.RELEVANCE:
            self.fields["fitting"] = _captions("Captions that describe the image", "One a line.")
            number = f"One a line, so that there are {CONTROL_CAPTIONS} in all. Workers see them mixed."
            self.fields["others"] = _captions("Captions that do not", number)
        else:
            label = "The sentence with a mistake" if stage == CampaignStage.WRITING else "The caption"
            self.fields["caption"] = forms.CharField(label=label, max_length=MAX_CAPTION_LENGTH)
            self.fields.update(_answer_fields(stage))
        if stage in IN_TESTS_ALONE:
            roles = tuple((role, words) for role, words in QUESTION_ROLES.items() if role != GOLD)
            self.fields["role"].choices = roles  # type: ignore[attr-defined]  # that of a choice field
        self.order_fields(("caption", "fitting", "others", "answer", "explanation", "role"))

    def layers(self) -> list[tuple[str, str, int]]:
        """Return nothing: no boxes are drawn."""
        return []

    def field_of(self, argument: str) -> str:
        """Return the field in which an argument of `write_caption_question` is given."""
        return ("others" if "others" in self.fields else "caption") if argument == "captions" else argument

    def content(self) -> dict[str, Any]:
        """Return the arguments of `workflows.questions.write.write_caption_question` from a valid form."""
        data = self.cleaned_data
        if self.stage == CampaignStage.RELEVANCE:
            captions, describes = mixed(data["fitting"].splitlines(), data["others"].splitlines())
            answer: Mapping[str, Any] = {"describes": describes}
        else:
            captions, answer = [data["caption"]], _answer(self.stage, data)
        return {
            "stage": self.stage,
            "role": data["role"],
            "captions": captions,
            "answer": answer,
            "explanation": data["explanation"],
        }


def _captions(label: str, help_text: str) -> forms.CharField:
    return forms.CharField(
        label=label, max_length=MAX_TYPED, widget=forms.Textarea(attrs={"rows": 5}), help_text=help_text
    )


class CorrectForm(forms.Form):
    """Another right answer for a question, and what was wrong with the one before."""

    explanation = _explanation()
    note = forms.CharField(
        label="What was wrong",
        max_length=MAX_NOTE_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stays in the question's history.",
    )

    def __init__(self, *args: Any, question: VerificationQuestion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.question = question
        self.fields["explanation"].initial = question.explanation
        self.fields.update(_answer_fields(question.stage, question.captions))
        answer = dict(question.answer)
        boxes = answer.get("boxes") or []
        if "said" in self.fields:
            self.fields["said"].initial = "\n".join(answer.pop("boxes"))
        if "right" in self.fields:
            self.fields["right"].initial = "\n".join(" ".join(map(str, box)) for box in boxes)
        self.fields["answer"].initial = _initial(question.stage, answer)
        if "right" in self.fields and boxes:
            self.fields["answer"].initial = BOXES
        self.order_fields(("right", "said", "answer", "explanation", "note"))

    def layers(self) -> list[tuple[str, str, int]]:
        """Return what the drawing editor draws: the field's id, the name, and the most boxes."""
        if "right" not in self.fields:
            return []
        return [(str(self["right"].auto_id), str(self["right"].label), MAX_BOXES)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        image = self.question.image
        size = (image.width, image.height) if image.width and image.height else None
        _clean_answer(self, data, size, len(self.question.new_boxes))
        return data

    def content(self) -> dict[str, Any]:
        """Return the arguments of `workflows.quality.correct_question.correct_question`."""
        data = self.cleaned_data
        answer = _answer(self.question.stage, data, len(self.question.captions))
        return {"answer": answer, "explanation": data["explanation"], "note": data["note"]}


def _initial(stage: str, answer: Mapping[str, Any]) -> str | list[str]:
    """Return what the field of the right answer begins with."""
    if stage == CampaignStage.WRITING:
        return "\n".join(answer["captions"])
    if stage == CampaignStage.RELEVANCE:
        return [str(place) for place, fits in enumerate(answer["describes"], start=1) if fits]
    return next((name for name, _, given in CHOICES[stage] if given == answer), "")


def askable(image: Image) -> list[Mention]:
    """Return the mentions that can be asked about, in reading order."""
    rows = Mention.objects.filter(image=image, annotatable=True, superseded=False).select_related("caption")
    return list(rows.order_by("caption__index", "start"))


def reserved(image: Image) -> bool:
    """Return whether the image has questions. Batches then do not include it."""
    return VerificationQuestion.objects.filter(image=image).exists()
