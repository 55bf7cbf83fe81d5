#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables and databases at URLs: what a server has gives the answers of a local copy, however it fails. Usage:
url_test.py VARVE FIXTURES"""
import base64
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from harness import VARVE, varve
from range_server import RangeServer, has_netrc, signature_is_right

FIXTURES = pathlib.Path(sys.argv[2])
SST_VERBS = (("sst", "info"), ("sst", "verify"), ("sst", "layout"), ("sst", "dump"), ("scan",))
DB_VERBS = (("db", "info"), ("lsm", "show"), ("scan",), ("db", "verify"), ("manifest", "show"))


def env(**more):
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(("VARVE_HTTP", "AWS_")) and k.lower() not in ("http_proxy", "https_proxy", "all_proxy")}
    return {**clean, **more}


def asked(*words, **more):
    more.setdefault("VARVE_HTTP_TIMEOUT", "10")
    return varve(*words, env=env(**more))


def stats(done):
    line = re.search(rb"http: (\d+) requests, (\d+) bytes, (\d+) retries; blocks found in memory: (\d+), "
                     rb"in the cache: (\d+)(?:, damaged there: (\d+))?", done.stderr)
    return [int(number or 0) for number in line.groups()]


class UrlCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        rows = "".join(f"key{i:06}\t{'v' * 20}{i * 7919 % 100003:032}\n" for i in range(30000))
        done = varve("load", cls.folder / "db", "-", "--option", "compression=none", stdin=rows)
        assert done.returncode == 0, done.stderr
        done = varve("compact", cls.folder / "db")
        assert done.returncode == 0, done.stderr
        done = varve("checkpoint", cls.folder / "db", cls.folder / "copy")
        assert done.returncode == 0, done.stderr
        cls.table = max((cls.folder / "copy").glob("*.sst"), key=lambda path: path.stat().st_size)

    def setUp(self):
        server = RangeServer(self.folder)
        self.server = self.enterContext(server) if hasattr(self, "enterContext") else server.__enter__()
        if not hasattr(self, "enterContext"):
            self.addCleanup(server.__exit__)
        self.table_url = f"{self.server.url}/copy/{self.table.name}"

    def same(self, words, local, url):
        """The verb's answer for the URL is that for the local copy, with the other name."""
        here, there = asked(*words, local), asked(*words, url)
        said = here.stdout.replace(os.fsencode(str(local)), os.fsencode(str(url)))
        self.assertEqual((there.returncode, there.stdout), (here.returncode, said), (words, there.stderr))
        return there


class AnswersTest(UrlCase):
    def test_tables(self):
        for words in SST_VERBS:
            with self.subTest(words):
                self.same((*words, "--json") if words[-1] == "info" else words, self.table, self.table_url)

    def test_a_checkpoint(self):
        for words in DB_VERBS:
            with self.subTest(words):
                self.same(words, self.folder / "copy", self.server.url + "/copy")
        for key, code in (("key000777", 0), ("none", 1)):
            self.assertEqual(asked("get", self.server.url + "/copy/", key).returncode, code)
        got = asked("get", self.server.url + "/copy", "key000777")
        self.assertEqual(got.stdout, varve("get", self.folder / "copy", "key000777").stdout)

    def test_a_log_that_is_not_flushed_is_read(self):
        done = varve("put", self.folder / "db", "later", "written")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(asked("get", self.server.url + "/db", "later").stdout.strip(), b"written")

    def test_a_server_that_refuses_head_hides_no_log(self):
        done = varve("put", self.folder / "db", "hidden", "written")
        self.assertEqual(done.returncode, 0, done.stderr)
        for code in (400, 401, 403, 404, 412, 501):
            with self.subTest(code):
                self.server.fault = lambda request, number, code=code: (
                    f"status {code}" if request.command == "HEAD" else None)
                done = asked("get", self.server.url + "/db", "hidden", VARVE_HTTP_TIMEOUT="2")
                self.assertNotIn(done.returncode, (0, 1), done.stderr)

    def test_databases_of_rocksdb_and_leveldb(self):
        with RangeServer(FIXTURES / "db") as server:
            for name in ("rocksdb-7.8.3", "rocksdb-11.9", "leveldb-1.23"):
                found = sorted(p.parent for p in (FIXTURES / "db" / name).glob("*/CURRENT"))[:3]
                self.assertTrue(found, name)
                for path in found:
                    url = f"{server.url}/{name}/{path.name}"
                    for words in (("scan",), ("lsm", "show")):
                        with self.subTest(path.name, words=words):
                            self.same(words, path, url)

    def test_what_writes_is_refused_by_name(self):
        url = self.server.url + "/copy"
        for words in (("put", url, "a", "b"), ("delete", url, "a"), ("compact", url), ("load", url, "-"),
                      ("checkpoint", self.folder / "copy", url + "2")):
            with self.subTest(words):
                done = asked(*words)
                self.assertNotIn(done.returncode, (0, 1, 70), done.stderr)
                self.assertIn(b"URL", done.stderr)
        self.assertEqual({request[0] for request in self.server.requests} - {"GET", "HEAD"}, set())

    def test_what_is_not_there(self):
        done = asked("sst", "info", self.server.url + "/none.sst")
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"/none.sst: ", done.stderr)
        for url in ("http://", "http://h/a/../b", "http://h/a/%2e%2E/b", "http://h/#x", "http://h:99999/a"):
            with self.subTest(url):
                self.assertEqual(asked("sst", "info", url).returncode, 2)
        self.assertEqual(asked("sst", "info", self.table, "--http-stats").returncode, 2)


