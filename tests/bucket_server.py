"""An S3 server in memory, as strict as many that are not Amazon's: signature version 4, and no new headers.

It computes signatures by itself, as Amazon describes it (*Authenticating Requests: AWS Signature V4*).
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

KEY_ID, SECRET, REGION = "made-up", "a-secret", "eu-west-1"


@dataclass
class BucketServer:
    """What the server has and was asked. `objects` are by bucket/key; `asked` are methods, paths and headers.

    `names` are the values of Host that it answers to. While `talking` is cleared, it replies nothing.
    """

    url: str
    names: set[str]
    objects: dict[str, bytes] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    parts: dict[str, dict[int, bytes]] = field(default_factory=dict)
    talking: threading.Event = field(default_factory=threading.Event)


@contextmanager
def bucket_server(*names: str) -> Iterator[BucketServer]:
    """Run the server, which also answers to these values of Host."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    here = f"127.0.0.1:{server.server_address[1]}"
    found = BucketServer(f"http://{here}", {here, *names})
    found.talking.set()
    server.state = found  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        found.talking.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self) -> None:
        state: BucketServer = self.server.state  # type: ignore[attr-defined]
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        state.asked.append((self.command, self.path, headers))
        if not state.talking.wait(60):
            return
        said = _refusal(state, self.command, self.path, headers, body)
        if said is not None:
            self._reply(said[0], f"<Error><Code>{said[1]}</Code></Error>".encode())
            return
        key, query = (
            unquote(urlsplit(self.path).path).lstrip("/"),
            dict(parse_qsl(urlsplit(self.path).query, True)),
        )
        getattr(self, f"_{self.command.lower()}")(state, key, query, body)

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = _answer

    def _put(self, state: BucketServer, key: str, query: Mapping[str, str], body: bytes) -> None:
        if "uploadId" in query:
            state.parts[key][int(query["partNumber"])] = body
        else:
            state.objects[key] = body
        self._reply(200, b"", ETag=_etag(body))

    def _post(self, state: BucketServer, key: str, query: Mapping[str, str], body: bytes) -> None:
        if "uploads" in query:
            state.parts[key] = {}
            self._reply(200, b"<R><UploadId>one</UploadId></R>")
            return
        state.objects[key] = b"".join(part for _, part in sorted(state.parts.pop(key).items()))
        self._reply(200, f"<R><ETag>{_etag(state.objects[key])}</ETag></R>".encode())

    def _delete(self, state: BucketServer, key: str, query: Mapping[str, str], body: bytes) -> None:
        state.objects.pop(key, None)
        self._reply(204, b"")

    def _get(self, state: BucketServer, key: str, query: Mapping[str, str], body: bytes) -> None:
        if "/" not in key:
            self._reply(200, _listing(state, key, query))
            return
        content = state.objects.get(key)
        if content is None:
            self._reply(404, b"<Error><Code>NoSuchKey</Code></Error>")
            return
        said = {"ETag": _etag(content), "Accept-Ranges": "bytes"}
        if kind := query.get("response-content-disposition"):
            said["Content-Disposition"] = kind
        first, _, last = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        if not first:
            self._reply(200, content, **said)
            return
        part = content[int(first) : int(last or len(content)) + 1]
        where = f"bytes {first}-{int(first) + len(part) - 1}/{len(content)}"
        self._reply(206, part, **said, **{"Content-Range": where})

    _head = _get

    def _reply(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.send_header("Last-Modified", "Sat, 28 Nov 2026 12:00:00 GMT")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _etag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()}"'


def _listing(state: BucketServer, bucket: str, query: Mapping[str, str]) -> bytes:
    prefix, between = query.get("prefix", ""), query.get("delimiter", "")
    keys = [
        key.removeprefix(f"{bucket}/")
        for key in sorted(state.objects)
        if key.startswith(f"{bucket}/{prefix}")
    ]
    folders, files = set(), []
    for key in keys:
        head, cut, _ = key[len(prefix) :].partition(between) if between else (key, "", "")
        if cut:
            folders.add(f"{prefix}{head}{cut}")
        else:
            files.append(key)
    shown = [f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in sorted(folders)]
    shown += [
        f"<Contents><Key>{escape(one)}</Key><Size>{len(state.objects[f'{bucket}/{one}'])}</Size></Contents>"
        for one in files
    ]
    return f"<R><IsTruncated>false</IsTruncated>{''.join(shown)}</R>".encode()


def _refusal(
    state: BucketServer, method: str, path: str, headers: Mapping[str, str], body: bytes
) -> tuple[int, str] | None:
    """Return the status and the code with which a request is refused, or None."""
    if headers["host"] not in state.names:
        return 400, "UnknownHost"
    if "transfer-encoding" in headers or any(name.startswith("x-amz-checksum") for name in headers):
        return 501, "NotImplemented"
    if headers.get("x-amz-content-sha256", "").startswith("STREAMING"):
        return 501, "NotImplemented"
    parts = urlsplit(path)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    if "X-Amz-Signature" in query:
        given, signed, scope = (
            query["X-Amz-Signature"],
            query["X-Amz-SignedHeaders"],
            query["X-Amz-Credential"],
        )
        payload, when = "UNSIGNED-PAYLOAD", query["X-Amz-Date"]
    elif headers.get("authorization", "").startswith("AWS4-HMAC-SHA256 "):
        pairs = headers["authorization"].partition(" ")[2].split(",")
        said = dict(pair.strip().split("=", 1) for pair in pairs)
        given, signed, scope = said["Signature"], said["SignedHeaders"], said["Credential"]
        payload, when = headers["x-amz-content-sha256"], headers["x-amz-date"]
        if payload not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
            return 400, "XAmzContentSHA256Mismatch"
    else:
        return 403, "AccessDenied"
    canonical = [
        method,
        quote(unquote(parts.path), safe="/~"),
        "&".join(
            f"{quote(name, safe='~')}={quote(value, safe='~')}"
            for name, value in sorted(query.items())
            if name != "X-Amz-Signature"
        ),
        *(f"{name}:{' '.join(headers[name].split())}" for name in signed.split(";")),
        "",
        signed,
        payload,
    ]
    key_id, *within = scope.split("/")
    if (key_id, within[1:]) != (KEY_ID, [REGION, "s3", "aws4_request"]):
        return 403, "InvalidAccessKeyId"
    digest = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", when, "/".join(within), digest])
    key = f"AWS4{SECRET}".encode()
    for one in [*within, text]:
        key = hmac.digest(key, one.encode(), "sha256")
    return None if hmac.compare_digest(key.hex(), given) else (403, "SignatureDoesNotMatch")
