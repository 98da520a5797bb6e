"""As much of Kubernetes' API as Helm needs to install a chart. It keeps objects, and starts nothing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlparse

KINDS: Mapping[str, Mapping[str, str]] = {
    "v1": {"configmaps": "ConfigMap", "services": "Service", "pods": "Pod"},
    "apps/v1": {"deployments": "Deployment", "replicasets": "ReplicaSet"},
    "batch/v1": {"jobs": "Job"},
    "policy/v1": {"poddisruptionbudgets": "PodDisruptionBudget"},
    "autoscaling/v2": {"horizontalpodautoscalers": "HorizontalPodAutoscaler"},
    "networking.k8s.io/v1": {"ingresses": "Ingress"},
    "keda.sh/v1alpha1": {"scaledobjects": "ScaledObject"},
}
"""The plural names and the kinds of each version."""
VERBS = ["create", "delete", "get", "list", "patch", "update", "watch"]
WATCH_SECONDS = 0.2
_DONE = {"succeeded": 1, "conditions": [{"type": "Complete", "status": "True"}]}


@dataclass
class Cluster:
    """The objects by address, and what was done in which order."""

    failing_jobs: Collection[int] = ()
    url: str = ""
    objects: dict[str, dict[str, Any]] = field(default_factory=dict)
    made: dict[str, dict[str, Any]] = field(default_factory=dict)  # with those that were deleted since
    done: list[str] = field(default_factory=list)  # such as "POST Job site-migrate"

    @property
    def kubeconfig(self) -> dict[str, Any]:
        """Return what Helm reads to find this cluster."""
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": "here", "cluster": {"server": self.url}}],
            "users": [{"name": "tester", "user": {}}],
            "contexts": [{"name": "tests", "context": {"cluster": "here", "user": "tester"}}],
            "current-context": "tests",
        }


@contextmanager
def running_cluster(*, failing_jobs: Collection[int] = ()) -> Iterator[Cluster]:
    """Serve the API on 127.0.0.1 until the block ends. A job is done when it is made.

    The jobs with these numbers, of which the first is 1, have failed when they are made.
    """
    cluster = Cluster(failing_jobs)
    handler = type("Handler", (_Handler,), {"cluster": cluster})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        cluster.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield cluster
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cluster: Cluster

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        url = urlparse(self.path)
        asked = parse_qs(url.query)
        if url.path == "/openapi/v2":  # an empty description, so that Helm itself checks no fields
            self._send(200, b"", "application/octet-stream")
        elif (found := _described(url.path)) or (found := self.cluster.objects.get(url.path)):
            self._say(200, found)
        elif kind := _kind_of(url.path):
            under = [one for path, one in self.cluster.objects.items() if path.startswith(f"{url.path}/")]
            if "watch" in asked:
                self._watch(*kind, under)
            else:
                metadata = {"resourceVersion": "1"}
                version, name = kind
                self._say(
                    200, {"kind": f"{name}List", "apiVersion": version, "metadata": metadata, "items": under}
                )
        else:
            self._say(
                404,
                {"kind": "Status", "status": "Failure", "reason": "NotFound", "code": 404, "metadata": {}},
            )

    def do_POST(self) -> None:
        given = self._body()
        name = given["metadata"]["name"]
        given["metadata"] |= {"uid": name, "resourceVersion": "2", "generation": 1}
        if given["kind"] == "Job":
            failed = {"failed": 4, "conditions": [{"type": "Failed", "status": "True"}]}
            number = 1 + sum(line.startswith("POST Job ") for line in self.cluster.done)
            given["status"] = failed if number in self.cluster.failing_jobs else _DONE
        self.cluster.done.append(f"POST {given['kind']} {name}")
        path = f"{urlparse(self.path).path}/{name}"
        self.cluster.objects[path] = self.cluster.made[path] = given
        self._say(201, given)

    def do_PUT(self) -> None:
        given, path = self._body(), urlparse(self.path).path
        self.cluster.objects[path] = given
        self._say(200, given)

    def do_PATCH(self) -> None:
        path = urlparse(self.path).path
        patch, known = self._body(), self.cluster.objects[path]
        self.cluster.done.append(f"PATCH {known['kind']} {known['metadata']['name']}")
        _merge(known, patch)
        self._say(200, known)

    def do_DELETE(self) -> None:
        self._body()
        self.cluster.objects.pop(urlparse(self.path).path, None)
        self._say(200, {"kind": "Status", "status": "Success"})

    def _watch(self, version: str, kind: str, objects: list[dict[str, Any]]) -> None:
        """Tell of the objects that there are, and of no change: jobs are done when they are made."""
        end = {"resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}
        events = [{"type": "ADDED", "object": one} for one in objects]
        events.append({"type": "BOOKMARK", "object": {"kind": kind, "apiVersion": version, "metadata": end}})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"".join(json.dumps(event).encode() + b"\n" for event in events))
        time.sleep(WATCH_SECONDS)
        self.close_connection = True

    def _body(self) -> dict[str, Any]:
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        found: dict[str, Any] = json.loads(text or b"{}")
        return found

    def _say(self, status: int, body: Any) -> None:
        self._send(status, json.dumps(body).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _described(path: str) -> dict[str, Any] | None:
    """Return what the API says of itself at this address, if it says something there."""
    if path == "/version":
        return {"major": "1", "minor": "34", "gitVersion": "v1.34.0"}
    if path == "/api":
        return {"kind": "APIVersions", "versions": ["v1"]}
    if path == "/apis":
        groups = [
            {"name": version.split("/")[0], "versions": [about], "preferredVersion": about}
            for version in KINDS
            if "/" in version
            for about in [{"groupVersion": version, "version": version.split("/")[1]}]
        ]
        return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
    for version, names in KINDS.items():
        if path == f"/{'apis' if '/' in version else 'api'}/{version}":
            resources = [
                {"name": name, "namespaced": True, "kind": kind, "singularName": "", "verbs": VERBS}
                for name, kind in names.items()
            ]
            about = {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version}
            return {**about, "resources": resources}
    return None


def _kind_of(path: str) -> tuple[str, str] | None:
    """Return version and kind of the objects that are listed at this address."""
    name = path.rsplit("/", 1)[1]
    return next(((version, names[name]) for version, names in KINDS.items() if name in names), None)


def _merge(known: dict[str, Any], patch: Mapping[str, Any]) -> None:
    """Change the object as a merge patch says; a list of containers is joined by their names."""
    for key, value in patch.items():
        if key.startswith("$"):  # an order, which nothing here depends on
            continue
        if value is None:
            known.pop(key, None)
        elif isinstance(value, dict) and isinstance(known.get(key), dict):
            _merge(known[key], value)
        elif isinstance(value, list) and value and isinstance(value[0], dict) and "name" in value[0]:
            by_name = {one["name"]: one for one in known.get(key, [])}
            for one in value:
                _merge(by_name.setdefault(one["name"], {}), one)
            known[key] = list(by_name.values())
        else:
            known[key] = value
