"""Runs an emulator. It prints one line of JSON with its address, then serves until it is interrupted."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path

from simulation.emulators.mturk.faults import FaultError, Kind
from simulation.emulators.mturk.run import FUNDS, make_world, serve


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m simulation.emulators.mturk", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port; 0 (default): any free one")
    parser.add_argument("--data", type=Path, help="file to keep the state in (default: none)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the ids")
    parser.add_argument("--funds", type=int, default=FUNDS, help="funds of the account, in cents")
    parser.add_argument("--skew", type=float, default=0.0, help="seconds by which its clock is ahead")
    parser.add_argument("--stand", type=float, help="stop its clock at so many seconds since 1970")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND[,NAME=VALUE…]",
        help=f"one of {', '.join(Kind)}; operation, nth, every, times, once, seconds, pid, code",
    )
    given = parser.parse_args()
    try:
        world = make_world(
            seed=given.seed, funds=given.funds, faults=given.fault, skew=given.skew, stand=given.stand
        )
    except FaultError as error:
        parser.error(str(error))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    serve(world, given.port, given.data)


if __name__ == "__main__":
    main()
