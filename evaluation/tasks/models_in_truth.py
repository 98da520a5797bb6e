"""What a report says about models that had a part in the boxes that predictions are measured by."""

from __future__ import annotations

from evaluation.dataset import ModelPart
from evaluation.report.model import Column, Table
from evaluation.tasks.common import Inputs


def said_models(inputs: Inputs) -> tuple[tuple[str, str], ...]:
    """Return the facts about models in the truth, or none if there are none."""
    parts = inputs.dataset.models
    if not parts:
        return ()
    facts = [("Models in the true boxes", "; ".join(map(_said, parts)))]
    if inputs.predictions:
        facts.append(("Independent of the true boxes", _independent(inputs)))
    return tuple(facts)


def models_tables(inputs: Inputs) -> tuple[Table, ...]:
    """Return the table of models in the truth, or none if there are none."""
    parts = inputs.dataset.models
    if not parts:
        return ()
    shares = (
        "accepted as suggested",
        "adjusted",
        "judged before workers",
        "judged by no worker",
    )
    columns = (
        Column("model"),
        Column("family"),
        *(Column(name, "share") for name in shares),
        Column("systems of it"),
    )
    rows = tuple(
        (
            one.model,
            one.family,
            _share(one.accepted, one.boxes_raw),
            _share(one.adjusted, one.boxes_raw),
            _share(one.judged, one.boxes),
            _share(one.unjudged, one.boxes),
            ", ".join(systems_of(inputs, one)) or ("none" if inputs.models else "not said"),
        )
        for one in parts
    )
    whole = " The shares are those of all images of the export." if parts[0].whole_export else ""
    note = (
        "Workers could accept boxes of these models, or the models judged boxes before workers. So a score "
        "of such a model, or of another one of its family, also says how far it agrees with itself." + whole
    )
    return (Table("models", "Models that had a part in the true boxes", columns, rows, note),)


def systems_of(inputs: Inputs, part: ModelPart) -> list[str]:
    """Return the names of the predictions that come from this model or its family."""
    return [
        name
        for name, model in inputs.models.items()
        if model.partition("/")[0] in (part.family, part.model.partition("/")[0])
    ]


def not_independent(inputs: Inputs) -> str:
    """Return the sentence that marks scores of models that had a part in the truth, or ""."""
    found = {name for part in inputs.dataset.models for name in systems_of(inputs, part)}
    marked = [f"{name} ({inputs.models[name]})" for name in inputs.models if name in found]
    if not marked:
        return ""
    said = ", ".join(marked)
    return f" Not independent of the true boxes, which models of the same family helped to make: {said}."


def _independent(inputs: Inputs) -> str:
    marked = not_independent(inputs).strip()
    if marked:
        return f"no. {marked}"
    if not inputs.models:
        return "not known. With --model NAME/VERSION, you say which model the predictions are from"
    return "as far as --model says"


def _said(part: ModelPart) -> str:
    words = [
        f"{_share(number, total):.1%} {kind}"
        for kind, number, total in (
            ("accepted", part.accepted, part.boxes_raw),
            ("adjusted", part.adjusted, part.boxes_raw),
            ("judged", part.judged, part.boxes),
            ("judged by no worker", part.unjudged, part.boxes),
        )
        if number
    ]
    of = "" if part.family == part.model.partition("/")[0] else f" (family {part.family})"
    return f"{part.model}{of}: {', '.join(words) or 'no box'}"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
