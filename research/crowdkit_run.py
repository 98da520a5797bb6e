"""The other side of `research.aggregation`: runs crowd-kit, in any environment that has it.

It imports nothing of the project, so that the interpreter of another environment can run it as a file:
`/that/environment/bin/python research/crowdkit_run.py < request.json`. The request has `rows` (item,
worker, label), the `names` of labels, and `iterations`. The answer has seconds, posteriors and accuracies by
method. This module also made crowdkit.json in tests/workflows/analysis/domain/aggregation, where numbers are
rounded.
"""

import json
import sys
import time
from importlib import import_module, metadata
from typing import Any

METHODS = ("MajorityVote", "OneCoinDawidSkene", "DawidSkene")


def run(request: dict[str, Any]) -> dict[str, Any]:
    """Run every method on the rows. Raises ModuleNotFoundError if crowd-kit is not installed."""
    methods = import_module("crowdkit.aggregation")
    rows, names = request["rows"], request["names"]
    data = import_module("pandas").DataFrame(rows, columns=["task", "worker", "label"])
    items = sorted({item for item, _, _ in rows})
    workers = sorted({worker for _, worker, _ in rows})
    answer: dict[str, Any] = {"version": metadata.version("crowd-kit"), "items": items, "workers": workers}
    for name in METHODS:
        # Otherwise it would stop too early. Its likelihood counts the priors once for each judgment instead
        # of once for each item, so it falls at times.
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
