"""`make rehearsal`: the demo through Prolific's emulator, with every page done in a real browser.

Scenes, workers and settings are those of `make demo PROVIDER=prolific`. Workers take places at the emulator's
site, work on our pages with mouse and keyboard, and go back. Only the pages send anything.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.browser import BrowserUnavailableError, obtain, this_machine
from simulation import demo

if TYPE_CHECKING:
    from scripts.browser_crowd import ByBrowser

BROWSERS = 2
SHOWN = 20
"""How many lines of what is wrong are printed. Their total number is printed, too."""


def main() -> int:
    """Run the rehearsal. Return 0, or 1 if something failed or is wrong, and say on stderr what."""
    parser = argparse.ArgumentParser(prog="scripts.rehearsal", description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=demo.SCENES)
    parser.add_argument("--workers", type=int, default=demo.WORKERS)
    parser.add_argument("--browsers", type=int, default=BROWSERS, help=f"at once (default: {BROWSERS})")
    options = parser.parse_args()
    if options.browsers < 1:
        parser.error("--browsers: at least 1")
    try:
        executable = obtain(this_machine())
    except BrowserUnavailableError as error:
        print(error, file=sys.stderr)
        return 1
    crowds: list[ByBrowser] = []

    def crowd() -> ByBrowser:
        from django.conf import settings

        from scripts.browser_crowd import ByBrowser, Record

        crowds.append(ByBrowser(options.browsers, executable, Record(Path(settings.VAR) / "rehearsal")))
        return crowds[-1]

    begin = time.monotonic()
    told = ("--provider", "prolific", "--scenes", str(options.scenes), "--workers", str(options.workers))
    code = demo.main(told, crowd)
    return max([code, *(_conclude(one, time.monotonic() - begin) for one in crowds)])


def _conclude(crowd: ByBrowser, seconds: float) -> int:
    """Print what was done and what is wrong. Return 1 if anything is wrong."""
    from django.db.models import Sum

    from scripts.stored_answers import differences
    from workflows.money.models import LedgerLine

    record = crowd.record
    lines = LedgerLine.objects.filter(entry__batch__project__name=crowd.project)
    cents = dict(lines.values_list("account").annotate(Sum("amount")))
    print(
        f"{len(record.sent)} pages in browsers, {sum(len(sent.said) for sent in record.sent)} judgments; "
        f"{cents.get('rewards', 0):,} cents of rewards, {cents.get('bonuses', 0)} of bonuses, "
        f"{cents.get('fees', 0):,} of fees; {seconds:.0f} s"
    )
    wrong = {
        f"pages on which a worker did not get on (screenshots in {record.folder})": record.failures,
        "answers that the page took otherwise, or after a second try": record.findings,
        "answers that are stored otherwise": differences(record.sent),
        "errors that browsers reported": record.watch.unexpected(),
    }
    for what, found in wrong.items():
        if found:
            print("\n".join([f"{what}: {len(found)}", *found[:SHOWN]]), file=sys.stderr)
    if any(wrong.values()):
        return 1
    if record.busy():
        print(f"{record.busy()} replies said that the service was busy; the pages asked again.")
    print("Every answer is stored as it was given, and no browser reported an error.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
