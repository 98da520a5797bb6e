"""`make fault-drill SEED=… MINUTES=…`: faults against both databases, in half of the minutes each.

`--database sqlite` takes one of them, and `--smoke` kills each service once. What was done and found is
printed, and is in var/fault-drill/ with the logs. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import django

from config.serve import ROOT
from scripts.fault_drill.disk import disk
from scripts.fault_drill.stores import Stores, embedded_stores, emulators, server_stores

DATABASES = ("sqlite", "postgres")
OUT = ROOT / "var" / "fault-drill"


def main(arguments: list[str]) -> int:
    """Run the drill. Return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="make fault-drill", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--database", choices=DATABASES)
    parser.add_argument("--smoke", action="store_true", help="kill each service once, and nothing else")
    parser.add_argument("--out", type=Path, default=OUT, help="the folder of the report and the logs")
    options = parser.parse_args(arguments)
    if options.minutes <= 0:
        parser.error("--minutes has to be more than 0")
    if options.database:
        out = options.out / f"{options.database}-{options.seed}"
        return run_one(options.database, options.seed, options.minutes * 60, out, smoke=options.smoke)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    codes = []
    for database in DATABASES:  # Django is set up for one database only
        told = ["--seed", str(options.seed), "--minutes", str(options.minutes / len(DATABASES))]
        told += ["--database", database, "--out", str(options.out)]
        command = [sys.executable, "-m", "scripts.fault_drill", *told]
        with subprocess.Popen(command, cwd=ROOT) as process:
            try:
                codes.append(process.wait())
            except BaseException:
                process.terminate()  # it ends its servers and waits for them
                raise
    return int(any(codes))


def run_one(database: str, seed: int, seconds: float, out: Path, *, smoke: bool) -> int:
    """Run the drill against one database for so many seconds. Return 1 if anything was found."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # or the servers would stay
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with _folder() as folder, ExitStack() as stack:
        room = stack.enter_context(disk(folder / "disk"))
        start = server_stores if database == "postgres" else embedded_stores
        stores: Stores = stack.enter_context(start(room.folder, out))
        os.environ.update(stores.ours)
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings",
            GROUNDCREW_VAR=str(room.folder / "var"),
            GROUNDCREW_SECRET_KEY="only for this drill, " * 3,
            GROUNDCREW_CONTACT="drill@example.org",
            GROUNDCREW_SWEEP_SECONDS="2",
            GROUNDCREW_ACCESS_LOG="1",
        )
        # The platforms are somewhere else, so that they do not share the disk.
        servers, platforms = stack.enter_context(emulators(folder, out))
        os.environ["GROUNDCREW_SITE"] = stores.site
        django.setup()
        from scripts.fault_drill.run import FaultDrill

        drill = FaultDrill(stores, room, servers, platforms, seed, seconds, out, smoke=smoke)
        return drill.run()


@contextmanager
def _folder() -> Iterator[Path]:
    # PostgreSQL, which does not run as root, has to pass through it.
    with tempfile.TemporaryDirectory(prefix="groundcrew-fault-drill-", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        yield Path(name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
