"""A verification question written by hand: what of an image can be asked about, and the form for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from annotation.domain.answers import Stage
from annotation.models import Image, Mention, VerificationQuestion
from console.common.labels import STAGES
from console.review.forms import MOST_TYPED, parse_boxes
from console.review.question_list import ROLES
from workflows.questions.authorship import LONGEST_NOTE
from workflows.questions.domain.handwritten import LONGEST, MOST_BOXES, SHOWS_BOXES

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
}
"""By stage, what a worker may answer: name, words, answer object. A drawing is answered by boxes."""
BOXES, NONE = "boxes", "none"
DRAWN = ((BOXES, "one of these boxes"), (NONE, "no further box is needed"))
"""Of a drawing it is said as well: boxes that somebody forgot are no answer."""


class StartForm(forms.Form):
    """The project, image and stage of a new question."""

    project = forms.TypedChoiceField(coerce=int)
    image = forms.CharField(max_length=200, help_text="The name of its file, as in 1000268201.jpg.")
    stage = forms.ChoiceField(choices=tuple(STAGES.items()))

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
        max_length=MOST_TYPED,
        widget=forms.Textarea(attrs=attrs),
        help_text=f"{help_text} One a line: left, top, right, bottom, in pixels of the photograph.",
    )


class QuestionForm(forms.Form):
    """The question itself. Its fields are those of the stage."""

    mentions = forms.TypedMultipleChoiceField(
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose what is asked about."},
    )
    explanation = forms.CharField(
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Why this is right. Shown after the answer in training, where it is needed.",
    )
    role = forms.ChoiceField(label="Where it is asked", choices=tuple(ROLES.items()))

    def __init__(
        self, *args: Any, stage: str, mentions: Sequence[Mention], image: Image, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.stage = stage
        self.size = (image.width, image.height) if image.width and image.height else None
        self.fields["mentions"].choices = [  # type: ignore[attr-defined]  # that of a choice field
            (mention.pk, f"{mention.caption.index + 1}: {mention.text}") for mention in mentions
        ]
        if stage == Stage.DRAWING:
            self.fields["right"] = _numbers("Right to draw", "Any of these is right.")
            names: tuple[tuple[str, str], ...] = DRAWN
        else:
            names = tuple((name, words) for name, words, _ in CHOICES[stage])
        self.fields["answer"] = forms.ChoiceField(
            label="The right answer", choices=names, widget=forms.RadioSelect
        )
        if stage == Stage.QUALITY:
            self.fields["box"] = _numbers("The new box", "The one that is judged.")
        if stage in SHOWS_BOXES:
            self.fields["boxes"] = _numbers("Shown as accepted", "Boxes that the chain has already.")
        self.order_fields(("mentions", "right", "box", "boxes", "answer", "explanation", "role"))

    def layers(self) -> list[tuple[str, str, int]]:
        """Return what the drawing editor draws: the field's id, the name, and the most boxes."""
        most = {"right": MOST_BOXES, "box": 1, "boxes": MOST_BOXES}
        return [
            (str(self[name].auto_id), str(self[name].label), number)
            for name, number in most.items()
            if name in self.fields
        ]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for name in ("right", "box", "boxes"):
            if name in data:
                try:
                    data[name] = [list(box.edges) for box in parse_boxes(data[name], self.size)]
                except forms.ValidationError as error:
                    self.add_error(name, error)
        if len(data.get("box") or []) > 1:
            self.add_error("box", "Give only the one box that is to be judged.")
        if data.get("answer") == BOXES and data.get("right") == []:
            self.add_error("right", "Draw a box that is right, or choose “no further box is needed”.")
        if data.get("answer") == NONE and data.get("right"):
            self.add_error("answer", "Remove the boxes that are right to draw, or choose them as the answer.")
        return data

    def content(self) -> dict[str, Any]:
        """Return the arguments of `workflows.questions.retire.write` from a valid form."""
        data = self.cleaned_data
        if self.stage == Stage.DRAWING:
            answer: Mapping[str, Any] = {"boxes": data["right"]}
        else:
            answer = next(given for name, _, given in CHOICES[self.stage] if name == data["answer"])
        return {
            "stage": self.stage,
            "role": data["role"],
            "mentions": data["mentions"],
            "boxes": data.get("boxes", []),
            "box": (data.get("box") or [None])[0],
            "answer": answer,
            "explanation": data["explanation"],
        }


class CorrectForm(forms.Form):
    """Another right answer for a question, and what was wrong with the one before."""

    explanation = forms.CharField(
        max_length=LONGEST,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Why this is right. Shown after the answer in training, where it is needed.",
    )
    note = forms.CharField(
        label="What was wrong",
        max_length=LONGEST_NOTE,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Stays in the question's history.",
    )

    def __init__(self, *args: Any, question: VerificationQuestion, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.question = question
        self.fields["explanation"].initial = question.explanation
        names: tuple[tuple[str, str], ...]
        if question.stage == Stage.DRAWING:
            boxes = question.answer.get("boxes") or []
            self.fields["right"] = _numbers("Right to draw", "Any of these is right.")
            self.fields["right"].initial = "\n".join(" ".join(map(str, box)) for box in boxes)
            names, now = DRAWN, BOXES if boxes else NONE
        else:
            names = tuple((name, words) for name, words, _ in CHOICES[question.stage])
            now = next((name for name, _, given in CHOICES[question.stage] if given == question.answer), "")
        self.fields["answer"] = forms.ChoiceField(
            label="The right answer", choices=names, widget=forms.RadioSelect, initial=now
        )
        self.order_fields(("right", "answer", "explanation", "note"))

    def layers(self) -> list[tuple[str, str, int]]:
        """Return what the drawing editor draws: the field's id, the name, and the most boxes."""
        if "right" not in self.fields:
            return []
        return [(str(self["right"].auto_id), str(self["right"].label), MOST_BOXES)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        image = self.question.image
        size = (image.width, image.height) if image.width and image.height else None
        if "right" in data:
            try:
                data["right"] = [list(box.edges) for box in parse_boxes(data["right"], size)]
            except forms.ValidationError as error:
                self.add_error("right", error)
        if data.get("answer") == BOXES and data.get("right") == []:
            self.add_error("right", "Draw a box that is right, or choose “no further box is needed”.")
        if data.get("answer") == NONE and data.get("right"):
            self.add_error("answer", "Remove the boxes that are right to draw, or choose them as the answer.")
        return data

    def content(self) -> dict[str, Any]:
        """Return the arguments of `workflows.quality.correct_question.correct_question`."""
        data, stage = self.cleaned_data, self.question.stage
        if stage == Stage.DRAWING:
            answer: Mapping[str, Any] = {"boxes": data["right"]}
        else:
            answer = next(given for name, _, given in CHOICES[stage] if name == data["answer"])
        return {"answer": answer, "explanation": data["explanation"], "note": data["note"]}


def askable(image: Image) -> list[Mention]:
    """Return the mentions that can be asked about, in reading order."""
    rows = Mention.objects.filter(image=image, annotatable=True, superseded=False).select_related("caption")
    return list(rows.order_by("caption__index", "start"))


def reserved(image: Image) -> bool:
    """Return whether the image has questions. Batches then do not include it."""
    return VerificationQuestion.objects.filter(image=image).exists()
