from __future__ import annotations

import getpass
import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Model
from django.utils import timezone

from annotation.models import Worker
from workflows.batch_settings.domain.crowd_settings import PLATFORMS
from workflows.core.audit_log import record_action
from workflows.crowd import actions
from workflows.crowd.errors import VerbError
from workflows.crowd.models import Payment, Publication
from workflows.crowd.payments.withdraw import withdraw
from workflows.crowd.publications.extend import extend
from workflows.crowd.publications.orphans import expire_orphan
from workflows.crowd.publications.write_off import write_off
from workflows.crowd.rounds.reconcile import BusyError, reconcile
from workflows.crowd.rounds.status import status_lines
from workflows.crowd.rounds.step import rounds_of, step
from workflows.money.domain.currencies import amount
from workflows.platforms import registry
from workflows.platforms.accounts import accounts
from workflows.platforms.messages import MessageError, message
from workflows.platforms.provider import Provider, ProviderError
from workflows.workers.models import Participation

CALLS = ("step", "reconcile", "balance", "message")
PLACES = ("approve", "reject", "bonus", "pay-part")
PUBLICATIONS = ("expire", "extend", "write-off")
PAYMENTS = ("retry", "withdraw")


class Command(BaseCommand):
    help = (
        "Look after publications and pay on a crowd platform. Decisions are carried out by the next round: "
        "background workers make one every 30 s, and `crowd step` makes one at once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["status", *CALLS, *PLACES, *PUBLICATIONS, *PAYMENTS])
        parser.add_argument(
            "--provider", default="", help="mturk or prolific (default: the only account here)"
        )
        parser.add_argument(
            "--of",
            metavar="ID",
            help="the platform's id: assignment, submission, HIT or study; retry, withdraw: a payment",
        )
        parser.add_argument(
            "--worker",
            action="append",
            default=[],
            metavar="ID",
            help="the platform's id of a worker; message: can be given several times",
        )
        parser.add_argument(
            "--amount", type=int, help="bonus, pay-part: amount in the currency's smallest unit (cents)"
        )
        parser.add_argument("--more", type=int, help="extend: how many places to add")
        parser.add_argument("--reason", default="", help="reject, bonus, pay-part: what the worker reads")
        parser.add_argument("--subject", default="", help="message: the subject")
        parser.add_argument("--text", default="", help="message: the text")
        parser.add_argument(
            "--token", default="", help="bonus, pay-part: pays once for each token, however often it is run"
        )
        parser.add_argument(
            "--again", action="store_true", help="bonus, pay-part: pay the same amount again within an hour"
        )
        parser.add_argument(
            "--by", default="", help="your name, for the audit log (default: your account on this machine)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._act(options["action"], options)
        except actions.EqualError as error:
            raise CommandError(f"{error} Give --again to pay it once more") from error
        except (
            registry.NoAccountError,
            registry.LiveMoneyError,
            VerbError,
            MessageError,
            BusyError,
        ) as error:
            raise CommandError(str(error)) from error
        except ProviderError as error:
            raise CommandError(f"the platform says: {error}. Nothing is lost. Try again") from error

    def _act(self, action: str, options: dict[str, Any]) -> None:
        if action == "status":
            for line in status_lines():
                self.stdout.write(line)
            return
        provider = registry.provider(options["provider"] or _only_account())
        by = (options["by"] or getpass.getuser())[:150]
        if action in CALLS:
            self._call(action, provider, by, options)
        elif action in PLACES:
            self._decide(action, provider, by, options)
        elif action in PUBLICATIONS:
            self._publication(action, provider, by, options)
        elif action == "withdraw":
            payment = withdraw(payment_id=_number(options["of"]), now=timezone.now())
            detail = {"amount": payment.amount, "currency": payment.currency}
            self._audit("crowd.withdraw", payment.participation, by, **detail)
            money = amount(payment.amount, payment.currency)
            self.stdout.write(
                f"{payment} of {money}: withdrawn. It will never be paid, and its money is free"
            )
        elif actions.retry(payment_id=_number(options["of"]), now=timezone.now()):
            payment = Payment.objects.select_related("participation__publication").get(pk=options["of"])
            self._audit("crowd.retry", payment.participation, by)
            self.stdout.write("the platform will be asked again")
        else:
            raise CommandError("this payment was not refused, or the cap still leaves no room for it")

    def _call(self, action: str, provider: Provider, by: str, options: dict[str, Any]) -> None:
        now = timezone.now()
        if action == "step":
            self.stdout.write(step(provider=provider, now=now, patient=False).words)
        elif action == "balance":
            funds = provider.balance()
            if funds is None:
                self.stdout.write("the platform does not tell")
                return
            currency = funds.money.currency
            self.stdout.write(amount(funds.money.amount, currency))
            for name, part in funds.parts:
                self.stdout.write(f"  {name} {amount(part, currency)}")
        elif action == "message":
            self._message(provider, by, options)
        else:
            rounds = rounds_of(provider, clock=timezone.now)
            report = reconcile(provider=provider, now=now, rounds=rounds)
            for line in report.repaired:
                self.stdout.write(f"repaired  {line}")
            for line in report.problems:
                self.stdout.write(f"problem   {line}")
            self.stdout.write(
                f"{report.compared} publications compared, {len(report.repaired)} repairs, "
                f"{len(report.problems)} open problems, {report.gone} closed"
            )
            if report.failed:
                self.stdout.write(
                    f"{report.failed} could not be compared: see the log and run the command again"
                )

    def _message(self, provider: Provider, by: str, options: dict[str, Any]) -> None:
        names = options["worker"]
        if not names:
            raise CommandError("give --worker ID for each worker to write to")
        unreached = message(
            provider=provider, workers=names, subject=options["subject"], text=options["text"]
        )
        for worker in Worker.objects.filter(provider=provider.name, external_id__in=names):
            self._audit("crowd.message", worker, by, project=worker.project, subject=options["subject"])
        self.stdout.write(f"sent to {len(names) - len(unreached)} of {len(names)}")
        for name in unreached:
            self.stdout.write(f"not reached: {name}")

    def _decide(self, action: str, provider: Provider, by: str, options: dict[str, Any]) -> None:
        one = _participation(provider, options)
        now, said = timezone.now(), {}
        if action == "approve":
            actions.approve(participation_id=one.pk, by=by, now=now)
        elif action == "reject":
            said = {"reason": options["reason"]}
            actions.reject(provider=provider, participation_id=one.pk, by=by, now=now, **said)
        else:
            kind = Payment.Kind.BONUS if action == "bonus" else Payment.Kind.PART
            said = {
                "amount": options["amount"] or 0,
                "reason": options["reason"],
                "token": options["token"] or str(uuid.uuid4()),
            }
            payment = actions.pay_more(
                provider=provider,
                participation_id=one.pk,
                kind=kind,
                again=options["again"],
                by=by,
                now=now,
                **said,
            )
            if payment.state == Payment.State.WAITING:
                self.stdout.write("the payment waits, because the batch's cap has no room for it")
        self._audit("crowd.part" if action == "pay-part" else f"crowd.{action}", one, by, **said)
        self.stdout.write(f"{action}: {one}, {one.worker.external_id}; the next round carries it out")

    def _publication(self, action: str, provider: Provider, by: str, options: dict[str, Any]) -> None:
        found = Publication.objects.filter(
            provider=provider.name, environment=provider.environment, external_id=options["of"] or "-"
        ).first()
        if found is None and action == "expire":
            expire_orphan(provider=provider, external_id=options["of"] or "")
            record_action(
                by=by,
                action="crowd.expire",
                now=timezone.now(),
                kind="publication",
                object=options["of"],
                detail={"provider": provider.name, "unknown": "yes"},
            )
            self.stdout.write(f"{options['of']}: closed. Approve on the platform what was submitted")
            return
        if found is None:
            raise CommandError(
                f"--of {options['of']}: there is no publication with this id; `crowd status` lists them"
            )
        if action == "expire":
            if not actions.expire(publication_id=found.pk):
                raise CommandError("it is closed already, or about to be")
            self.stdout.write(f"{found}: the next round closes it")
        elif action == "extend":
            extend(provider=provider, publication_id=found.pk, more=options["more"] or 0, now=timezone.now())
            self.stdout.write(f"{found}: {options['more']} places added")
        else:
            released = write_off(provider=provider, publication_id=found.pk, now=timezone.now())
            self.stdout.write(f"{found}: {amount(released, found.currency)} released")
        self._audit(f"crowd.{action}", found, by)

    def _audit(self, action: str, about: Model, by: str, **detail: Any) -> None:
        project = detail.pop("project", None)
        if project is None:
            publication = about.publication if isinstance(about, Participation) else about
            assert isinstance(publication, Publication)
            project = publication.batch.project
        record_action(
            by=by,
            action=action,
            now=timezone.now(),
            project=project,
            kind=str(about._meta.model_name),
            object=str(about),
            object_id=about.pk,
            detail=detail,
        )


def _only_account() -> str:
    """Return the platform of the only account that is set here."""
    here = list(accounts())
    if len(here) != 1:
        names = " or ".join(here or PLATFORMS)
        found = "are accounts on several platforms" if here else "is no account on a platform"
        raise CommandError(f"there {found} here: give --provider {names}")
    return here[0]


def _participation(provider: Provider, options: dict[str, Any]) -> Participation:
    found = Participation.objects.filter(
        publication__provider=provider.name,
        publication__environment=provider.environment,
        external_id=options["of"] or "-",
    ).select_related("publication__batch__project", "worker")
    if options["worker"]:
        found = found.filter(worker__external_id__in=options["worker"])
    several = list(found[:3])
    if not several:
        raise CommandError(f"--of {options['of']}: nobody took a place with this id")
    if len(several) > 1:
        names = ", ".join(one.worker.external_id for one in several)
        raise CommandError(f"several workers had this place ({names}): name one with --worker")
    return several[0]


def _number(text: str | None) -> int:
    if not text or not text.isdigit() or not Payment.objects.filter(pk=int(text)).exists():
        raise CommandError(f"--of {text}: there is no payment with this number; `crowd status` lists them")
    return int(text)
