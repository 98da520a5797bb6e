"""Plant small faults in the product, one at a time, and see which test notices: `make mutations`.

A suite that gets faster must not catch less, and this measures it. `faults.toml` lists the faults. Each is
found by its text, which occurs exactly once in the product, and never by a path, since modules move. So the
same list can be planted in an older or a newer checkout: `python -m scripts.mutations --tree DIR`.

The checkout itself is never touched: faults are planted in a copy beside it. For each, the tests nearest to
it run first, and the first that fails ends the search:

1. tests named as the changed module is, and for a page's module the unit tests beside it;
2. tests that import the module;
3. those of the folder that mirrors the module's; for a page's module all unit tests;
4. tests that import what imports the module; for a page's module those in a browser;
5. those of the folders above the mirrored one: permissions of all views, say.

In each group those go first that share rare words with the text that goes. With `--rest`, all other tests
follow if none of these fails. A test that fails catches the fault only if it passes without it. Results are
kept in a file, and a second run goes on where the first stopped.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from scripts.mutations.faults import (
    MutationError,
    copied,
    digest_of,
    find,
    product,
    read_list,
    tracked,
)
from scripts.mutations.nearest_tests import Graph
from scripts.mutations.results import counts, load, save, table
from scripts.mutations.runner import Runner
from tests.servers import UNCOUNTED, postgres, redis

ROOT = Path(__file__).resolve().parents[2]
OUT = Path("benchmarks", "out", "mutations.json")


def _revision(tree: Path) -> str:
    asked = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    return subprocess.run(asked, cwd=tree, check=True, capture_output=True, text=True).stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant each mutation that has no result yet. Returns the exit code: 0 when all were caught."""
    parser = argparse.ArgumentParser(description="Plant small faults, and see which test notices.")
    parser.add_argument("names", nargs="*", help="of mutations; all, if none is named")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout, where it is not this one")
    parser.add_argument(
        "--out", type=Path, help=f"where results are kept; {OUT} of the checkout, if not said"
    )
    parser.add_argument(
        "--rest", action="store_true", help="all other tests, too, where the nearest all pass"
    )
    parser.add_argument("--again", action="store_true", help="also those that have a result already")
    parser.add_argument("--list", action="store_true", help="show what there is and where, and plant nothing")
    parser.add_argument("-n", type=int, default=2, dest="processes", help="processes of pytest")
    options = parser.parse_args(arguments)
    tree = options.tree.resolve()
    out = options.out or tree / OUT
    try:
        mutations = read_list()
        if unknown := set(options.names) - {one.name for one in mutations}:
            raise MutationError(f"there is no mutation {', '.join(sorted(unknown))}")
        chosen = [one for one in mutations if not options.names or one.name in options.names]
        files = tracked(tree)
        texts = product(tree, files)
        places = {one.name: find(one, texts) for one in chosen}
    except MutationError as error:
        print(error, file=sys.stderr)
        return 2
    if options.list:
        for one in chosen:
            paths = ", ".join(change.path for change in places[one.name])
            print(f"{one.name} ({one.kind}): {one.breaks}\n    {paths}")
        return 0
    # Ends the servers and removes the copy, too, when somebody stops the run.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    revision = _revision(tree)
    results = {} if options.again and not options.names else load(out, revision)
    open_ = [
        one
        for one in chosen
        if options.again or one.name not in results or results[one.name].digest != digest_of(places[one.name])
    ]
    with ExitStack() as stack:
        copy = stack.enter_context(copied(tree, files))
        runner = Runner(copy, Graph(copy, files), processes=options.processes, rest=options.rest)
        for one in open_:
            if one.postgres and not runner.servers:
                runner.servers = {
                    "DATABASE_URL": stack.enter_context(postgres(settings=UNCOUNTED)),
                    "REDIS_URL": stack.enter_context(redis()),
                }
            result = results[one.name] = runner.look(one, places[one.name])
            save(out, revision, results)
            said = result.caught or f"NOT CAUGHT {result.why}"
            print(f"{result.seconds:7.1f} s  {one.name}: {said}", flush=True)
    print("\n".join(["", *table(chosen, results), "", counts(chosen, results)]))
    return 0 if all(results[one.name].caught for one in chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
