"""Firefox, by WebDriver BiDi, which it speaks itself. Another driver would need geckodriver.

The package `websockets` carries the messages. There is no other library: each command is one line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.e2e.engines.engine import ANSWER_SECONDS, WINDOW, Engine, EngineError, Source

START_SECONDS = 60
STOP_SECONDS = 10
ADDRESS_FILE = "WebDriverBiDiServer.json"
"""In its profile, Firefox writes here at which port it listens."""
PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en",
    # A mouse that can hover, as at a desk. Without a screen, there would be no pointer.
    "ui.primaryPointerCapabilities": 6,
    "ui.allPointerCapabilities": 6,
    # Names of other machines are not resolved, whatever a page asks for.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1,localhost,0.0.0.0",
    # The address 0.0.0.0 is this machine, too, and a plain page there has no secure context.
    "network.socket.ip_addr_any.disabled": False,
}


class Firefox(Engine):
    def __init__(self, socket: ClientConnection) -> None:
        super().__init__()
        self._socket = socket
        self._numbers = count(1)
        self._heard: list[dict[str, Any]] = []
        self._tell("session.new", capabilities={})
        self._tell("session.subscribe", events=["log.entryAdded"])
        self._user, self._page, self._here = "", "", ""
        self.begin()

    def begin(self) -> None:
        """Begin anew in a container of its own, which shares no storage with those before."""
        before, self._heard = self._user, []
        self._user = self._tell("browser.createUserContext")["userContext"]
        self._page = self._tell("browsingContext.create", type="tab", userContext=self._user)["context"]
        self._here = self._page
        width, height = WINDOW
        size = {"width": width, "height": height}
        self._tell("browsingContext.setViewport", context=self._page, viewport=size, devicePixelRatio=1)
        if before:
            self._tell("browser.removeUserContext", userContext=before)

    def open(self, url: str) -> None:
        self._here = self._page
        self._tell("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        said = self._tell(
            "script.evaluate", expression=expression, target={"context": self._here}, awaitPromise=True
        )
        if said["type"] == "exception":
            raise EngineError(said["exceptionDetails"]["text"])
        return said["result"].get("value")

    def act(self, source: Source) -> None:
        self._tell("input.performActions", context=self._here, actions=[source])

    def put_files(self, selector: str, paths: Sequence[Path]) -> None:
        css = {"type": "css", "value": selector}
        (node,) = self._tell("browsingContext.locateNodes", context=self._here, locator=css)["nodes"]
        element = {"sharedId": node["sharedId"]}
        self._tell("input.setFiles", context=self._here, element=element, files=[str(p) for p in paths])

    def enter_frame(self) -> None:
        (page,) = self._tell("browsingContext.getTree", root=self._page)["contexts"]
        (frame,) = page["children"]
        self._here = frame["context"]

    def errors(self) -> list[str]:
        self._tell("session.status")  # what was said before its reply has been heard by then
        heard, self._heard = self._heard, []
        return [
            f"{entry['text']} ({entry['source'].get('context')})"
            for entry in heard
            if entry["level"] == "error"
        ]

    def close(self) -> None:
        self._tell("browser.close")

    def _tell(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result. Events that come before are kept."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        end = time.monotonic() + ANSWER_SECONDS
        while True:
            try:
                said = json.loads(self._socket.recv(max(0.0, end - time.monotonic())))
            except TimeoutError:
                raise EngineError(f"Firefox does not answer {method}") from None
            if said.get("method") == "log.entryAdded":
                self._heard.append(said["params"])
            if said.get("id") != number:
                continue
            if said["type"] == "error":
                raise EngineError(f"{method}: {said['error']}: {said['message']}")
            result: dict[str, Any] = said["result"]
            return result


@contextmanager
def firefox(folder: Path, program: str) -> Iterator[Firefox]:
    """Run Firefox without a window, with a profile in `folder`, until the block ends."""
    profile = folder / "profile"
    profile.mkdir(parents=True)
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
    (profile / "user.js").write_text("".join(lines))
    command = [program, "--headless", "--no-remote", "--profile", str(profile)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--remote-debugging-port", "0", "about:blank"],
            stdout=log,
            stderr=log,
            env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"},
            start_new_session=True,  # it has processes of its own, which end with it
        )
    try:
        port = _port(process, profile, folder / "log")
        address = f"ws://127.0.0.1:{port}/session"
        with connect(address, max_size=None, compression=None, proxy=None) as socket:
            yield (browser := Firefox(socket))
            with suppress(EngineError, ConnectionClosed):
                browser.close()
                process.wait(STOP_SECONDS)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _port(process: subprocess.Popen[bytes], profile: Path, log: Path) -> int:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        with suppress(FileNotFoundError, ValueError):  # or half of it is written
            return int(json.loads((profile / ADDRESS_FILE).read_text())["ws_port"])
        time.sleep(0.05)
    raise EngineError(f"Firefox does not start: {log.read_text(errors='replace')[-2000:]}")
