"""The other side of `benchmarks.aggregation`: runs crowd-kit, in whatever environment has it.

Imports nothing of the project, so that the interpreter of another environment can run it as a file:
`/that/environment/bin/python benchmarks/crowdkit_run.py < request.json`. The request has `rows` (item,
worker, label), `names` of labels and `iterations`; the answer has seconds, posteriors and accuracies by
method. It also made crowdkit.json in tests/workflows/analysis/domain/aggregation, rounded.
"""

import json
import sys
import time
from importlib import import_module, metadata
from typing import Any

METHODS = ("MajorityVote", "OneCoinDawidSkene", "DawidSkene")


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Every method on the rows. Raises ModuleNotFoundError where crowd-kit is not installed."""
    methods = import_module("crowdkit.aggregation")
    rows, names = request["rows"], request["names"]
    data = import_module("pandas").DataFrame(rows, columns=["task", "worker", "label"])
    items = sorted({item for item, _, _ in rows})
    workers = sorted({worker for _, worker, _ in rows})
    answer: dict[str, Any] = {"version": metadata.version("crowd-kit"), "items": items, "workers": workers}
    for name in METHODS:
        # It would stop before the end: what it takes for the likelihood counts the priors once a judgment,
        # not once an item, and so falls at times.
        options = {} if name == "MajorityVote" else {"n_iter": request["iterations"], "tol": float("-inf")}
        model = getattr(methods, name)(**options)
        begin = time.perf_counter()
        model.fit_predict_proba(data)
        seconds = time.perf_counter() - begin
        posterior = model.probas_.reindex(index=items, columns=names).fillna(0)
        answer[name] = {"seconds": seconds, "posterior": posterior.to_numpy().tolist()}
        if hasattr(model, "skills_"):
            answer[name]["accuracies"] = model.skills_.reindex(workers).to_numpy().tolist()
        if hasattr(model, "priors_") and model.priors_ is not None:
            answer[name]["priors"] = model.priors_.reindex(names).to_numpy().tolist()
    return answer


if __name__ == "__main__":
    json.dump(run(json.load(sys.stdin)), sys.stdout)
