from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from annotation.models import Image
from annotation.renditions import make_missing


class Command(BaseCommand):
    help = (
        "Make the smaller copies in which photographs are shown, where there are none yet. An import makes "
        "them, and a running server makes missing ones. This command is for those who do not want to wait."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--again", action="store_true", help="make all of them anew, for example after they were deleted"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["again"]:
            Image.objects.exclude(renditions=None).update(renditions=None)
        images = make_missing(made=self._say)
        self.stdout.write(f"renditions made for {images} photographs")

    def _say(self, images: int) -> None:
        if images % 100 == 0:
            self.stdout.write(f"{images} photographs")
