# SPDX-License-Identifier: Apache-2.0
"""A web server that answers range requests for the files of a folder, and fails as it is told:

    with RangeServer(folder) as server:
        server.fault = lambda request, number: "reset" if number == 0 else None
        varve("sst", "info", server.url + "/000012.sst")
        server.requests     # [("GET", "/000012.sst", "bytes=-131072", {...headers}), ...]

`number` counts the requests from 0. A fault is the name of a method below, with arguments behind a space, or
None: a right answer."""
import email.utils
import hashlib
import http.server
import mmap
import os
import pathlib
import re
import socket
import ssl
import struct
import threading
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):  # pylint: disable=arguments-differ
        pass

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self):
        farm = self.server.farm
        with farm.lock:
            number = len(farm.requests)
            farm.requests.append((self.command, self.path, self.headers.get("Range"), dict(self.headers.items())))
        fault = farm.fault(self, number) if farm.fault else None
        if fault is None:
            return self.file()
        name, *words = fault.split(" ")
        return getattr(self, "fault_" + name)(*words)

    def found(self):
        """The bytes of the file and its ETag, or None."""
        path = self.server.farm.folder / urllib.parse.unquote(self.path.partition("?")[0]).lstrip("/")
        if not path.is_file():
            return None
        about = path.stat()
        tag = hashlib.sha256(f"{path} {about.st_size} {about.st_mtime_ns}".encode()).hexdigest()[:16]
        if about.st_size < 1 << 26:
            return path.read_bytes(), f'"{tag}"'
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), f'"{tag}"'

    def send(self, code, body, headers=(), length=None):
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command != "HEAD":
            with self.server.farm.lock:
                self.server.farm.sent += len(body)
            self.wfile.write(body)

    def file(self, etag=None, wrong=0, whole=False, headers=(), cut=0, weak=False):
        farm = self.server.farm
        found = self.found()
        if found is None:
            return self.send(404, b"not here")
        data, own_etag = found
        etag = etag or farm.etag or own_etag
        if weak:
            etag = "W/" + etag
        wanted = self.headers.get("If-Match")
        if wanted and wanted != etag:
            return self.send(412, b"", [("ETag", etag)])
        headers = [("ETag", etag), ("Last-Modified", email.utils.formatdate(0, usegmt=True)), *headers]
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if not asked or whole:
            return self.send(200, data, headers)
        if asked[1]:
            first, last = int(asked[1]), min(int(asked[2] or len(data) - 1), len(data) - 1)
        else:
            first, last = max(0, len(data) - int(asked[2])), len(data) - 1
        if first > last:
            return self.send(416, b"", [*headers, ("Content-Range", f"bytes */{len(data)}")])
        body = data[first:last + 1]
        headers.append(("Content-Range", f"bytes {first + wrong}-{last + wrong}/{len(data)}"))
        self.send(206, body[:len(body) - cut], headers, len(body))
        if cut:
            self.close_connection = True
        return None

    def fault_reset(self):
        """RST instead of an answer."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def fault_cut(self):
        """The last 10 bytes are missing, and the connection is closed."""
        self.file(cut=10)

    def fault_status(self, code, *header):
        self.send(int(code), b"<Error><Code>SlowDown</Code></Error>", [header] if header else [])

    def fault_wrong_range(self):
        self.file(wrong=5)

    def fault_whole(self):
        self.file(whole=True)

    def endless(self, code, *headers):
        self.send_response(code)
        for header in headers:
            self.send_header(*header)
        self.end_headers()
        self.close_connection = True
        try:
            while True:
                self.wfile.write(bytes(1 << 20))
        except OSError:
            pass

    def fault_endless_whole(self):
        self.endless(200)

    def fault_too_much(self):
        self.endless(206, ("Content-Range", "bytes 0-9/10"))

    def fault_gzip(self):
        self.file(headers=[("Content-Encoding", "gzip")])

    def fault_etag(self, etag):
        self.file(etag=etag)

    def fault_weak(self):
        self.file(weak=True)

    def fault_headers(self):
        """More headers than anyone needs."""
        self.file(headers=[(f"X-{i}", "x" * 1000) for i in range(90)])

    def fault_redirect(self, to):
        self.send(302, b"", [("Location", to)])

    def fault_drip(self):
        """A byte, and then nothing, until the client goes away."""
        self.send_response(206)
        self.send_header("Content-Range", "bytes 0-9/10")
        self.send_header("Content-Length", "10")
        self.end_headers()
        self.wfile.write(b"x")
        self.wfile.flush()
        self.connection.settimeout(30)
        try:
            self.connection.recv(1)
        except OSError:
            pass
        self.close_connection = True

    def fault_unauthorized(self):
        self.send(401, b"", [("WWW-Authenticate", "Basic")])


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # Clients that go away are what is tested.


class RangeServer:
    def __init__(self, folder, certificate=None):
        self.folder = pathlib.Path(folder)
        self.lock = threading.Lock()
        self.requests, self.sent = [], 0
        self.fault = self.etag = None
        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.server.farm = self
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            scheme = "https"
        self.port = self.server.server_address[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"{scheme}://{self.host}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *args):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def forget(self):
        self.requests, self.sent, self.fault, self.etag = [], 0, None, None


def signature_is_right(request, secret, region):
    """Whether a request's AWS Signature Version 4 is what the secret gives (S3's documentation, "Authenticating
    requests: using the Authorization header")."""
    import hmac  # pylint: disable=import-outside-toplevel
    parts = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?"
                         r"SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})", request.headers["Authorization"])
    if not parts or parts[3] != region:
        return False
    _, day, _, names, signature = parts.groups()
    path, _, query = request.path.partition("?")
    headers = "".join(f"{n}:{' '.join(request.headers[n].split())}\n" for n in names.split(";"))
    body = request.headers.get("x-amz-content-sha256", hashlib.sha256(b"").hexdigest())
    canonical = "\n".join([request.command, path, query, headers, names, body])
    scope = f"{day}/{region}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", request.headers["X-Amz-Date"], scope,
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in (day, region, "s3", "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.compare_digest(hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), signature)


def has_netrc(folder, host, user, password):
    """A netrc file in `folder`; its path."""
    path = pathlib.Path(folder) / "netrc"
    path.write_text(f"machine {host} login {user} password {password}\n")
    os.chmod(path, 0o600)
    return path
