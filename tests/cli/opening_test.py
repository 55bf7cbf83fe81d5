#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must not be opened, or not so: LevelDB's directories, files that are none, counters that
cannot be right, a process without standard input and output.

    opening_test.py VARVE FIXTURES [unittest arguments]"""
import ctypes
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

VARVE, FIXTURES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
LEVELDB = ["leveldb-1.23/leveldb_empty", "leveldb-1.23/leveldb_wal", "leveldb-1.23/leveldb_l0",
           "chromium-156/local_storage", "goleveldb-1.0/log_only", "goleveldb-1.0/reopened_empty"]
COUNTERS = {"m_minlog_max": "MANIFEST-000005@42: MinLogNumberToKeep is 18446744073709551615",
            "m_nextf_max1": "MANIFEST-000005@0: NextFileNumber is 18446744073709551614",
            "m_log_max": "MANIFEST-000005@0: LogNumber is 18446744073709551615",
            "m_epoch_max": "MANIFEST-000005@42: the epoch of a table is 18446744073709551615"}
NOT_SUPPORTED, CORRUPTION = 6, 4


def run(*words, stdin=b"", timeout=60, **how):
    return subprocess.run([*map(os.fsencode, map(str, words))], input=stdin, capture_output=True,
                          timeout=timeout, **how)


def contents(directory):
    return {path.relative_to(directory): path.read_bytes()
            for path in sorted(directory.rglob("*")) if path.is_file()}


class Case(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-opening-"))
        self.addCleanup(shutil.rmtree, self.home, True)

    def copy(self, name):
        to = self.home / name.replace("/", "-")
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(FIXTURES / name, to)
        return to

    def varve(self, *words, code=0, stdin=b""):
        done = run(VARVE, *words, stdin=stdin)
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done

    def for_nobody(self, db):
        """The words that run what follows as a user without rights, and the program, which that user may
        run, as they may read and write the database. Root may do everything."""
        program = self.home / "varve"
        shutil.copy(VARVE, program)
        for path in (self.home, db, *db.iterdir()):
            path.chmod(0o777 if path.is_dir() else 0o666)
        if os.geteuid() != 0:
            return [], program
        return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"], program


class Locks(Case):
    """/proc/locks takes the kernel ten milliseconds, far more than opening a database takes."""

    def test_the_locks_of_all_processes_are_not_read_if_nobody_has_this_one(self):
        calls = self.home / "calls"
        run("strace", "-f", "-e", "trace=openat", "-o", calls, VARVE, "put", "--create",
            self.home / "db", "key", "value")
        opened = calls.read_text()
        self.assertIn("/LOCK", opened)
        self.assertNotIn("/proc/locks", opened)


class Opens(Case):
    """How often a verb opens the table that it shows: once to identify it, and once to read it."""
    OPEN, ACCESS, CLOSE = 0x20, 0x1, 0x10  # <sys/inotify.h>
    VERBS = (["sst", "info"], ["sst", "info", "--properties"], ["sst", "layout"], ["sst", "blocks"],
             ["sst", "index"], ["sst", "hex"], ["sst", "entries"], ["sst", "probe", "key"])

    def opens(self, path, *words):
        libc = ctypes.CDLL(None, use_errno=True)
        events = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.assertGreaterEqual(events, 0, os.strerror(ctypes.get_errno()))
        try:
            # The kernel joins equal events in a row: the reads and closes are what parts two opens.
            watch = libc.inotify_add_watch(events, os.fsencode(path), self.OPEN | self.ACCESS | self.CLOSE)
            self.assertGreaterEqual(watch, 0, os.strerror(ctypes.get_errno()))
            run(VARVE, *words)
            seen = os.read(events, 1 << 20)
        finally:
            os.close(events)
        masks = [mask for _, mask, _, _ in struct.iter_unpack("=iIII", seen)]
        return sum(1 for mask in masks if mask & self.OPEN)

    def test_a_table_is_identified_once_and_opened_once(self):
        table = self.home / "000123.sst"
        shutil.copy(FIXTURES / "sst" / "r119_cksum_xxhash64_fv7.sst", table)
        for verb in self.VERBS:
            words = [*verb[:2], table, *verb[2:]]
            for form in ([], ["--json"]):
                with self.subTest(words=verb + form):
                    self.assertEqual(self.opens(table, *words, *form), 2)


class LevelDb(Case):
    def writers(self, db):
        as_root = ["--as-root"] if os.geteuid() == 0 else []
        yield ["put", db, "key", "value"], b""
        yield ["put", db, "--create", "key", "value"], b""
        yield ["delete", db, "key"], b""
        yield ["batch", db], b"put key value\n"
        yield ["load", db, "-"], b"key\tvalue\n"
        yield ["load", db, "-", "--sorted"], b"key\tvalue\n"
        yield ["compact", db], b""
        yield ["compact", db, "--force"], b""
        yield ["checkpoint", db, self.home / "checkpoint"], b""
        yield ["serve", db, "--write", *as_root], b""
        yield ["cf", "create", db, "more"], b""
        yield ["cf", "drop", db, "default"], b""
        yield ["db", "set-options", db, "compression=zstd"], b""
        yield ["ingest", db, self.table()], b""
        yield ["shell", db], b"put key value\n"
        for workload in ("fillseq", "readrandom"):
            yield ["bench", "run", workload, "--use-existing", "--db", db, "--num", "10"], b""
        yield ["db", "repair", db, "--dry-run"], b""
        yield ["db", "repair", db, "-o", self.home / "repaired"], b""
        yield ["db", "repair", db, "--yes"], b""

    def table(self):
        table = self.home / "table.sst"
        if not table.exists():
            self.varve("sst", "build", table, "-", stdin=b"key\tvalue\n")
        return table

    def test_nothing_is_made_in_its_directory(self):
        """Whatever a verb makes, and whatever it is to be called: LevelDB would delete or read it."""
        source = self.home / "source"
        self.varve("load", source, "-", stdin=b"key\tvalue\n")
        for name in LEVELDB:
            db = self.copy("db/" + name)
            before = contents(db)
            link = self.home / "link"
            link.unlink(missing_ok=True)
            link.symlink_to(db)
            for words, stdin in (
                    (["sst", "build", db / "000099.sst", "-"], b"key\tvalue\n"),
                    (["sst", "build", link / "any", "-"], b"key\tvalue\n"),
                    (["sst", "salvage", self.table(), "-o", db / "000099.sst"], b""),
                    (["db", "repair", source, "-o", db / "repaired"], b""),
                    (["dump", source, "-o", db / "dump"], b""),
                    (["scan", source, "-o", link / "CURRENT"], b""),
                    (["load", self.home / "new", "-", "--rejects", db / "rejects"], b"key\tvalue\n")):
                with self.subTest(name=name, words=words):
                    done = self.varve(*words, stdin=stdin, code=NOT_SUPPORTED)
                    self.assertIn(b"LevelDB", done.stderr)
                    self.assertEqual(contents(db), before)

    def test_nothing_is_made_in_place_of_a_database_file(self):
        """Of a database that is no input of the verb."""
        db, source = self.home / "db", self.home / "source"
        for path in (db, source):
            self.varve("load", path, "-", stdin=b"key\tvalue\n")
        before = contents(db)
        name = next(db.glob("*.sst")).name
        for words in (["scan", source, "-o", db / name], ["dump", source, "-o", db / "CURRENT"],
                      ["sst", "build", db / "000099.sst", "-"],
                      ["sst", "salvage", self.table(), "-o", db / "000099.sst"],
                      ["load", self.home / "new", "-", "--rejects", db / "000098.log"]):
            with self.subTest(words=words):
                done = self.varve(*words, stdin=b"key\tvalue\n", code=8)
                self.assertIn(b"uses for its own files", done.stderr)
                self.assertEqual(contents(db), before)
        self.varve("dump", source, "-o", db / "monday.dump")  # Beside them, as ever.

    def test_no_verb_writes_into_it(self):
        for name in LEVELDB:
            db = self.copy("db/" + name)
            before = contents(db)
            for words, stdin in self.writers(db):
                with self.subTest(name=name, words=words):
                    done = self.varve(*words, stdin=stdin, code=NOT_SUPPORTED)
                    self.assertIn(b"LevelDB", done.stderr)
                    self.assertEqual(contents(db), before)
                    if "repair" not in words or not list(db.glob("*.ldb")):
                        self.assertIn(b"varve dump OLD | varve load NEW -", done.stderr)
                    self.assertFalse((self.home / "checkpoint").exists())
                    self.assertFalse((self.home / "repaired").exists())

    def test_what_its_tables_do_not_count_is_unknown(self):
        db = self.copy("db/leveldb-1.23/leveldb_l0")
        files = json.loads(self.varve("lsm", "files", db, "--properties", "--json").stdout)["files"]
        self.assertEqual([(file["size"], "entries" in file, "deletions" in file) for file in files],
                         [(483, False, False), (482, False, False), (482, False, False)])
        rows = self.varve("lsm", "files", db, "--properties").stdout.decode().splitlines()
        self.assertRegex(next(row for row in rows if "000005" in row), r"000005  482 B +\S*[█▒]")

    def test_it_is_read_and_converted_as_the_message_says(self):
        for name in LEVELDB:
            with self.subTest(name):
                old, new = self.copy("db/" + name), self.home / "new"
                shutil.rmtree(new, ignore_errors=True)
                before = contents(old)
                dump = self.varve("dump", old).stdout
                self.varve("load", new, "-", "--input-format", "dump", stdin=dump)
                rows = self.varve("scan", old, "--limit", "100", "-F", "jsonl").stdout
                self.assertEqual(b'"key"' in rows, not name.endswith("empty"))
                if (new / "CURRENT").exists():  # Where there was something to load.
                    self.assertEqual(self.varve("scan", new, "--limit", "100", "-F", "jsonl").stdout, rows)
                self.assertEqual(contents(old), before)
                self.assertIn(b"LevelDB", self.varve("db", "info", old).stdout)


class Descriptors(Case):
    def test_a_process_without_standard_streams_keeps_what_it_acknowledged(self):
        """Commands that print while they have the database open, three times, then a put."""
        db = self.home / "db"
        self.varve("put", db, "--create", "first", "1")
        closed = "exec <&- >&- 2>&-; "
        for i in range(5):
            for _ in range(3):
                run("/bin/sh", "-c", closed + 'exec "$0" compact "$1"', VARVE, db)
            run("/bin/sh", "-c", closed + 'exec "$0" put "$1" "$2" v', VARVE, db, f"q{i}")
            self.assertEqual(self.varve("get", db, f"q{i}").stdout, b"v\n")
        self.assertEqual(self.varve("get", db, "first").stdout, b"1\n")
        self.varve("db", "verify", db)
        self.assertEqual((db / "LOCK").read_bytes(), b"")

    def test_who_gets_too_few_of_them_says_so(self):
        """And does not take it for a writer that is faster than itself."""
        db = self.home / "db"
        self.varve("put", db, "--create", "first", "1")
        refused = 0
        for most in range(4, 12):
            for words in (["get", db, "first"], ["count", db], ["dump", db, "-o", self.home / "out"]):
                with self.subTest(most=most, words=words):
                    done = run(VARVE, *words, preexec_fn=lambda most=most: resource.setrlimit(
                        resource.RLIMIT_NOFILE, (most, most)))
                    self.assertIn(done.returncode, (0, 3), done.stderr)
                    if done.returncode != 0:
                        self.assertIn(b"Too many open files", done.stderr)
                        refused += 1
        self.assertGreater(refused, 3)

    def test_what_cannot_be_printed_is_an_error(self):
        db = self.home / "db"
        self.varve("put", db, "--create", "first", "1")
        done = run("/bin/sh", "-c", 'exec >&-; exec "$0" get "$1" first', VARVE, db)
        self.assertEqual(done.returncode, 3, done.stderr)


class Threads(Case):
    def test_who_gets_too_few_of_them_says_so(self):
        """In text and exit code: it is neither a crash nor a bug."""
        db = self.home / "db"
        self.varve("put", db, "--create", "first", "1")
        as_nobody, program = self.for_nobody(db)
        for most in (1, 2, 3, 5, 8, 20):
            for words in (["put", db, "second", "2"], ["compact", db, "--force"], ["serve", db],
                          ["serve", db, "--write"]):
                with self.subTest(most=most, words=words):
                    done = run("timeout", "5", *as_nobody, "prlimit", f"--nproc={most}", program,
                               *words)
                    self.assertIn(done.returncode, (0, 3, 124), done.stderr)
                    if done.returncode == 3:
                        self.assertIn(b"the system refused", done.stderr)
        self.varve("db", "verify", db)


class Links(Case):
    def test_a_log_that_is_not_a_file_or_a_broken_link_is_an_error(self):
        for target in ("nowhere", "itself", "directory"):
            with self.subTest(target):
                db = self.home / target / "db"
                db.parent.mkdir()
                self.varve("put", db, "--create", "first", "1")
                log, = (path for path in db.glob("*.log") if path.stat().st_size > 0)
                kept = log.rename(self.home / f"kept-{target}")
                if target == "directory":
                    log.mkdir()
                else:
                    log.symlink_to(log.name if target == "itself" else "nowhere")
                before = sorted(os.listdir(db))
                for words in (["get", db, "first"], ["scan", db], ["put", db, "second", "2"],
                              ["compact", db], ["db", "verify", db], ["checkpoint", db, db / "c"],
                              ["db", "repair", db, "-o", self.home / f"repaired-{target}"]):
                    done = run(VARVE, *words)
                    missing = words[:2] == ["db", "verify"] and target == "nowhere"
                    self.assertEqual(done.returncode, 4 if missing else 3,
                                     (words, done.stdout, done.stderr))
                    self.assertIn(log.name.encode(), done.stdout + done.stderr)
                self.assertEqual(sorted(os.listdir(db)), before)
                log.rmdir() if target == "directory" else log.unlink()
                kept.rename(log)
                self.assertEqual(self.varve("get", db, "first").stdout, b"1\n")


class Limits(Case):
    def test_a_file_that_may_grow_no_further_is_an_error(self):
        db = self.home / "db"
        self.varve("put", db, "--create", "first", "1")
        for words in (["put", db, "second", "2" * 100], ["compact", db, "--force"],
                      ["checkpoint", db, self.home / "copy"]):
            done = run("prlimit", "--fsize=30", VARVE, *words)
            self.assertEqual(done.returncode, 3, (words, done.stderr))
        self.assertEqual(self.varve("get", db, "first").stdout, b"1\n")
        self.varve("db", "verify", db)


class OptionsFiles(Case):
    def test_one_that_cannot_be_read_for_the_moment_is_not_replaced(self):
        db = self.home / "db"
        self.varve("put", db, "--create", "--option", "compression=zstd", "first", "1")
        options, = db.glob("OPTIONS-*")
        kept = options.read_bytes()
        as_nobody, program = self.for_nobody(db)
        options.chmod(0)
        for words in (["put", db, "second", "2"], ["compact", db, "--force"],
                      ["cf", "create", db, "other"], ["db", "set-options", db, "block_size=8192"]):
            done = run(*as_nobody, program, *words)
            self.assertEqual(done.returncode, 3, (words, done.stdout, done.stderr))
            self.assertIn(options.name.encode(), done.stderr)
        self.assertEqual(run(*as_nobody, program, "get", db, "first").stdout, b"1\n")
        options.chmod(0o666)
        self.assertEqual(options.read_bytes(), kept)
        self.varve("put", db, "second", "2")


class Fifos(Case):
    """A name of the database's that leads to a FIFO: nobody ever writes to it."""

    def test_no_verb_waits_for_one(self):
        for replaced in ("CURRENT", "MANIFEST-*", "*.log", "OPTIONS-*", "IDENTITY", "*.sst", "LOCK"):
            for words in (["get", "DB", "key"], ["put", "DB", "key", "value"], ["scan", "DB"],
                          ["db", "verify", "DB"], ["db", "info", "DB"], ["lsm", "show", "DB"],
                          ["compact", "DB"], ["db", "repair", "DB", "--dry-run"]):
                db = self.copy("db/rocksdb-7.8.3/archive")
                (db / "LOCK").touch()
                path = sorted(db.glob(replaced))[-1]
                path.unlink()
                os.mkfifo(path)
                with self.subTest(replaced=replaced, words=words):
                    done = run(VARVE, *[db if word == "DB" else word for word in words], timeout=20)
                    self.assertIn(done.returncode, (0, 1, 3, 4, 6, 7), done.stderr)

    def test_it_is_named(self):
        for replaced, words in (("CURRENT", ["get", "DB", "key"]), ("MANIFEST-*", ["put", "DB", "a", "b"]),
                                ("LOCK", ["put", "DB", "a", "b"])):
            db = self.copy("db/rocksdb-7.8.3/archive")
            (db / "LOCK").touch()
            path = sorted(db.glob(replaced))[-1]
            path.unlink()
            os.mkfifo(path)
            with self.subTest(replaced):
                done = self.varve(*[db if word == "DB" else word for word in words], code=3)
                self.assertIn(path.name.encode() + b": is a FIFO, not a regular file", done.stderr)

    def test_an_input_may_be_one(self):
        fifo, db = self.home / "rows", self.home / "db"
        os.mkfifo(fifo)
        writer = subprocess.Popen(["/bin/sh", "-c", 'printf "a\\t1\\nb\\t2\\n" > "$0"', fifo])
        self.varve("load", db, fifo)
        writer.wait()
        self.assertEqual(self.varve("get", db, "b").stdout, b"2\n")


