"""`python -m simulation.scenes FOLDER`: draws scenes as a data set, with their truth and three splits."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from simulation.scenes.write import write_scenes

SPLITS = {"train": 400, "val": 100, "test": 100}
SEED = 2015


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw scenes. Return 0, or 1 if the folder is not empty, or if something cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m simulation.scenes", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    for split, count in SPLITS.items():
        parser.add_argument(f"--{split}", type=int, default=count, help="images (default: %(default)s)")
    parser.add_argument(
        "--boxes",
        type=Path,
        metavar="FILE",
        help="write the boxes of all that is drawn, named by captions or not, with labels (JSON lines)",
    )
    options = parser.parse_args(arguments)
    splits = {split: getattr(options, split) for split in SPLITS}
    total = sum(splits.values())
    try:
        with tqdm(total=total, desc="Drawing scenes", unit=" images", disable=None) as bar:
            write_scenes(options.folder, total, options.seed, bar.update, splits, labelled=options.boxes)
    except OSError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{options.folder} has {total} scenes.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
