# SPDX-License-Identifier: Apache-2.0
"""varve serve as a child, and a client that sends the bytes it is given and reads answers as
strictly as a client may: what does not parse, or is longer or shorter than it says, fails."""
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import socket
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from waiting import wait_until  # noqa: E402, F401  pylint: disable=wrong-import-position

CSP = ("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
       "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'")
SECURITY_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "referrer-policy": "no-referrer",
}


class Server:
    """`varve serve` of some paths; `before` is what to put before the command (strace)."""

    def __init__(self, varve, targets, *options, before=(), pass_fds=(), stderr=subprocess.DEVNULL):
        as_root = ["--as-root"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [*before, varve, "serve", *map(str, targets), *as_root, *options],
            stdout=subprocess.PIPE, stderr=stderr, text=True, pass_fds=pass_fds)
        url = self.process.stdout.readline()
        secret = "()" if "--users" in options else "#token=([0-9a-f]{32})"  # They have their own.
        found = re.fullmatch(rf"http://127\.0\.0\.1:(\d+)/{secret}\n", url)
        if not found:
            raise AssertionError(f"the server printed {url!r}")
        self.port, self.token = int(found[1]), found[2]

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        self.process.terminate()
        code = self.process.wait(30)
        self.process.stdout.close()
        return code

    def connect(self, timeout=10):
        client = socket.create_connection(("127.0.0.1", self.port), timeout=timeout)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def fill(self, request):
        """The placeholders of a row, replaced."""
        return (request.replace(b"@HOST@", b"127.0.0.1:%d" % self.port)
                .replace(b"@PORT@", b"%d" % self.port).replace(b"@TOKEN@", self.token.encode()))

    def get(self, target, method="GET", body=None, headers=(), timeout=10):
        """One well-formed request on a connection of its own."""
        lines = [f"{method} {target} HTTP/1.1", "Host: @HOST@", "Authorization: Bearer @TOKEN@",
                 *headers]
        payload = b"" if body is None else json.dumps(body).encode()
        if body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(payload)}"]
        with self.connect(timeout) as client:
            client.sendall(self.fill("\r\n".join(lines).encode() + b"\r\n\r\n") + payload)
            return read_answer(client, bytearray(), method == "HEAD")


@dataclasses.dataclass
class Answer:
    status: int
    headers: dict
    body: bytes

    @property
    def closes(self):
        return self.headers.get("connection", "").lower() == "close"

    def json(self):
        return json.loads(self.body)


class NoAnswer(Exception):
    """The server closed the connection without a word."""


def _more(client, buffer):
    piece = client.recv(65536)
    if not piece:
        if buffer:
            raise AssertionError(f"the answer ends too early: {bytes(buffer)!r}")
        raise NoAnswer()
    buffer += piece


def read_head(client, buffer):
    """(status, headers); what came after the head stays in `buffer`."""
    while b"\r\n\r\n" not in buffer:
        _more(client, buffer)
    end = buffer.index(b"\r\n\r\n")
    head = bytes(buffer[:end])
    del buffer[:end + 4]
    first, *lines = head.split(b"\r\n")
    status = re.fullmatch(rb"HTTP/1\.1 (\d{3}) [A-Za-z -]*", first)
    if not status:
        raise AssertionError(f"no status line: {first!r}")
    headers = {}
    for line in lines:
        pair = re.fullmatch(rb"([A-Za-z-]+): ([\x20-\x7e]*)", line)
        if not pair:
            raise AssertionError(f"no header: {line!r}")
        name = pair[1].decode().lower()
        if name in headers:
            raise AssertionError(f"{name} is there twice")
        headers[name] = pair[2].decode()
    return int(status[1]), headers


def read_chunk(client, buffer):
    """One chunk of a body in chunks; b"" is the last."""
    while b"\r\n" not in buffer:
        _more(client, buffer)
    line, _, _ = bytes(buffer).partition(b"\r\n")
    size = int(line, 16)
    while len(buffer) < len(line) + 2 + size + 2:
        _more(client, buffer)
    piece = bytes(buffer[len(line) + 2:len(line) + 2 + size])
    if buffer[len(line) + 2 + size:len(line) + 4 + size] != b"\r\n":
        raise AssertionError("a chunk does not end where it says")
    del buffer[:len(line) + 4 + size]
    return piece


def read_answer(client, buffer, head_only=False):
    status, headers = read_head(client, buffer)
    body = b""
    if head_only or status in (204, 304):
        pass
    elif headers.get("transfer-encoding") == "chunked":
        if "content-length" in headers:
            raise AssertionError("an answer with two lengths")
        while piece := read_chunk(client, buffer):
            body += piece
    else:
        size = int(headers["content-length"])
        while len(buffer) < size:
            _more(client, buffer)
        body = bytes(buffer[:size])
        del buffer[:size]
    return Answer(status, headers, body)


def digest(folder):
    """Names, sizes, times and bytes of everything in a directory."""
    state = hashlib.sha256()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        info = path.lstat()
        state.update(f"{path.relative_to(folder)} {info.st_mode} {info.st_mtime_ns} ".encode())
        if path.is_file():
            state.update(path.read_bytes())
    return state.hexdigest()
