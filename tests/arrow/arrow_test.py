#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrow, between varve and pyarrow, polars and DuckDB: `varve scan -F arrow` and `varve load`, DB.scan() and DB.load() in Python.

    arrow_test.py VARVE FIXTURES"""
import concurrent.futures
import gc
import gzip
import io
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import duckdb
import polars
import pyarrow
import pyarrow.ipc

import varve

VARVE = FIXTURES = None
KEY, VALUE = (pyarrow.field(name, pyarrow.large_binary(), nullable=False) for name in ("key", "value"))
BROKEN = (pyarrow.ArrowInvalid, OSError)


def records():
    """Sorted: more than a batch has, empty ones, some with zeros, some larger than a batch."""
    chance = random.Random(15)
    made = {b"%08d" % number: chance.randbytes(chance.choice((0, 1, 7, 30))) for number in range(70_000)}
    made |= {b"": b"", b"\0": b"\0\0", b"\xff" * 300: b"last", b"large": bytes(5 << 20), b"large2": b"x" * (3 << 20)}
    return sorted(made.items())


def pairs(table):
    return list(zip(*(table.column(name).to_pylist() for name in ("key", "value"))))


class Scratch(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-arrow-"))
        self.addCleanup(shutil.rmtree, self.home)

    def filled(self, pairs, **options):
        with varve.open(self.home / "db", create_if_missing=True, **options) as db:
            batch = varve.WriteBatch()
            for key, value in pairs:
                batch.put(key, value)
            db.write(batch)
        return self.home / "db"

    def damaged(self):
        """A database whose only table has a wrong byte in its middle, and the table's name."""
        path = self.filled([(b"%06d" % number, b"x" * 100) for number in range(100_000)], compression="none")
        with varve.open(path) as db:
            db.compact(force_bottommost=True)
            table = path / f"{db.files()[0]['number']:06}.sst"
        with open(table, "r+b") as file:
            file.seek(table.stat().st_size // 2)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 1]))
        return path, table.name


class CommandTest(Scratch):
    def scan(self, *words, code=0):
        done = subprocess.run([VARVE, "scan", *map(str, words), "-F", "arrow"], capture_output=True)
        self.assertEqual(code, done.returncode, done.stderr)
        return done

    def read(self, *words, code=0):
        table = pyarrow.ipc.open_stream(self.scan(*words, code=code).stdout).read_all()
        table.validate(full=True)
        return table

    def test_all_records(self):
        wanted = records()
        path = self.filled(wanted)
        stream = self.scan(path).stdout
        seen = pyarrow.ipc.open_stream(stream).read_all()
        seen.validate(full=True)
        self.assertEqual(pyarrow.schema([KEY, VALUE]), seen.schema)
        self.assertEqual(wanted, pairs(seen))
        self.assertGreater(len(pyarrow.ipc.open_stream(stream).read_all().column("key").chunks), 3)  # Batches.
        self.assertEqual(wanted, polars.read_ipc_stream(io.BytesIO(stream)).rows())
        self.assertEqual([(len(wanted), sum(len(value) for _, value in wanted))],
                         duckdb.sql("select count(*), sum(octet_length(value)) from seen").fetchall())

    def test_parts_of_them(self):
        path = self.filled([(b"a", b"1"), (b"b", b"2"), (b"ba", b"3"), (b"c", b"4")])
        for flags, keys in ((["--prefix", "b"], [b"b", b"ba"]), (["--from", "b", "--to", "c"], [b"b", b"ba"]),
                            (["--reverse"], [b"c", b"ba", b"b", b"a"]), (["--limit", 2], [b"a", b"b"]),
                            (["--limit", 0], [])):
            self.assertEqual(keys, self.read(path, *flags).column("key").to_pylist(), flags)
        self.assertEqual(pyarrow.schema([KEY]), self.read(path, "--keys-only").schema)

    def test_no_records(self):
        table = self.read(self.filled([]))
        self.assertEqual((0, pyarrow.schema([KEY, VALUE])), (table.num_rows, table.schema))

    def test_a_file(self):
        path, file = self.filled([(b"a", b"1")]), self.home / "records.arrows"
        self.scan(path, "-o", file)
        self.assertEqual([(b"a", b"1")], pairs(pyarrow.ipc.open_stream(file).read_all()))

    def test_damage_in_the_middle_ends_the_stream_for_every_reader(self):
        path, table = self.damaged()
        done = self.scan(path, code=4)
        self.assertIn(f"{table}@".encode(), done.stderr)
        reader, seen = pyarrow.ipc.open_stream(done.stdout), []
        with self.assertRaises(BROKEN):
            for batch in reader:
                seen += batch.column("key").to_pylist()
        # All records before the damage are there.
        self.assertEqual([b"%06d" % number for number in range(len(seen))], seen)
        self.assertGreater(len(seen), 40_000)
        with self.assertRaises(BROKEN):
            pyarrow.ipc.open_stream(done.stdout).read_all()
        with self.assertRaises((polars.exceptions.PolarsError, OSError)):
            polars.read_ipc_stream(io.BytesIO(done.stdout))
        self.scan(path, "-o", self.home / "out.arrows", code=4)
        self.assertFalse((self.home / "out.arrows").exists())

    def test_a_damaged_log_is_partial(self):
        done = self.scan(FIXTURES / "damaged/flip_first_record_wal5", code=7)
        pyarrow.ipc.open_stream(done.stdout).read_all()

    def test_what_is_refused(self):
        path = self.filled([(b"a", b"1")])
        with varve.open(path) as db:
            db.flush()
        table, = path.glob("*.sst")
        for words in ([path, "--all-cfs"], [path, "--versions"], [path, "--stored-order"], [table]):
            done = self.scan(*words, code=2)
            self.assertIn(b"-F arrow prints the records of one column family", done.stderr)
            self.assertEqual(b"", done.stdout)
        self.assertEqual(b"", self.scan(self.home / "none", code=3).stdout)


class PackageTest(Scratch):
    def open(self, pairs, **options):
        db = varve.open(self.filled(pairs, **options))
        self.addCleanup(db.close)
        return db

    def test_all_records(self):
        wanted = records()
        db = self.open(wanted)
        scan = db.scan()
        table = pyarrow.table(scan)
        table.validate(full=True)
        self.assertEqual(pyarrow.schema([KEY, VALUE]), table.schema)
        self.assertEqual(wanted, pairs(table))
        self.assertEqual(wanted, polars.DataFrame(scan).rows())
        self.assertEqual(wanted, duckdb.sql("from scan").fetchall())
        self.assertEqual([(len(wanted),)], duckdb.sql("select count(*) from scan a join scan b using (key)").fetchall())

    def test_parts_of_them(self):
        db = self.open([(b"a", b"1"), (b"b", b"2"), (b"ba", b"3"), (b"c", b"4")])
        for given, keys in (({"prefix": b"b"}, [b"b", b"ba"]), ({"start": b"b", "stop": b"c"}, [b"b", b"ba"]),
                            ({"reverse": True}, [b"c", b"ba", b"b", b"a"]), ({"start": b"x"}, [])):
            self.assertEqual(keys, pyarrow.table(db.scan(**given)).column("key").to_pylist(), given)
        self.assertEqual(pyarrow.schema([KEY]), pyarrow.table(db.scan(values=False)).schema)
        self.assertRaises(ValueError, db.scan, prefix=b"a", start=b"b")

    def test_each_stream_sees_the_state_when_it_was_made(self):
        db = self.open([(b"a", b"1")])
        other = db.create_family("other")
        snapshot, scan = db.snapshot(), db.scan()
        stream = pyarrow.RecordBatchReader.from_stream(scan)
        db[b"b"] = other[b"o"] = b"2"
        self.assertEqual([(b"a", b"1")], pairs(stream.read_all()))
        self.assertEqual([(b"a", b"1"), (b"b", b"2")], pairs(pyarrow.table(scan)))
        self.assertEqual([(b"a", b"1")], pairs(pyarrow.table(snapshot.scan())))
        self.assertEqual([(b"o", b"2")], pairs(pyarrow.table(other.scan())))
        self.assertEqual([], pairs(pyarrow.table(snapshot.family("other").scan())))

    def test_damage(self):
        path, table = self.damaged()
        with varve.open(path) as db:
            stream, seen = pyarrow.RecordBatchReader.from_stream(db.scan()), []
            with self.assertRaisesRegex(OSError, rf"{table}@\d+"):
                for batch in stream:
                    seen += batch.column("key").to_pylist()
            self.assertEqual([b"%06d" % number for number in range(len(seen))], seen)
            self.assertGreater(len(seen), 40_000)
            self.assertRaises(OSError, stream.read_next_batch)  # And stays.
            self.assertRaises(OSError, pyarrow.table, db.scan())
            self.assertRaises(Exception, polars.DataFrame, db.scan())
            scan = db.scan()
            self.assertTrue(scan)
            self.assertRaises(duckdb.Error, lambda: duckdb.sql("from scan").fetchall())

    def test_batches_outlive_the_database(self):
        db = self.open(records())
        stream = pyarrow.RecordBatchReader.from_stream(db.scan())
        batch, scan, unused = stream.read_next_batch(), db.scan(), db.scan().__arrow_c_stream__()
        db.close()
        self.assertRaisesRegex(OSError, "the database is closed", stream.read_next_batch)
        self.assertRaises(varve.Shutdown, pyarrow.table, scan)
        self.assertRaises(varve.Shutdown, db.scan)
        del stream, scan, unused, db
        gc.collect()
        self.assertEqual(b"", batch.column("key")[0].as_py())
        batch.validate(full=True)

    def test_a_stream_keeps_the_database(self):
        def stream():
            return pyarrow.RecordBatchReader.from_stream(varve.open(self.filled(wanted)).scan())

        wanted = [(b"a", b"1")]
        left = stream()
        gc.collect()
        self.assertEqual(wanted, pairs(left.read_all()))
        del left
        varve.open(self.home / "db").close()  # The lock is free.

    def test_many_threads(self):
        wanted = records()
        db = self.open(wanted)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for table in pool.map(lambda _: pyarrow.table(db.scan(stop=b"l")), range(12)):
                self.assertEqual(70_002, table.num_rows)

    def test_forked_children(self):
        db = self.open(records())
        stream = pyarrow.RecordBatchReader.from_stream(db.scan())
        child = os.fork()
        if child == 0:
            try:
                stream.read_next_batch()
            except OSError as error:
                os._exit(0 if "fork" in str(error) else 1)
            os._exit(2)
        self.assertEqual(0, os.waitpid(child, 0)[1])
        self.assertEqual(len(records()), stream.read_all().num_rows)

    def test_memory_stays_as_it_is(self):
        db = self.open([(b"%06d" % number, b"v" * 100) for number in range(10_000)])

        def use():
            for _ in range(50):
                pyarrow.table(db.scan())
                db.scan().__arrow_c_stream__()  # Nobody takes it.
                next(pyarrow.RecordBatchReader.from_stream(db.scan()))
            with open("/proc/self/statm", encoding="ascii") as statm:
                return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        sizes = [use() for _ in range(6)]
        self.assertLess(min(after - before for before, after in zip(sizes[1:], sizes[2:])), 2 << 20, sizes)


class LoadTest(Scratch):
    def setUp(self):
        super().setUp()
        self.db = varve.open(self.home / "db", create_if_missing=True)
        self.addCleanup(self.db.close)

    def check(self, wanted, table, **columns):
        """It is loaded into an empty family, and is there."""
        family = self.db.create_family("f")
        self.assertEqual(len(wanted), family.load(table, **columns))
        self.assertEqual(wanted, list(family.items()))
        self.db.drop_family("f")

    def test_types_of_pyarrow(self):
        wanted = [(b"a", b"1"), (b"b" * 13, b""), (b"c", b"x" * 100)]
        for kind in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view(), pyarrow.string(),
                     pyarrow.large_string(), pyarrow.string_view()):
            with self.subTest(kind):
                schema = pyarrow.schema([("value", kind), ("other", pyarrow.int64()), ("key", kind)])
                table = pyarrow.Table.from_pylist([{"key": key, "value": value, "other": 7} for key, value in wanted], schema)
                self.check(wanted, table)
                self.check(wanted[1:], table.slice(1))
                self.check([], table.slice(3))
                twice = pyarrow.concat_tables([table.slice(0, 1), table.slice(1)])  # Two batches.
                self.check(wanted, twice)
                self.check(wanted, twice.rename_columns(["v", "o", "k"]), key="k", value="v")
        fixed = pyarrow.table({"key": pyarrow.array([b"aa", b"bb", b"cc"], pyarrow.binary(2)), "value": [b"1", b"2", b"3"]})
        self.check([(b"bb", b"2"), (b"cc", b"3")], fixed.slice(1))

    def test_what_polars_and_duckdb_give(self):
        wanted = records()
        columns = {"key": [key for key, _ in wanted], "value": [value for _, value in wanted]}
        self.check(wanted, polars.DataFrame(columns))
        source = pyarrow.table(columns)
        self.assertTrue(source)
        self.check(wanted, duckdb.sql("from source"))

    def test_from_another_database(self):
        wanted = records()
        with varve.open(self.home / "other", create_if_missing=True) as other:
            for key, value in wanted:
                other[key] = value
            self.check(wanted, other.scan())
        self.db[b"a"] = b"1"
        family = self.db.create_family("copy")
        self.assertEqual(1, family.load(self.db.scan(), durability="sync"))  # And from itself.

    def test_a_damaged_source(self):
        self.db.close()
        shutil.rmtree(self.home / "db")
        path, table = self.damaged()
        with varve.open(path) as source, varve.open(self.home / "copy", create_if_missing=True) as copy:
            self.assertRaisesRegex(varve.IoError, rf"{table}@\d+", copy.load, source.scan())

    def test_a_stream_that_fails(self):
        def batches():
            yield pyarrow.record_batch({"key": [b"a"], "value": [b"1"]})
            raise ZeroDivisionError("no more")

        schema = pyarrow.schema([("key", pyarrow.binary()), ("value", pyarrow.binary())])
        reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
        self.assertRaisesRegex(varve.Error, "reading the stream: .*no more", self.db.load, reader)
        self.assertEqual([b"a"], list(self.db))

    def test_what_is_refused(self):
        good = pyarrow.array([b"a", b"b"])
        for columns, message in (
                ({"key": [1, 2], "value": good}, 'column "key": its type "l"'),
                ({"key": good, "value": [[b"a"], [b"b"]]}, 'column "value": its type'),
                ({"key": good, "value": good.dictionary_encode()}, 'column "value": it has a dictionary'),
                ({"key": good, "values": good}, 'column "value": there is none'),
                ({"key": [b"a", None], "value": good}, 'batch 0: column "key": row 1 of a batch is null')):
            self.assertRaisesRegex(varve.InvalidArgument, message, self.db.load, pyarrow.table(columns))
        nulls = pyarrow.chunked_array([good, [b"a", None]])
        self.assertRaisesRegex(varve.InvalidArgument, 'batch 1: column "value": row 1', self.db.load,
                               pyarrow.table({"key": [b"a", b"b", b"c", b"d"], "value": nulls}))
        self.assertEqual([b"a", b"b"], list(self.db))  # Of the batch before.
        twice = pyarrow.Table.from_arrays([good, good, good], ["key", "key", "value"])
        self.assertRaisesRegex(varve.InvalidArgument, "more than one", self.db.load, twice)
        for other in ({"key": [b"a"]}, [(b"a", b"1")], None, good):
            self.assertRaises((TypeError, varve.InvalidArgument), self.db.load, other)
        self.assertRaises(ValueError, self.db.load, Used())

    def test_a_key_that_is_too_large(self):
        table = pyarrow.table({"key": [b"a", bytes(257 << 20)], "value": [b"1", b"2"]})
        self.assertRaisesRegex(varve.InvalidArgument, "batch 0: .*larger than", self.db.load, table)

    def test_closed(self):
        table = pyarrow.table({"key": [b"a"], "value": [b"1"]})
        self.db.close()
        self.assertRaises(varve.Shutdown, self.db.load, table)


