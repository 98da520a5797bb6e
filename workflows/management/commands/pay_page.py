from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.models import Assignment
from workflows.crowd.direct.extra_pay import PART, DirectPayError, pay_more
from workflows.money.domain.ledger import CapError


class Command(BaseCommand):
    help = (
        "Owe a worker without a platform a part for a page that broke, or a bonus; the next payroll has it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("page", type=UUID, help="the page's id")
        parser.add_argument("--amount", type=int, required=True, help="in the currency's smallest unit")
        parser.add_argument("--reason", required=True, help="kept with the entry")
        parser.add_argument("--by", default="command line", help="who asks, for the audit log")
        parser.add_argument(
            "--token",
            default=PART,
            help="tells several for one page apart: each is owed once (default: part)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        pages = Assignment.objects.select_related("batch__project", "worker")
        page = pages.filter(pk=options["page"]).first()
        if page is None:
            raise CommandError(f"page: there is none of id {options['page']}")
        try:
            owed = pay_more(
                page=page,
                amount=options["amount"],
                reason=options["reason"],
                by=options["by"],
                now=timezone.now(),
                token=options["token"],
            )
        except CapError as error:
            raise CommandError(f"{error}: raise the batch's cap first, or pay less") from error
        except DirectPayError as error:
            raise CommandError(str(error)) from error
        self.stdout.write("owed" if owed else "was owed before: nothing changed")
