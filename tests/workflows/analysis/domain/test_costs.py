from __future__ import annotations

from fractions import Fraction

from workflows.analysis.domain.costs import Costs, Outcome, ResultCost, costs_of_results


def test_a_result_costs_its_share_of_everything() -> None:
    found = Outcome(boxes=40, chains=20, images=0)
    costs = Costs("USD", rewards=100, bonuses=10, fees=23, reserved=7, cap=200, outcome=found)
    assert (costs.spent, costs.left) == (133, 60)
    assert costs.results == (
        ResultCost("accepted box", 40, Fraction(133, 40)),
        ResultCost("finished chain", 20, Fraction(133, 20)),
        ResultCost("finished image", 0, None),
    )
    assert costs.results == costs_of_results(133, found)
