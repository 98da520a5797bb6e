"""Operations on bonuses: they are set up, then paid. To pay again pays twice, as the reference warns."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal, InvalidOperation

from simulation.emulators.prolific.errors import MissingError, RefusalError
from simulation.emulators.prolific.request_checks import texts
from simulation.emulators.prolific.requests import Reply, Request
from simulation.emulators.prolific.world import RESERVED, Study, Submission, World

MAX_LINES = 200


def create(world: World, request: Request) -> Reply:
    study_id, csv = texts(request.body, "study_id", "csv_bonuses")
    study = world.study(study_id)
    rows = [line for line in csv.splitlines() if line.strip()]
    if not 0 < len(rows) <= MAX_LINES:
        raise RefusalError(400, {"csv_bonuses": [f"Between 1 and {MAX_LINES} lines are required."]})
    lines = [_line(world, study, row) for row in rows]
    made = world.new_id()
    world.bulks[made] = (study.id, lines)
    amount = sum(cents for _, cents in lines)
    fees = sum(world.books.fee(cents) for _, cents in lines)
    return Reply(
        201,
        {
            "id": made,
            "study": study.id,
            "amount": amount,
            "fees": fees,
            "vat": 0,
            "total_amount": amount + fees,
        },
    )


def pay(world: World, request: Request) -> Reply:
    if request.ids[0] not in world.bulks:
        raise MissingError("The bulk bonus payment")
    study_id, lines = world.bulks[request.ids[0]]
    if sum(world.books.cost(cents) for _, cents in lines) > world.available:
        raise RefusalError(400, "You do not have enough funds in your balance. Top up your account.")
    now = world.clock.now()
    for submission_id, cents in lines:
        shown = now + timedelta(seconds=world.bonus_seconds)
        world.submissions[submission_id].bonuses.append((cents, shown))
        world.books.pay("bonus", cents, study=study_id, submission=submission_id, at=now)
    return Reply(202, "Bonus payments are being processed.")


def _line(world: World, study: Study, row: str) -> tuple[str, int]:
    """Return the submission and the cents of `<submission or participant>,<amount in the main unit>`."""
    who, _, amount = row.partition(",")
    found = _found(world, study, who.strip())
    if found is None:
        raise RefusalError(400, {"csv_bonuses": [f"{who} did not take part in this study."]})
    try:
        cents = Decimal(amount.strip()) * 100
    except InvalidOperation:
        cents = Decimal(0)
    if cents <= 0 or cents != cents.to_integral_value():
        raise RefusalError(400, {"csv_bonuses": [f"{amount} is no amount."]})
    return found.id, int(cents)


def _found(world: World, study: Study, who: str) -> Submission | None:
    mine = [one for one in world.of_study(study) if one.status != RESERVED]
    return next((one for one in mine if who in (one.id, one.participant)), None)
