"""Runs the emulator until it is interrupted: `python -m simulation.emulators.prolific --port 8777`.

The first line that it prints names its address.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from simulation.emulators.prolific.books import Books
from simulation.emulators.prolific.clock import Clock
from simulation.emulators.prolific.faults import FaultError, read_fault
from simulation.emulators.prolific.server import Emulator
from simulation.emulators.prolific.world import World

DELIVERY_SECONDS = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m simulation.emulators.prolific", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port; 0: any free one")
    parser.add_argument("--data", type=Path, help="file to keep the state in (default: none)")
    parser.add_argument("--token", default="emulated", help="the token that requests need")
    parser.add_argument("--funds", type=int, default=100_000, help="funds of the account, in pence or cents")
    parser.add_argument("--currency", default="GBP")
    parser.add_argument(
        "--fee", type=int, default=428, metavar="PER_MILLE", help="the fee on rewards and bonuses"
    )
    parser.add_argument("--seed", type=int, default=0, help="random seed of the ids")
    parser.add_argument(
        "--clock", type=float, default=0, metavar="SECONDS", help="how far its clock is ahead, or behind"
    )
    parser.add_argument("--bonus-seconds", type=float, default=0, help="from paying a bonus to showing it")
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="KIND[:OPERATION[:TIMES[:SKIP]]]",
        help="see README.md",
    )
    given = parser.parse_args()
    world = World(
        token=given.token,
        books=Books(given.fee, given.currency),
        clock=Clock(given.clock),
        bonus_seconds=given.bonus_seconds,
        seed=given.seed,
    )
    try:
        world.faults.planned = [read_fault(text) for text in given.fault]
    except FaultError as error:
        parser.error(str(error))
    with Emulator(world, port=given.port, funds=given.funds, data=given.data) as emulator:
        print(f"Prolific is emulated at {emulator.url}", flush=True)
        try:
            while True:
                time.sleep(DELIVERY_SECONDS)
                emulator.hooks.deliver()
        except KeyboardInterrupt:
            print("ended")


if __name__ == "__main__":
    main()
