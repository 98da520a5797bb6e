"""`python -m baselines SYSTEM train|predict …`: systems of the papers, learnt from a data set."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from baselines import commands
from evaluation.errors import InputError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command. Return 0, or 1 when a file cannot be used; standard error then says which and why."""
    parser = argparse.ArgumentParser(
        prog="python -m baselines",
        description="Train systems of the papers on a data set, and predict. docs/baselines.md has more.",
    )
    systems = parser.add_subparsers(title="systems", required=True, metavar="SYSTEM")
    for command in command_modules():
        command.register(systems)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except InputError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nInterrupted; nothing was written.", file=sys.stderr)
        return 130
    return 0


def command_modules() -> Iterator[ModuleType]:
    """Yield the modules of `baselines.commands`, in the order of their names."""
    for found in sorted(iter_modules(commands.__path__), key=lambda one: one.name):
        yield import_module(f"{commands.__name__}.{found.name}")


if __name__ == "__main__":
    sys.exit(main())