class FaultsTest(UrlCase):
    """Each fault of the first request, or of all."""

    def info(self, **more):
        return asked("sst", "info", self.table_url, "--http-stats", **more)

    def test_what_may_pass_is_asked_again(self):
        right = varve("sst", "info", self.table).stdout.replace(str(self.table).encode(), self.table_url.encode())
        self.info()
        needed = len(self.server.requests)
        for fault in ("reset", "cut", "status 503", "status 503 Retry-After 1", "status 429", "status 500"):
            with self.subTest(fault):
                self.server.forget()
                self.server.fault = lambda request, number, fault=fault: fault if number % 3 == 1 else None
                done = self.info()
                self.assertEqual((done.returncode, done.stdout), (0, right), done.stderr)
                # libcurl itself sends a request again whose connection, kept from before, is reset.
                self.assertGreater(len(self.server.requests), needed)

    def test_what_does_not_pass_is_an_error_with_its_reason(self):
        elsewhere = "http://127.0.0.1:1/x"
        for fault, said in (("status 503", rb"the server answered 503 \(SlowDown\); gave up after \d+ attempt"),
                            ("wrong_range", rb"its Content-Range is 'bytes "),
                            ("gzip", rb"answered with Content-Encoding gzip"),
                            ("endless_whole", rb"larger than 64 MiB|Timeout"),
                            ("too_much", rb"sends more than the 131072 bytes asked for"),
                            ("headers", rb"more than 64 KiB of headers"),
                            ("redirect /again", rb"redirects"),
                            ("redirect file:///etc/passwd", rb"rotocol"),
                            ("redirect ftp://127.0.0.1/x", rb"rotocol"),
                            ("redirect " + elsewhere, rb"connect"),
                            ("unauthorized", rb"answered 401"),
                            ("drip", rb"gave up after")):
            with self.subTest(fault):
                self.server.forget()
                self.server.fault = lambda request, number, fault=fault: fault
                done = self.info(VARVE_HTTP_TIMEOUT="2")
                self.assertIn(done.returncode, (3, 6), done.stderr)
                self.assertRegex(done.stderr, said)
                self.assertIn(self.table_url.encode(), done.stderr)

    def test_a_server_without_ranges(self):
        self.server.fault = lambda request, number: "whole"
        self.same(("sst", "info"), self.table, self.table_url)
        self.same(("scan",), self.folder / "copy", self.server.url + "/copy")

    def test_a_server_that_knows_no_suffixes(self):
        self.server.fault = lambda request, number: (
            "status 501" if "bytes=-" in request.headers.get("Range", "") else None)
        self.same(("sst", "info"), self.table, self.table_url)

    def test_weak_etags(self):
        self.server.fault = lambda request, number: "weak"
        self.same(("sst", "verify"), self.table, self.table_url)

    def test_a_file_that_changes_is_an_error(self):
        for later in ('etag "changed"', 'wrong_range'):
            with self.subTest(later):
                self.server.forget()
                self.server.fault = lambda request, number, later=later: (
                    later if not request.headers.get("Range", "bytes=-").startswith("bytes=-") else None)
                done = asked("sst", "verify", self.table_url)
                self.assertEqual(done.returncode, 3, done.stderr)
                if later.startswith("etag"):
                    self.assertRegex(done.stdout + done.stderr, rb"the file has changed: its ETag was '[^']*', .*changed")


