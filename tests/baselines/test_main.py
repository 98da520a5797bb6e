"""The commands are found by themselves, and examples in docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module

import pytest

from baselines.__main__ import command_modules, main
from tests.shared import ROOT

EXAMPLES = sorted(
    path.stem for path in (ROOT / "baselines").glob("*.py") if ">>> " in path.read_text(encoding="utf-8")
)


def test_every_module_of_commands_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    names = [module.__name__.rpartition(".")[2] for module in command_modules()]
    assert {"localization", "report", "retrieval", "selection"} <= {*names}
    with pytest.raises(SystemExit):
        main(["--help"])
    said = capsys.readouterr().out
    assert [name for name in names if f"    {name}" not in said] == []


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_are_true(name: str) -> None:
    found = doctest.testmod(import_module(f"baselines.{name}"))
    assert found.attempted and not found.failed
