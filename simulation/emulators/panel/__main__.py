"""Runs the panel until it is interrupted: `python -m simulation.emulators.panel --address ADDRESS`.

The first line that it prints names its own address.
"""

from __future__ import annotations

import argparse
import threading

from simulation.emulators.panel.server import Panel
from simulation.emulators.panel.world import World

IDS = "?participantId={participant}&assignmentId={assignment}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m simulation.emulators.panel", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="the port; 0: any free one")
    parser.add_argument(
        "--address",
        required=True,
        help=f"the batch's address; without {{participant}} in it, {IDS} is added",
    )
    parser.add_argument("--code", default="DONE", help="the study's completion code (default: DONE)")
    parser.add_argument("--out-code", default="OUT", help="the code for who is turned away (default: OUT)")
    parser.add_argument("--quota", type=int, default=10**6, help="places of the study")
    given = parser.parse_args()
    address = given.address if "{participant}" in given.address else given.address + IDS
    world = World(address=address, code=given.code, out_code=given.out_code, quota=given.quota)
    with Panel(world, port=given.port) as panel:
        print(f"A panel is emulated at {panel.url}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