class Tables(Case):
    """A table that the MANIFEST names and that cannot be read: who needs it says so, as db verify."""
    LOOKS = [["db", "info"], ["lsm", "show"], ["lsm", "files"]]
    READS = [["scan"], ["scan", "--versions"], ["scan", "--stored-order"], ["count"], ["dump"],
             ["get", "k500"], ["locate", "k500"], ["explain", "get", "k500"],
             ["explain", "scan", "--limit", "1000"], ["db", "space"], ["db", "space", "--estimate"],
             ["approxsize"], ["diff", "OTHER"]]

    def database(self):
        db = self.home / "db"
        shutil.rmtree(db, True)
        rows = b"".join(b"k%03d\tvalue\n" % i for i in range(1000))
        self.varve("load", db, "-", stdin=rows)
        self.varve("compact", db)
        table, = db.glob("*.sst")
        return db, table

    def agree(self, code, db, verbs):
        for verb in verbs:
            for form in ([], ["--json"]):
                if verb[0] == "dump" and form:
                    continue
                with self.subTest(verb, form=form):
                    name = verb[:2] if verb[0] in ("db", "lsm", "explain") else verb[:1]
                    words = [str(self.other) if word == "OTHER" else word
                             for word in verb[len(name):]]
                    self.varve(*name, db, *words, *form, code=code)

    def test_one_that_is_missing(self):
        self.other = FIXTURES / "db/rocksdb-7.8.3/multi_cf"
        db, table = self.database()
        table.unlink()
        table.symlink_to("nowhere")
        self.agree(CORRUPTION, db, [["db", "verify"], *self.LOOKS, *self.READS])
        table.unlink()
        self.agree(CORRUPTION, db, [["db", "verify"], *self.LOOKS, *self.READS])
        for form in ([], ["-F", "csv"]):  # What can be shown is.
            shown = self.varve("lsm", "files", db, *form, code=CORRUPTION).stdout
            self.assertIn(table.stem.lstrip("0").encode(), shown)
            shown = self.varve("locate", db, "k500", *form, code=CORRUPTION).stdout
            self.assertIn(b"it is missing", shown)

    def test_one_that_no_answer_needs(self):
        """get and scan open a database of which every table is there; so does who explains them."""
        self.other = FIXTURES / "db/rocksdb-7.8.3/multi_cf"
        reads = [verb for verb in self.READS if verb[0] not in ("diff", "explain", "db")]
        reads += [["explain", "get", "k500"], ["explain", "multiget", "k500", "k501"],
                  ["explain", "scan", "--to", "k002"], ["scan", "--versions", "--to", "k002"],
                  ["scan", "--stored-order", "--limit", "1"], ["count", "--versions"],
                  ["approxsize", "--to", "k002"], ["db", "space", "--cf", "default"],
                  ["lsm", "show", "--cf", "default"]]
        for family in ("default", "other"):
            with self.subTest(family=family):
                db, table = self.database()
                self.varve("cf", "create", db, "other")
                self.varve("load", db, "-", "--cf", family, stdin=b"z1\tvalue\n")
                newest = max(db.glob("*.sst"))
                self.assertNotEqual(newest, table)
                newest.unlink()
                self.agree(CORRUPTION, db, reads)
                for verb in (["explain", "get", "k500"], ["explain", "scan", "--to", "k002"],
                             ["locate", "k500"]):
                    name = verb[:-1] if verb[0] == "locate" else verb[:2]
                    words = [*name, db, *verb[len(name):]]
                    shown = self.varve(*words, code=CORRUPTION).stdout
                    self.assertIn(b"it is missing", shown)  # And what the others hold.
                    self.assertIn(table.stem.lstrip("0").encode(), shown)
                    said = json.loads(self.varve(*words, "--json", code=CORRUPTION).stdout)
                    problem = said.get("result", said)["problem"]
                    self.assertEqual(problem["code"], "manifest_mismatch")

    def test_one_in_another_of_several_paths(self):
        self.other = FIXTURES / "db/rocksdb-7.8.3/multi_cf"
        for release in ("7.8.3", "11.9"):
            db = FIXTURES / f"db/rocksdb-{release}/paths"
            self.agree(NOT_SUPPORTED, db, [["db", "verify"], *self.READS])
            for verb in (["scan", db, "--versions"], ["explain", "scan", db]):
                done = self.varve(*verb, code=NOT_SUPPORTED)
                self.assertIn(b"is in another of several db_paths", done.stdout + done.stderr)

    def test_what_is_no_file(self):
        self.other = FIXTURES / "db/rocksdb-7.8.3/multi_cf"
        makers = {"directory": lambda path: path.mkdir(),
                  "FIFO": os.mkfifo,
                  "loop": lambda path: path.symlink_to(path.name)}
        for kind, make in makers.items():
            with self.subTest(kind):
                db, table = self.database()
                table.unlink()
                make(table)
                self.agree(3, db, [["db", "verify"], *self.LOOKS, *self.READS])
                done = self.varve("scan", db, code=3)
                self.assertIn(b"loop" if kind == "loop" else kind.encode(),
                              done.stderr.replace(b"levels of symbolic links", b"loop"))


class Counters(Case):
    def test_every_verb_refuses_them_at_their_place(self):
        for name, words in COUNTERS.items():
            db = self.copy("hostile/" + name)
            for verb in (["put", db, "k", "v"], ["get", db, "k"], ["compact", db], ["scan", db]):
                with self.subTest(name=name, verb=verb[0]):
                    self.assertIn(words.encode(), self.varve(*verb, code=CORRUPTION).stderr)
            with self.subTest(name=name, verb="verify"):
                self.assertIn(words.encode(), self.varve("db", "verify", db, code=CORRUPTION).stdout)

    def test_what_repair_makes_of_them_is_sound_and_takes_writes(self):
        for name in COUNTERS:
            with self.subTest(name):
                db, repaired = self.copy("hostile/" + name), self.home / ("new-" + name)
                self.assertIn(run(VARVE, "db", "repair", db, "-o", repaired).returncode, (0, 7))
                self.varve("db", "verify", repaired)
                self.varve("put", repaired, "k", "v")
                self.assertEqual(self.varve("get", repaired, "k").stdout, b"v\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
