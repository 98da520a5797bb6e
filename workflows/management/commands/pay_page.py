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
    help = "Owe a direct worker a bonus, or part of the pay for a broken page. The next payroll has it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("page", type=UUID, help="the page's id")
        parser.add_argument(
            "--amount", type=int, required=True, help="amount in the currency's smallest unit (cents)"
        )
        parser.add_argument("--reason", required=True, help="why; kept with the ledger's entry")
        parser.add_argument("--by", default="command line", help="your name, for the audit log")
        parser.add_argument(
            "--token",
            default=PART,
            help="distinguishes several payments for one page; each token is owed once (default: part)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        pages = Assignment.objects.select_related("batch__project", "worker")
        page = pages.filter(pk=options["page"]).first()
        if page is None:
            raise CommandError(f"there is no page with the id {options['page']}")
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
        self.stdout.write("owed" if owed else "it was owed already: nothing changed")
