"""What a command takes without options is what its model takes from Python without arguments."""

from __future__ import annotations

import argparse
from dataclasses import fields
from types import ModuleType

import pytest

from baselines.__main__ import main
from baselines.commands import localization, ranking, retrieval, selection
from baselines.localization import PhraseLocalizer
from baselines.ranking.systems import KernelCca
from baselines.region_features import RegionFeatures
from baselines.retrieval import ImageSentenceRetrieval
from baselines.selection import ContentSelection

PHOTOGRAPHS = ("--images", "photographs")
OTHER_NAMES = {"kind": "phrases"}
"""Parameters whose option has another name."""


@pytest.mark.parametrize(
    ("command", "required", "model", "held"),
    [
        (localization, PHOTOGRAPHS, PhraseLocalizer(), 11),
        (localization, PHOTOGRAPHS, RegionFeatures(), 2),
        (retrieval, PHOTOGRAPHS, ImageSentenceRetrieval(), 7),
        (ranking, ("--pyramids", "p.npz"), KernelCca(), 7),
        (selection, (), ContentSelection(), 3),
    ],
)
def test_options_have_the_defaults_of_the_model(
    command: ModuleType,
    required: tuple[str, ...],
    model: object,
    held: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[argparse.Namespace] = []
    monkeypatch.setattr(command, "_train", taken.append)
    system = command.__name__.rpartition(".")[2]
    assert main([system, "train", "--dataset", "set", "--model", "m.npz", *required]) == 0
    options = vars(taken[0])
    compared = 0
    for field in fields(model):  # type: ignore[arg-type]
        option = options.get(OTHER_NAMES.get(field.name, field.name))
        if field.init and option is not None:  # None: validation images choose, or the model has its default
            usual = getattr(model, field.name)
            assert (tuple(option) if isinstance(option, list) else option) == usual, field.name
            compared += 1
    assert compared >= held
