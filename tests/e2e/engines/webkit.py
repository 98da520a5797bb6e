"""WebKit, by the WebDriver of WebKitGTK, with its small browser on a screen that nobody sees.

Each command is one request of JSON, so httpx is enough of a library.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from tests.caddy import free_ports
from tests.e2e.engines.engine import ANSWER_SECONDS, WINDOW, Engine, EngineError, SilentError, Source

START_SECONDS = 60
STOP_SECONDS = 10
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""How WebDriver marks the id of an element."""
# Its driver reports nothing of the console, and the browser writes nothing of it, since a session is private.
# So the page keeps its errors, from when it has loaded.
LISTEN = """() => {
  const troubles = window.troubles = [];
  const { error } = console;
  console.error = (...words) => {
    troubles.push(`console: ${words.join(" ")}`);
    error.apply(console, words);
  };
  addEventListener("error", ({ message, filename }) => {
    if (message) troubles.push(`uncaught: ${message} (${filename})`);
  });
  addEventListener("unhandledrejection", ({ reason }) => troubles.push(`uncaught: ${reason}`));
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
    troubles.push(`CSP: ${effectiveDirective} forbids ${blockedURI}`));
}"""
TAKE = "() => (window.troubles ?? []).splice(0)"
ENVIRONMENT = {
    "GDK_BACKEND": "x11",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "NO_AT_BRIDGE": "1",
    "LANGUAGE": "en",
    "LC_ALL": "C.UTF-8",
    "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
}


class WebKit(Engine):
    def __init__(self, client: httpx.Client) -> None:
        super().__init__()
        self._client = client
        self._heard: list[str] = []
        self._session = ""
        self.begin()

    def begin(self) -> None:
        """Begin anew: a session stores in memory, and nothing of it is left to the next one."""
        self.close()
        self._heard = []
        said = self._send("POST", "/session", capabilities={"alwaysMatch": {}})
        self._session = f"/session/{said['sessionId']}"
        self._size()

    def close(self) -> None:
        """End the session, and with it the browser."""
        if self._session and not self.silent:
            self._send("DELETE", self._session)
            self._session = ""

    def _size(self) -> None:
        """Give the page its size. The window has a bar besides."""
        width, height = WINDOW
        end = time.monotonic() + ANSWER_SECONDS
        inner = [0, 0]
        outer = [width, height]
        while inner != [width, height]:
            if time.monotonic() > end:
                raise EngineError(f"the page has {inner} pixels, not {WINDOW}")
            self._post("/window/rect", x=0, y=0, width=outer[0], height=outer[1])
            inner = self.run("() => [innerWidth, innerHeight]")
            rect = self._get("/window/rect")
            outer = [rect["width"] + width - inner[0], rect["height"] + height - inner[1]]

    def open(self, url: str) -> None:
        self._post("/frame", id=None)
        self._heard += self.run(TAKE)
        self._post("/url", url=url)
        self.run(LISTEN)

    def evaluate(self, expression: str) -> Any:
        return self._post("/execute/sync", script=f"return {expression}", args=[])

    def act(self, source: Source) -> None:
        self._post("/actions", actions=[source])

    def put_files(self, selector: str, paths: Sequence[Path]) -> None:
        found = self._post("/element", using="css selector", value=selector)
        self._post(f"/element/{found[ELEMENT]}/value", text="\n".join(str(path) for path in paths))

    def enter_frame(self) -> None:
        self._post("/frame", id=self._post("/element", using="css selector", value="iframe"))

    def errors(self) -> list[str]:
        heard, self._heard = [*self._heard, *self.run(TAKE)], []
        return heard

    def _post(self, path: str, **params: Any) -> Any:
        return self._send("POST", f"{self._session}{path}", **params)

    def _get(self, path: str) -> Any:
        return self._send("GET", f"{self._session}{path}")

    def _send(self, method: str, path: str, **params: Any) -> Any:
        try:
            reply = self._client.request(method, path, json=params if method == "POST" else None)
        except httpx.TimeoutException as error:
            self.silent = True
            raise SilentError(f"WebKit's driver gave no answer to {method} {path}") from error
        value = reply.json()["value"]
        if reply.is_error:
            raise EngineError(f"{path}: {value['error']}: {value['message']}")
        return value


@contextmanager
def webkit(folder: Path, program: str, screen: str) -> Iterator[WebKit]:
    """Run WebKit on a screen of its own, until the block ends. `screen` is the path of Xvfb."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log"
    with ExitStack() as stack:
        display = stack.enter_context(_screen(screen, folder))
        (port,) = free_ports(1)
        env = {**os.environ, **ENVIRONMENT, "HOME": str(folder), "DISPLAY": display}
        driver = stack.enter_context(_process([program, f"--port={port}"], log, env))
        client = stack.enter_context(
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=START_SECONDS, trust_env=False)
        )
        _wait_for_driver(client, driver, log)
        browser = WebKit(client)
        try:
            yield browser
        finally:
            with suppress(EngineError, httpx.HTTPError):
                browser.close()


@contextmanager
def _screen(program: str, folder: Path) -> Iterator[str]:
    """Run a screen that only processes of this machine reach. It takes the first number that is free."""
    log = folder / "screen.log"
    read, write = os.pipe()
    with os.fdopen(read) as said, ExitStack() as stack:
        try:
            command = [program, "-displayfd", str(write), "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
            stack.enter_context(_process(command, log, dict(os.environ), passed=(write,)))
        finally:
            os.close(write)
        number = said.readline().strip()  # it is empty if the screen has ended
        if not number:
            raise EngineError(f"Xvfb does not start: {log.read_text(errors='replace')}")
        yield f":{number}"


@contextmanager
def _process(
    command: Sequence[str], log: Path, env: dict[str, str], passed: Sequence[int] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program with the processes that it starts, until the block ends."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env=env, pass_fds=passed, start_new_session=True
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _wait_for_driver(client: httpx.Client, driver: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and driver.poll() is None:
        with suppress(httpx.TransportError):
            if client.get("/status").json()["value"]["ready"]:
                return
        time.sleep(0.05)
    raise EngineError(f"WebKit's driver does not start: {log.read_text(errors='replace')[-2000:]}")