class LoadCommandTest(Scratch):
    def load(self, *words, code=0, stdin=b""):
        done = subprocess.run([VARVE, "load", self.home / "db", *map(str, words)], capture_output=True, input=stdin)
        self.assertEqual(code, done.returncode, done.stderr)
        return done.stderr.decode()

    def check(self, wanted, *words, stdin=b""):
        """It is loaded into a new database, and is there."""
        shutil.rmtree(self.home / "db", ignore_errors=True)
        told = self.load(*words, stdin=stdin)
        with varve.open(self.home / "db", read_only=True) as db:
            self.assertEqual(wanted, list(db.items()))
        return told

    def refused(self, message, stream, *words, code=2):
        shutil.rmtree(self.home / "db", ignore_errors=True)
        self.assertRegex(self.load("-", *words, code=code, stdin=stream), message)
        self.assertFalse((self.home / "db").exists())  # Nothing was changed.

    def stream(self, table, file=False, **options):
        out = pyarrow.BufferOutputStream()
        with (pyarrow.ipc.new_file if file else pyarrow.ipc.new_stream)(
                out, table.schema, options=pyarrow.ipc.IpcWriteOptions(**options)) as writer:
            writer.write_table(table)
        return out.getvalue().to_pybytes()

    def test_its_own_streams(self):
        wanted = records()
        path = self.filled(wanted)
        for flags in ([], ["--limit", "0"]):
            stream = subprocess.run([VARVE, "scan", path, "-F", "arrow", *flags], capture_output=True).stdout
            copy = self.home / "copy.arrows"
            copy.write_bytes(stream)
            loaded = subprocess.run([VARVE, "load", self.home / f"copy{len(flags)}", copy], capture_output=True)
            self.assertEqual(0, loaded.returncode, loaded.stderr)
        with varve.open(self.home / "copy0", read_only=True) as db:
            self.assertEqual(wanted, list(db.items()))

    def test_types_and_forms_of_pyarrow(self):
        wanted = [(b"a", b"1"), (b"b" * 13, b""), (b"c", b"x" * 100)]
        for kind in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view(), pyarrow.string(),
                     pyarrow.large_string(), pyarrow.string_view()):
            schema = pyarrow.schema([("value", kind), ("n", pyarrow.int64()), ("b", pyarrow.bool_()), ("u", pyarrow.null()),
                                     ("d", pyarrow.dictionary(pyarrow.int8(), pyarrow.string())), ("key", kind)])
            table = pyarrow.Table.from_pylist([{"key": key, "value": value, "n": 7, "d": "x"} for key, value in wanted], schema)
            twice = pyarrow.concat_tables([table.slice(0, 1), table.slice(1)])
            for file in (False, True):
                with self.subTest(kind, file=file):
                    self.assertIn("read as arrow, by its first bytes", self.check(wanted, "-", stdin=self.stream(twice, file)))
                    self.check(wanted[1:], "-", stdin=self.stream(table.slice(1), file))
                    self.check(wanted, "-", "--key-column", "k", "--value-column", "v", "--cf", "default",
                               stdin=self.stream(table.rename_columns(["v", "n", "b", "u", "d", "k"]), file))
        fixed = pyarrow.table({"key": pyarrow.array([b"aa", b"bb"], pyarrow.binary(2)), "value": [b"1", b"2"]})
        self.check([(b"aa", b"1"), (b"bb", b"2")], "-", stdin=self.stream(fixed))
        self.check([(b"aa", b"1"), (b"bb", b"2")], "-", stdin=gzip.compress(self.stream(fixed)))

    def test_what_polars_writes(self):
        wanted = records()
        frame = polars.DataFrame({"key": [key for key, _ in wanted], "value": [value for _, value in wanted]})
        stream, file = self.home / "s.arrows", self.home / "f.arrow"
        for options in ({}, {"compat_level": polars.CompatLevel.oldest()}):
            frame.write_ipc_stream(stream, compression="uncompressed", **options)
            self.assertIn("read as arrow, by its name", self.check(wanted, stream))
        frame.write_ipc(file, compression="uncompressed")  # The schema is nowhere but in the footer.
        shutil.rmtree(self.home / "db")
        self.assertIn("write_ipc_stream", self.load(file, code=2))

    def test_what_is_refused(self):
        good = pyarrow.array([b"a", b"b"])
        for columns, message, code in (
                ({"key": [1, 2], "value": good}, '@0: column "key": its type "int" is', 2),
                ({"key": good, "value": good.dictionary_encode()}, 'column "value": it has a dictionary', 2),
                ({"key": good, "values": good}, '@0: column "value": there is none', 2),
                ({"key": [b"a", None], "value": good}, r'standard input@[1-9]\d+: column "key": row 1 of a batch is null', 2),
                ({"key": good, "value": good, "list": [[1], [2]]}, 'column "list" has a nested type', 6)):
            self.refused(message, self.stream(pyarrow.table(columns)), code=code)
        table = pyarrow.table({"key": good, "value": good})
        self.refused("compressed batches", self.stream(table, compression="zstd"), code=6)
        self.refused("no message of Arrow's IPC format", b"abc\tdef\n", "--input-format", "arrow")

    def test_a_stream_that_is_cut_short_anywhere(self):
        table = pyarrow.table({"key": [b"a", b"b"], "value": [b"1", b"2"]})
        stream = self.stream(table)
        self.check([(b"a", b"1"), (b"b", b"2")], "-", stdin=stream)
        for size in range(0, len(stream), 8):
            self.refused("cut short", stream[:size], "--input-format", "arrow")

    def test_a_damaged_source(self):
        path, _ = self.damaged()
        stream = subprocess.run([VARVE, "scan", path, "-F", "arrow"], capture_output=True).stdout
        self.refused("cut short", stream)


class Used:
    """Its stream was taken."""
    def __init__(self):
        self.capsule = pyarrow.table({"key": [b"a"], "value": [b"1"]}).__arrow_c_stream__()
        pyarrow.RecordBatchReader._import_from_c_capsule(self.capsule)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


if __name__ == "__main__":
    VARVE, FIXTURES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
