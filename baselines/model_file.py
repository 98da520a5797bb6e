"""Files of trained models: `.npz` with arrays, and the parameters of the model as JSON. Nothing is unpickled.

A model is a dataclass. The fields that its constructor takes are its parameters, and `fit` sets the others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from baselines.output import write_arrays
from evaluation.errors import InputError, Place
from evaluation.predictions.compact import opened, read_array

T = TypeVar("T")

ABOUT = "about"
"""The array with the kind of the model and its parameters, as one text of JSON."""
MAX_BYTES = 8 * 1024 * 1024 * 1024
"""Of each array of a model."""


def save_model(path: Path, model: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a model's parameters and these arrays as `.npz`. Raise InputError if it cannot be written.

    Texts are arrays of texts, never of objects.
    """
    parameters = {field.name: getattr(model, field.name) for field in fields(model) if field.init}
    about = json.dumps({"kind": type(model).__name__, "parameters": parameters})
    write_arrays(path, {ABOUT: np.array(about), **arrays})


def load_model(
    path: Path,
    kind: type[T],
    arrays: Mapping[str, str] | Callable[[dict[str, Any]], Mapping[str, str]],
    older: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> tuple[T, dict[str, NDArray[Any]]]:
    """Return a model of this class with the parameters of a file, and the file's arrays.

    `arrays` has the kind of each array as numpy calls it, such as f for floats, or returns them for the
    parameters. `older` turns the parameters of an older file into those of today; a file that lacks some has
    their defaults. Raise InputError if the file is not one of such a model.
    """
    place = Place(str(path))
    if not path.is_file():
        raise InputError(f"{path}: there is no such file; `train` writes one")
    with opened(path) as archive:
        if f"{ABOUT}.npy" not in archive.namelist():
            raise InputError(f"{path}: is no trained model; `train` writes one")
        try:
            about = json.loads(str(read_array(archive, ABOUT, place)))
            found, parameters = about["kind"], older(dict(about["parameters"]))
        except (ValueError, KeyError, TypeError) as error:
            raise place.error(ABOUT, f"cannot be read: {error}") from error
        if found != kind.__name__:
            raise InputError(f"{path}: is a model of the kind {found}, not {kind.__name__}")
        kinds = arrays(parameters) if callable(arrays) else arrays
        loaded = {name: read_array(archive, name, place, MAX_BYTES) for name in kinds}
    for name, wanted in kinds.items():
        if loaded[name].dtype.kind != wanted:
            raise place.error(name, f"has the type {loaded[name].dtype}, and {kind.__name__} has another")
    try:
        return kind(**parameters), loaded
    except (TypeError, ValueError) as error:
        raise place.error(ABOUT, f"has parameters that {kind.__name__} does not take: {error}") from error
