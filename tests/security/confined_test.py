#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""varve serve gives up its rights to all files but its targets, where the kernel has Landlock:

    confined_test.py VARVE FIXTURES"""
import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import served

VARVE, FIXTURES = sys.argv[1], pathlib.Path(sys.argv[2])


def kernel_has_landlock():
    landlock_create_ruleset, ask_version = 444, 1
    return ctypes.CDLL(None).syscall(landlock_create_ruleset, 0, 0, ask_version) > 0


class Confined(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-confined-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.db = self.home / "db"
        self.varve("put", self.db, "a", "1", "--create")
        self.varve("compact", self.db, "--force")
        self.table = next(self.db.glob("*.sst"))

    def varve(self, *words, code=0, **options):
        done = subprocess.run([VARVE, *map(str, words)], capture_output=True, text=True, check=False,
                              **options)
        self.assertEqual(done.returncode, code, done)
        return done

    def serve(self, *options):
        server = served.Server(VARVE, [self.db], *options)
        self.addCleanup(server.process.stdout.close)
        self.addCleanup(server.stop)
        return server

    def read_table(self, server):
        return server.get(f"/api/v1/targets/t1/files/{int(self.table.stem)}/entries")

    def move_out(self):
        """The table is elsewhere, and a link in its place."""
        outside = self.home / "outside.sst"
        self.table.rename(outside)
        self.table.symlink_to(outside)

    def test_what_a_link_leads_to_later_is_not_read(self):
        for options, status in ([], 500 if kernel_has_landlock() else 200), (["--unconfined"], 200):
            with self.subTest(options):
                server = self.serve(*options)
                self.move_out()
                answer = self.read_table(server)
                self.table.unlink()
                (self.home / "outside.sst").rename(self.table)
                self.assertEqual(answer.status, status, answer)
                self.assertEqual(self.read_table(server).status, 200)
                self.assertEqual(server.stop(), 0)

    def test_what_a_link_leads_to_at_the_start_is_read(self):
        self.move_out()
        self.assertEqual(self.read_table(self.serve()).status, 200)

    def test_a_directory_behind_a_link_is_not_part_of_the_target(self):
        # Not even at the start: a link to / would undo it all.
        (self.db / "everything").symlink_to(self.home)
        server = self.serve()
        self.move_out()
        self.assertEqual(self.read_table(server).status, 500 if kernel_has_landlock() else 200)

    def test_a_program_that_only_shows_cannot_write(self):
        # Whatever made it try: the lock is what it would take first.
        before = served.digest(self.db)
        self.read_table(self.serve())
        self.assertEqual(served.digest(self.db), before)

    def test_one_that_writes_makes_and_deletes_files(self):
        server = self.serve("--write")
        written = {"ops": [{"op": "put", "key": "b", "value": "2"}]}
        for target, body in ("batch", written), ("cfs/default:flush", {}):
            answer = server.get(f"/api/v1/targets/t1/{target}", "POST", body)
            self.assertEqual(answer.status, 200, answer)
        self.assertEqual(server.stop(), 0)
        self.assertEqual(self.varve("scan", self.db, "-F", "tsv").stdout, "a\t1\nb\t2\n")
        self.varve("db", "verify", self.db)

    def test_temporary_files_are_in_a_directory_of_its_own(self):
        """Those of logs that are larger than a memtable."""
        db = self.home / "logs"
        self.varve("batch", db, "--create", "--option", "write_buffer_size=512M",
                   input="".join(f"put\tk{i}\t{'v' * 100000}\n" for i in range(1000)))
        temporary = self.home / "temporary"
        temporary.mkdir()
        (temporary / "of-another").write_text("secret")
        self.db = db
        server = self.serve_with(TMPDIR=str(temporary))
        answer = server.get("/api/v1/targets/t1/cfs/default/get?key=k999")
        self.assertEqual(answer.status, 200, answer)
        self.assertEqual(len(os.listdir(temporary)), 2)
        files = pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()
        self.assertTrue([file for file in map(os.readlink, files) if file.startswith(str(temporary))])
        self.assertEqual(server.stop(), 0)
        self.assertEqual(os.listdir(temporary), ["of-another"])

    def serve_with(self, **environment):
        before = dict(os.environ)
        os.environ.update(environment)
        try:
            return self.serve()
        finally:
            os.environ.clear()
            os.environ.update(before)

    def test_it_says_whether_it_is_confined(self):
        for options, confined in ([], kernel_has_landlock()), (["--unconfined"], False):
            as_root = ["--as-root"] if os.geteuid() == 0 else []
            with subprocess.Popen([VARVE, "serve", self.db, "--json", *as_root, *options],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
                document = json.loads(process.stdout.readline())
                process.terminate()
            self.assertEqual(document["confined"], confined)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
