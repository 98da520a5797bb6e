"""Loaded before Django reads its settings: everything that a test run writes is in a temporary folder.

If there are several pytest processes, each has a folder of its own. So it also has its own SQLite database,
broker and images, and a Redis database of its own.

Bytecode is kept, even if PYTHONDONTWRITEBYTECODE says not to, as in many images of containers. Without it,
each process of a run would compile all tests anew. This takes half a minute, since pytest rewrites their
asserts.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from hypothesis import HealthCheck, settings

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# `make test-nightly` tries a hundred examples of a property, other ones each night. `make test-all` tries
# fifty and `make test` twenty-five, always the same ones, so that a run fails for what was changed and not
# by chance.
settings.register_profile("all", settings.get_profile("suite"), max_examples=50, derandomize=True)
settings.register_profile("quick", settings.get_profile("suite"), max_examples=25, derandomize=True)

# A shell lets background jobs ignore Ctrl-C, and so do all processes that they start: also those that a test
# interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if "GROUNDCREW_TEST_VAR" not in os.environ:
    folder = tempfile.mkdtemp(prefix="groundcrew-tests-")
    os.environ["GROUNDCREW_TEST_VAR"] = folder
    atexit.register(shutil.rmtree, folder, ignore_errors=True)

worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
os.environ["GROUNDCREW_VAR"] = str(Path(os.environ["GROUNDCREW_TEST_VAR"]) / worker)
os.environ["GROUNDCREW_SECRET_KEY"] = "only-for-tests-" + 8 * "0123456789"
# A batch that pays or tests its workers is launched only if they have somebody to write to.
os.environ["GROUNDCREW_CONTACT"] = "lab@example.org"
# Tests never use an account of whoever runs them, whatever goes wrong.
for name in [
    name for name in os.environ if name.startswith(("GROUNDCREW_MTURK", "GROUNDCREW_PROLIFIC", "AWS_"))
]:
    del os.environ[name]
# Nor any other secret of theirs, such as the database of a site. DATABASE_URL and REDIS_URL are for tests.
for name in ("DATABASE_URL", "DATABASE_PASSWORD", "REDIS_URL", "GROUNDCREW_SECRET_KEY"):
    os.environ.pop(f"{name}_FILE", None)
if os.environ.get("REDIS_URL") and worker != "main":
    parts = urlsplit(os.environ["REDIS_URL"])
    os.environ["REDIS_URL"] = parts._replace(path="/" + worker.removeprefix("gw")).geturl()