class CostTest(UrlCase):
    def test_requests_and_bytes(self):
        size = self.table.stat().st_size
        self.assertGreater(size, 1 << 20)
        done = asked("sst", "info", self.table_url, "--http-stats")
        requests, received, *_ = stats(done)
        self.assertEqual(requests, len(self.server.requests))
        self.assertLessEqual(requests, 4)
        self.assertLess(received, 600_000)
        self.server.forget()
        done = asked("scan", self.table_url, "--http-stats")
        self.assertLessEqual(stats(done)[0], 12)
        self.assertLess(stats(done)[1], size + (1 << 20))

    def test_the_cache(self):
        with tempfile.TemporaryDirectory() as cache:
            def verify():
                self.server.forget()
                done = asked("sst", "verify", self.table_url, "--http-cache", cache, "--http-stats")
                self.assertEqual(done.returncode, 0, done.stderr)
                return stats(done)
            cold, warm = verify(), verify()
            self.assertGreater(cold[1], self.table.stat().st_size - 1)
            self.assertLess(warm[1], 300_000)
            self.assertGreater(warm[4], 10)
            self.assertEqual(os.stat(cache).st_mode & 0o077, 0)
            blocks = [path for path in pathlib.Path(cache).rglob("*") if path.is_file()]
            self.assertFalse([path for path in blocks if path.suffix == ".new"])
            for path in blocks:  # Each is damaged: flipped, cut short, or empty.
                data = bytearray(path.read_bytes())
                data[len(data) // 2] ^= 1
                path.write_bytes((data, data[:-1], b"")[len(data) % 3])
            damaged = verify()
            self.assertGreater(damaged[5], 0)  # Of those that sequential reading asks for.
            self.assertEqual(verify()[5], 0)
            self.server.etag = '"another"'
            other = asked("sst", "verify", self.table_url, "--http-cache", cache, "--http-stats")
            self.assertGreater(stats(other)[1], self.table.stat().st_size - 1)
            # Eviction: the blocks used last stay.
            asked("sst", "verify", self.table_url, "--http-cache", cache, VARVE_HTTP_CACHE_SIZE="1M")
            total = sum(path.stat().st_size for path in pathlib.Path(cache).rglob("*") if path.is_file())
            self.assertLess(total, 1_300_000)


    def test_files_of_others_in_the_cache_directory_stay(self):
        with tempfile.TemporaryDirectory() as cache:
            os.chmod(cache, 0o755)
            other = pathlib.Path(cache) / "thesis.doc"
            other.write_bytes(b"x" * 600_000)
            os.utime(other, (0, 0))
            done = asked("sst", "verify", self.table_url, "--http-cache", cache, VARVE_HTTP_CACHE_SIZE="1M")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(other.exists())
            self.assertEqual(os.stat(cache).st_mode & 0o777, 0o755)
            folders = [path for path in pathlib.Path(cache).iterdir() if path.is_dir()]
            self.assertTrue(folders)
            self.assertEqual({path.stat().st_mode & 0o077 for path in folders}, {0})

    def test_a_cache_that_cannot_be_used_is_an_error(self):
        for cache in (self.table, "/proc/none", "", self.server.url):
            with self.subTest(cache):
                done = asked("sst", "info", self.table_url, "--http-cache", cache)
                self.assertIn(done.returncode, (2, 3), done.stderr)


class SecretsTest(UrlCase):
    SECRET = "hunter2secret"

    def test_what_is_no_port_is_not_said(self):
        for url in (f"http://me:{self.SECRET}/x@{self.server.host}/a", f"http://me:{self.SECRET}?x@h/a"):
            done = asked("sst", "info", url, "--json")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotIn(self.SECRET.encode(), done.stdout + done.stderr)

    def test_reserved_characters_of_a_password_are_encoded(self):
        host = self.server.host
        done = asked("sst", "info", f"http://me:p%40s%2Fs@{host}/copy/{self.table.name}")
        self.assertEqual(done.returncode, 0, done.stderr)
        sent = {headers["Authorization"] for *_, headers in self.server.requests}
        self.assertEqual(sent, {"Basic " + base64.b64encode(b"me:p@s/s").decode()})

    def test_urls_that_differ_in_query_or_user_are_not_mixed_up(self):
        for first, second in ((f"{self.table_url}?a", f"{self.table_url}?b"),
                              (self.table_url.replace("//", "//a:1@"), self.table_url.replace("//", "//b:2@"))):
            done = asked("diff", first, second)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr, b"differ only in user or query")

    def test_they_are_sent_and_never_said(self):
        host, secret = self.server.host, self.SECRET
        plain = f"http://{host}/copy/{self.table.name}"
        netrc = has_netrc(self.folder, "127.0.0.1", "me", secret)
        for url, more, header in (
                (f"http://me:{secret}@{host}/copy/{self.table.name}", {}, "Basic "),
                (plain, {"NETRC": str(netrc)}, "Basic "),
                (plain, {"VARVE_HTTP_AUTHORIZATION": f"Bearer {secret}"}, f"Bearer {secret}"),
                (f"{plain}?signature={secret}", {}, None)):
            with self.subTest(header, more=list(more)):
                self.server.forget()
                for fault in (None, "status 404", "gzip", "reset"):
                    self.server.fault = lambda request, number, fault=fault: fault
                    done = asked("sst", "info", url, "--json", VARVE_HTTP_TIMEOUT="1", **more)
                    self.assertNotIn(secret.encode(), done.stdout + done.stderr)
                    self.assertEqual(done.returncode == 0, fault is None, done.stderr)
                for _, path, _, headers in self.server.requests:
                    if header:
                        self.assertTrue(headers["Authorization"].startswith(header), headers)
                    else:
                        self.assertIn(secret, path)

    def test_no_other_host_gets_them(self):
        with RangeServer(self.folder) as other:
            self.server.fault = lambda request, number: f"redirect http://localhost:{other.port}{request.path}"
            for url, more in ((self.table_url, {"VARVE_HTTP_AUTHORIZATION": "Bearer " + self.SECRET}),
                              (self.table_url.replace("//", f"//me:{self.SECRET}@"), {})):
                other.forget()
                done = asked("sst", "info", url, **more)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(other.requests)
                self.assertFalse([h for *_, h in other.requests if "Authorization" in h])

    def test_s3_requests_are_signed(self):
        keys = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": self.SECRET, "AWS_REGION": "eu-west-1",
                "AWS_ENDPOINT_URL": self.server.url}
        wrong = []

        def check(request, number):
            del number
            if not signature_is_right(request, self.SECRET, "eu-west-1"):
                wrong.append(dict(request.headers.items()))
                return "status 403"
            return None
        self.server.fault = check
        done = asked("get", "s3://copy", "key000777", **keys)
        self.assertEqual((done.returncode, wrong[:1]), (0, []), done.stderr)
        done = asked("sst", "info", f"s3://copy/{self.table.name}", **keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotEqual(asked("sst", "info", f"s3://copy/{self.table.name}",
                                  **{**keys, "AWS_SECRET_ACCESS_KEY": "other"}).returncode, 0)


class TlsTest(UrlCase):
    def test_certificates_are_verified(self):
        pem, key = self.folder / "both.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", pem,
                        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                       check=True, capture_output=True)
        authority = self.folder / "ca.pem"
        authority.write_bytes(pem.read_bytes())
        pem.write_bytes(pem.read_bytes() + key.read_bytes())
        with RangeServer(self.folder, pem) as server:
            url = f"{server.url}/copy/{self.table.name}"
            done = asked("sst", "info", url)
            self.assertEqual(done.returncode, 3)
            self.assertRegex(done.stderr, rb"(?i)certificate")
            done = asked("sst", "info", url, CURL_CA_BUNDLE=str(authority))
            self.assertEqual(done.returncode, 0, done.stderr)
            server.fault = lambda request, number: f"redirect {self.table_url}"
            done = asked("sst", "info", url, CURL_CA_BUNDLE=str(authority))
            self.assertEqual(done.returncode, 3, "an https URL led to http")


class ServeTest(UrlCase):
    def test_only_what_was_named_is_fetched(self):
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "security"))
        from served import Server  # pylint: disable=import-outside-toplevel
        with RangeServer(self.folder) as other:
            server = Server(VARVE, [self.server.url + "/copy"])
            try:
                self.assertEqual(server.get("/api/v1/").status, 200)
                self.assertTrue(self.server.requests)
                for name in (f"{other.url}/copy", f"{other.url.replace('/', '%2F')}%2Fcopy"):
                    for path in (f"/api/v1/targets/{name}/levels", f"/api/v1/targets/0/tables/{name}",
                                 f"/api/v1/targets/{name}?path={name}&url={name}&target={name}"):
                        self.assertGreaterEqual(server.get(path).status, 400, path)
            finally:
                server.stop()
            self.assertEqual(other.requests, [])

    def test_files_of_a_database_name_no_url(self):
        """OPTIONS that say that tables are at a URL make no request."""
        with RangeServer(self.folder) as other:
            done = varve("get", self.folder / "copy", "key000777", "--option", f"db_paths={{{{path={other.url}/copy;"
                         "target_size=1}}", env=env())
            self.assertNotEqual(done.returncode, 70)
            self.assertEqual(other.requests, [])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
