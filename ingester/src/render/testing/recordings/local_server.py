"""What the programs that load something load it from: a slow server on this machine that is their HTTP proxy and their Docker daemon."""

import base64
import hashlib
import io
import json
import tarfile
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse

HOST = "packages.example"
FILE_BYTES = 3_000_000
CHUNK_BYTES = 64_000
CHUNK_SECONDS = 0.04


def filling(size):
    """Bytes that do not compress, the same each time."""
    blocks = (hashlib.sha256(str(i).encode()).digest() for i in range(size // 32 + 1))
    return b"".join(blocks)[:size]


def create_wheel():
    wheel = io.BytesIO()
    info = "demo-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("demo/data.bin", filling(FILE_BYTES))
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: demo\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: demo\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", f"demo/data.bin,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    return wheel.getvalue()


def create_npm_archive():
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as tar:
        for name, content in (
            ("package/package.json", json.dumps({"name": "demo", "version": "1.0.0"}).encode()),
            ("package/data.bin", filling(FILE_BYTES)),
        ):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return archive.getvalue()


WHEEL = create_wheel()
NPM_ARCHIVE = create_npm_archive()
NPM_DOCUMENT = json.dumps(
    {
        "name": "demo",
        "dist-tags": {"latest": "1.0.0"},
        "versions": {
            "1.0.0": {
                "name": "demo",
                "version": "1.0.0",
                "dist": {
                    "tarball": f"http://{HOST}/demo/-/demo-1.0.0.tgz",
                    "integrity": "sha512-" + base64.b64encode(hashlib.sha512(NPM_ARCHIVE).digest()).decode(),
                },
            }
        },
    }
).encode()
FILES = {
    "/simple/demo/": ("text/html", b'<a href="/demo-1.0-py3-none-any.whl">demo-1.0-py3-none-any.whl</a>'),
    "/demo-1.0-py3-none-any.whl": ("application/octet-stream", WHEEL),
    "/demo": ("application/json", NPM_DOCUMENT),
    "/demo/-/demo-1.0.0.tgz": ("application/octet-stream", NPM_ARCHIVE),
    "/file.bin": ("application/octet-stream", filling(FILE_BYTES)),
}


def pull_messages():
    """What a Docker daemon says while it pulls an image of four layers; times in seconds."""
    layers = {"8a49fdb3b6a5": 9, "c4bfd2b3d3a1": 14, "1f7ce2fa46ab": 5, "e95f33c60a64": 11}
    yield 0, {"status": "Pulling from demo", "id": "latest"}
    for layer in layers:
        yield 0.05, {"status": "Pulling fs layer", "progressDetail": {}, "id": layer}
    for layer in list(layers)[3:]:
        yield 0.05, {"status": "Waiting", "progressDetail": {}, "id": layer}
    for status, ended in (("Downloading", "Download complete"), ("Extracting", "Pull complete")):
        for step in range(1, max(layers.values()) + 1):
            for layer, steps in layers.items():
                detail = {"current": step * 1_234_567, "total": steps * 1_234_567}
                if step <= steps:
                    yield 0.01, {"status": status, "progressDetail": detail, "id": layer}
                if step == steps:
                    yield 0.01, {"status": ended, "progressDetail": {}, "id": layer}
    yield 0, {"status": "Digest: sha256:" + hashlib.sha256(b"demo").hexdigest()}
    yield 0, {"status": f"Status: Downloaded newer image for {HOST}/demo:latest"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = urlparse(self.path).path
        if path.endswith("/_ping"):
            return self.answer(200, "text/plain", b"OK")
        if path in FILES:
            return self.answer(200, *FILES[path])
        return self.answer(404, "text/plain", b"")

    def do_POST(self):
        if not urlparse(self.path).path.endswith("/images/create"):
            return self.answer(404, "text/plain", b"")
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for seconds, message in pull_messages():
            time.sleep(seconds)
            self.wfile.write(json.dumps(message).encode() + b"\r\n")

    def answer(self, status, content_type, body):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Api-Version", "1.43")
        self.end_headers()
        if self.command == "HEAD":
            return
        for start in range(0, len(body), CHUNK_BYTES):
            self.wfile.write(body[start : start + CHUNK_BYTES])
            if len(body) > CHUNK_BYTES:
                time.sleep(CHUNK_SECONDS)
            else:
                time.sleep(0.3)

    def log_message(self, *_):
        pass


def start_local_server():
    """Returns its port; it ends with this process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port
