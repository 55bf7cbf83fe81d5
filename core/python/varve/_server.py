# SPDX-License-Identifier: Apache-2.0
"""A server that has the database open (`varve serve --write`), as loads of many processes see it: tables are uploaded
to it, and added in one step. The requests are described in its /api/v1/openapi.json."""

from __future__ import annotations

import hashlib
import http.client
import json
import time
import urllib.parse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from ._errors import Busy, Corruption, InvalidArgument, IoError, NotFound, NotSupported

_API = "/api/v1/targets/t1"  # A server that may write has one target.
_PIECE = 1 << 20
_SILENCE = 60.0  # Seconds without a byte after which a request has failed.
_POLL = 0.1
_BY_EXIT_CODE: Mapping[int, type[Exception]] = {2: InvalidArgument, 4: Corruption, 5: Busy, 6: NotSupported}


def is_url(database: str) -> bool:
    return database.startswith(("http://", "https://"))


@dataclass(frozen=True)
class Server:
    """It can be pickled, with its token."""

    url: str  # "http://10.0.0.7:8420"
    token: str
    wait: float  # Seconds for which a request is repeated that the server has no room for.

    @staticmethod
    def at(url: str, token: str | None, wait: float) -> Server:
        """Of what `varve serve` prints, or of that without "/#token=…"."""
        parts = urllib.parse.urlsplit(url)
        given = urllib.parse.parse_qs(parts.fragment).get("token", [""])[0]
        if parts.path.strip("/") or parts.query or parts.username or not parts.hostname:
            raise InvalidArgument(f"{parts.scheme}://{parts.hostname}: the URL of a server is http://HOST:PORT")
        if not (token or given):
            raise InvalidArgument(f"{parts.scheme}://{parts.netloc}: the token of the server is missing: argument token")
        return Server(f"{parts.scheme}://{parts.netloc}", token or given, wait)

    def comparator(self, family: str) -> str:
        """The order of the keys of a family. InvalidArgument if there is none of that name."""
        found = self._ask("GET", f"/cfs/{urllib.parse.quote(family, safe='')}")
        return str(found["family"]["comparator"])

    def begin(self) -> str:
        """The id of a new upload."""
        return str(self._ask("POST", "/uploads", {})["upload"]["id"])

    def upload(self, upload: str, path: str) -> str:
        """Sends a table. Returns the name that the server has given to it."""
        with open(path, "rb") as file:
            digest = hashlib.sha256()
            while piece := file.read(_PIECE):
                digest.update(piece)
            resource = f"/uploads/{upload}/tables?sha256={digest.hexdigest()}"
            return str(self._ask("POST", resource, file=file)["table"]["name"])

    def ingest(self, upload: str, families: Mapping[str, Sequence[str]]) -> None:
        """Adds tables of an upload, all or none, and removes the rest of it."""
        tables = [{"cf": family, "files": list(names)} for family, names in families.items()]
        job = self._ask("POST", "/jobs", {"kind": "ingest", "upload": upload, "tables": tables})["job"]
        while job["state"] in ("queued", "running"):
            time.sleep(_POLL)
            job = self._ask("GET", f"/jobs/{job['id']}")["job"]
        self._forget(job["id"])
        if job["state"] != "done":
            raise self._refusal(job.get("problem") or {"detail": f"the job was {job['state']}"})

    def _forget(self, job: str) -> None:
        """Deletes a job that has ended: a server keeps only so many. What has become of it is known already."""
        try:
            self._ask("DELETE", f"/jobs/{job}")
        except (Busy, InvalidArgument, IoError, NotFound):
            pass

    def abort(self, upload: str) -> None:
        try:
            self._ask("DELETE", f"/uploads/{upload}")
        except NotFound:
            pass

    def _ask(self, method: str, resource: str, body: object = None, file: BinaryIO | None = None) -> Any:
        until = time.monotonic() + self.wait
        while True:
            status, reply = self._answer(method, resource, body, file)
            if 200 <= status < 300:
                return reply
            if status not in (429, 503) or time.monotonic() >= until:
                raise self._refusal(reply)
            time.sleep(_POLL)

    def _answer(self, method: str, resource: str, body: object, file: BinaryIO | None) -> tuple[int, Any]:
        parts = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        headers = {"Authorization": f"Bearer {self.token}"}
        sent: Any = None
        if file is not None:
            headers |= {"Content-Type": "application/octet-stream", "Content-Length": str(file.seek(0, 2))}
            file.seek(0)
            sent = file
        elif body is not None:
            headers["Content-Type"] = "application/json"
            sent = json.dumps(body)
        connection = kind(parts.netloc, timeout=_SILENCE)
        try:
            connection.request(method, _API + resource, sent, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise IoError(f"{self.url}: {method} {resource.partition('?')[0]}: {error}") from error
        finally:
            connection.close()

    def _refusal(self, problem: Mapping[str, Any]) -> Exception:
        code = str(problem.get("code", "io_error"))
        kind: type[Exception] = _BY_EXIT_CODE.get(problem.get("exit_code", 3), IoError)
        if code == "upload_not_found":
            kind = NotFound
        return kind(f"{self.url}: {problem.get('detail', 'no reason was given')} ({code})")
