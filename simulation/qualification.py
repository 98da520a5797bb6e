"""Lets simulated workers take qualification tests: first the training, then the scored part."""

from collections.abc import Callable, Mapping
from typing import Any

from simulation.client import Client

Answering = Callable[[str, Mapping[str, Any]], dict[str, Any]]
"""A function from a stage and a question, as the API shows it, to the answer object."""


def take_tests(client: Client, answering: Answering) -> int:
    """Take the test of every stage that requires one, once. Return the number of answers. Raise ApiError."""
    standings = client.standings()
    return sum(
        take_test(client, stage, answering) for stage, standing in standings.items() if standing == "test"
    )


def take_test(client: Client, stage: str, answering: Answering) -> int:
    """Take the test of a stage once. Return the number of answers. Raise ApiError."""
    tries = f"qualifications/{stage}/tries"
    begun = client.ask(tries, {})
    answers = 0
    if begun is not None and begun["part"] == "training":
        where = f"{tries}/{begun['number']}/training"
        for entry in begun["items"]:
            if entry["item"] not in begun["answered"]:
                client.ask(where, {"item": entry["item"], "answer": answering(stage, entry["question"])})
                answers += 1
        begun = client.ask(tries, {})
    if begun is None or begun["part"] != "testing":
        return answers
    given = [
        {"item": entry["item"], "answer": answering(stage, entry["question"])} for entry in begun["items"]
    ]
    client.ask(f"{tries}/{begun['number']}/submission", {"answers": given})
    return answers + len(given)
