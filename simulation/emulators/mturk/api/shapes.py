"""Checks of requests and replies by botocore's service models.

They are stricter than botocore's own checks: patterns and maxima are checked too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any

import botocore.loaders
from botocore.model import (
    ListShape,
    MapShape,
    OperationModel,
    ServiceModel,
    Shape,
    StringShape,
    StructureShape,
)
from botocore.validate import ParamValidator


@cache
def service(name: str) -> ServiceModel:
    loaded = botocore.loaders.Loader().load_service_model(name, "service-2")
    return ServiceModel(loaded, service_name=name)


def faults_of(value: Any, shape: Shape) -> str:
    """Return the fault of a value in words, or "" if nothing is."""
    report = ParamValidator().validate(value, shape)
    if report.has_errors():
        return str(report.generate_report())
    return "\n".join(_stricter(value, shape, shape.name))


def _stricter(value: Any, shape: Shape, at: str) -> list[str]:
    if isinstance(shape, StructureShape):
        found = (_stricter(part, shape.members[name], f"{at}.{name}") for name, part in value.items())
        return [fault for faults in found for fault in faults]
    if isinstance(shape, ListShape):
        found = (_stricter(part, shape.member, f"{at}[{place}]") for place, part in enumerate(value))
        return [fault for faults in found for fault in faults]
    faults = []
    if isinstance(shape, StringShape):
        # The model's patterns are Java's. Those of this service mean the same in Python.
        pattern = shape.metadata.get("pattern")
        if pattern and not re.fullmatch(pattern, value):
            faults.append(f"{at}: {value!r} does not match {pattern}")
        if shape.enum and value not in shape.enum:
            faults.append(f"{at}: {value!r} is none of {', '.join(shape.enum)}")
    size = len(value) if isinstance(value, str) else value
    most = shape.metadata.get("max")
    if most is not None and isinstance(size, int) and size > most:
        faults.append(f"{at}: {value!r} is more than {most}")
    return faults


def read_times(value: Any, shape: Shape) -> Any:
    """Return a JSON value with numbers turned into times where the shape has times."""

    def read(part: Any) -> Any:
        is_number = isinstance(part, int | float) and not isinstance(part, bool)
        try:
            return datetime.fromtimestamp(part, UTC) if is_number else part
        except (OverflowError, ValueError, OSError):
            return part

    return _walk(value, shape, read)


def write_times(value: Any, shape: Shape) -> Any:
    """Return a value with times turned into numbers of seconds, to thousandths."""
    return _walk(value, shape, lambda part: round(part.timestamp(), 3))


def _walk(value: Any, shape: Shape, on_time: Callable[[Any], Any]) -> Any:
    if isinstance(shape, StructureShape) and isinstance(value, dict):
        return {
            name: _walk(part, shape.members[name], on_time) if name in shape.members else part
            for name, part in value.items()
        }
    if isinstance(shape, ListShape) and isinstance(value, list):
        return [_walk(part, shape.member, on_time) for part in value]
    if isinstance(shape, MapShape) and isinstance(value, dict):
        return {name: _walk(part, shape.value, on_time) for name, part in value.items()}
    return on_time(value) if shape.type_name == "timestamp" else value


def operation(service_name: str, name: str) -> OperationModel | None:
    model = service(service_name)
    return model.operation_model(name) if name in model.operation_names else None
