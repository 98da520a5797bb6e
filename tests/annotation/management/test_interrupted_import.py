from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from annotation.models import Caption, Image
from tests.annotation.importing.test_processes import ended, environment
from tests.selection import and_nightly
from tests.services import database_url

pytestmark = pytest.mark.slow("interrupts an import's processes many times")

COMMAND = """
import sys
import django
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    django.setup()
    from annotation.management.commands import import_corpus

    def ready(options, check=import_corpus._check):
        print("ready", flush=True)
        check(options)

    import_corpus._check = ready
    execute_from_command_line(["manage.py", "import_corpus", *sys.argv[1:]])
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("pause", and_nightly([0.2, 2.0], [0.0, 0.5, 0.8, 1.2], "other moments"))
def test_ctrl_c_ends_the_import_and_its_processes_at_any_time(tmp_path: Path, pause: float) -> None:
    """Ctrl-C is sent to the whole group, as a terminal does.

    It comes while processes start, load their model, and work.
    """
    script, corpus = tmp_path / "command.py", tmp_path / "captions.token"
    script.write_text(COMMAND)
    corpus.write_text(
        "".join(f"{n}.jpg#0\tA man number x{n} holds y{n} and two z{n}.\n" for n in range(20_000))
    )
    command = [sys.executable, str(script), str(corpus), "--project=corpus", "--format=flickr30k-token"]
    report = tmp_path / "problems"
    with subprocess.Popen(
        [*command, "--processes=2", f"--report={report}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(DATABASE_URL=database_url()),
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout and process.stdout.readline() == "ready\n"
            time.sleep(pause)
            children = [child.pid for child in psutil.Process(process.pid).children(recursive=True)]
            os.killpg(process.pid, signal.SIGINT)
            _, said = process.communicate(timeout=10)
        finally:
            process.kill()
    assert said == "CommandError: Interrupted. Run the same command again to continue\n"
    assert process.returncode == 130
    assert ended(children) and list(tmp_path.glob("*problems*")) == []
    assert Image.objects.count() == Caption.objects.count()
