#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Loads by many processes into a database that a server has open (varve.staging with a URL): all or nothing:
server_test.py VARVE [unittest arguments]"""
import os
import pathlib
import pickle
import sys
import unittest

import loads
from children import run
from staged import NEW, OLD, Staged
from varve import staging

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "security"))
import served  # noqa: E402  pylint: disable=wrong-import-position

VARVE = None


class Loads(Staged):
    def setUp(self):
        super().setUp()
        run(loads.fill, self.db, OLD)
        self.server = served.Server(VARVE, [self.db], "--write")
        self.addCleanup(self.end)
        self.url = f"http://127.0.0.1:{self.server.port}"

    def end(self):
        if self.server.alive():
            self.server.stop()

    def begun(self, **how):
        return run(lambda: staging.begin(self.url, **{"token": self.server.token, "like": loads.like(), **how}))

    @staticmethod
    def built(job, pairs, label="0"):
        job = pickle.loads(pickle.dumps(job))
        return run(lambda: job.write(loads.batches(pairs), label))

    def jobs(self):
        """Those that the server keeps: it refuses new ones when they are too many."""
        return self.server.get("/api/v1/targets/t1/jobs").json()["jobs"]

    def contents(self):
        self.assertFalse(os.path.exists(f"{self.db}/uploads"))
        self.assertEqual(0, self.server.stop())
        return run(loads.contents, self.db)

    def test_tables_of_several_tasks(self):
        job = self.begun(table_bytes=1)
        built = [self.built(job, NEW[:200], "0"), self.built(job, [], "1"), self.built(job, NEW[200:], "2")]
        self.built(job, NEW[:10], "an attempt that is not chosen")
        self.assertEqual([200, 0, 300], [of_task.records for of_task in built])
        self.assertTrue(run(job.commit, built))
        self.refused("NotFound", "upload_not_found", self.built, job, NEW)
        self.assertEqual([], self.jobs())
        self.assertEqual(dict(OLD) | dict(NEW), self.contents())

    def test_nothing_or_all(self):
        job = self.begun()
        first, second = self.built(job, NEW[:200]), self.built(job, NEW[100:])
        self.refused("InvalidArgument", "range of keys of its own", job.commit, [first, second])
        self.assertEqual([], self.jobs())
        self.assertTrue(run(job.commit, [first]))
        other = self.begun()
        self.built(other, NEW)
        run(other.abort)
        run(other.abort)
        self.assertEqual(dict(OLD) | dict(NEW[:200]), self.contents())

    def test_nothing_to_add(self):
        job = self.begun()
        self.assertTrue(run(job.commit, [self.built(job, [])]))
        self.assertEqual(dict(OLD), self.contents())

    def test_what_cannot_work_is_refused_at_the_beginning(self):
        begin = lambda url=self.url, **how: lambda: staging.begin(url, **how)  # noqa: E731
        token = self.server.token
        self.refused("InvalidArgument", "token of the server is missing", begin())
        self.refused("IoError", "unauthorized", begin(token="0" * 32))
        self.refused("InvalidArgument", "cf_not_found", begin(token=token, family="none"))
        self.refused("NotSupported", "a stream needs", begin(token=token, stream="s"))
        self.refused("InvalidArgument", "upload-expiry", begin(token=token, expiry=1.0))
        self.refused("InvalidArgument", "http://HOST:PORT", begin(self.url + "/db", token=token))
        self.refused("IoError", "127.0.0.1:1:", begin("http://127.0.0.1:1", token=token))
        self.refused("InvalidArgument", "about servers", begin(self.db, token=token))
        self.refused("InvalidArgument", "key", begin(token=token, like=loads.like().rename_columns(["k", "value"])))
        self.assertEqual(run(lambda: staging.begin(f"{self.url}/#token={token}").server.token), token)


if __name__ == "__main__":
    VARVE = sys.argv.pop(1)
    unittest.main()
