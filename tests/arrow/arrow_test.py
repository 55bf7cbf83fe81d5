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
import struct
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
                ({"key": [1, 2], "value": good}, 'column "key": its type "int64"'),
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

    def test_compressed_batches(self):
        wanted = records()
        columns = {"key": [key for key, _ in wanted], "value": [value for _, value in wanted]}
        table = pyarrow.table(columns)
        for kind in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view()):
            cast = table.cast(pyarrow.schema([("key", kind), ("value", kind)]))
            for codec in ("zstd", "lz4"):
                for file in (False, True):
                    self.check(wanted, "-", stdin=self.stream(cast, file, compression=codec))
        frame, stream = polars.DataFrame(columns), self.home / "s.arrows"
        for codec in ("zstd", "lz4"):
            frame.write_ipc_stream(stream, compression=codec)
            self.check(wanted, stream)
        for codec in ("zstd", "lz4", "none"):
            written = subprocess.run([VARVE, "scan", self.home / "db", "-F", "arrow", "--compression", codec],
                                     capture_output=True, check=True).stdout
            self.assertTrue(table.cast(pyarrow.schema([KEY, VALUE])).equals(pyarrow.ipc.open_stream(written).read_all()))
            self.assertEqual(wanted, polars.read_ipc_stream(io.BytesIO(written)).rows())
            self.assertEqual(codec != "none", len(written) < 8 << 20)
            copy = self.home / f"{codec}.arrows"
            copy.write_bytes(written)
            subprocess.run([VARVE, "load", self.home / codec, copy], check=True, capture_output=True)
            with varve.open(self.home / codec, read_only=True) as db:
                self.assertEqual(wanted, list(db.items()))

    def test_damage_of_compressed_batches(self):
        table, chance = pyarrow.table({"key": [b"a" * 4000], "value": [b"v" * 5000]}), random.Random(2)
        for codec in ("zstd", "lz4"):
            stream = self.stream(table, compression=codec)
            at = stream.rindex((5000).to_bytes(8, "little"))  # The size of the last buffer.
            for size in (0, 4999, 5001, 2**31 - 1, 2**40, 2**63, 2**64 - 2):
                self.refused("a compressed buffer is not valid", stream[:at] + size.to_bytes(8, "little") + stream[at + 8:])
            for _ in range(20):
                place = chance.randrange(at + 8, len(stream) - 8)
                damaged = stream[:place] + bytes([stream[place] ^ 1 << chance.randrange(8)]) + stream[place + 1:]
                shutil.rmtree(self.home / "db", ignore_errors=True)
                done = subprocess.run([VARVE, "load", self.home / "db", "-"], input=damaged, capture_output=True)
                self.assertIn(done.returncode, (0, 2), done.stderr)

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
                ({"key": [1, 2], "value": good}, '@0: column "key": its type "int64" is', 2),
                ({"key": good, "value": good.dictionary_encode()}, 'column "value": it has a dictionary', 2),
                ({"key": good, "values": good}, '@0: column "value": there is none', 2),
                ({"key": [b"a", None], "value": good}, r'standard input@[1-9]\d+: column "key": row 1 of a batch is null', 2),
                ({"key": good, "value": good, "list": [[1], [2]]}, 'column "list" has a nested type', 6)):
            self.refused(message, self.stream(pyarrow.table(columns)), code=code)
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


def tuple_of(*elements):
    """As FoundationDB's tuple layer packs integers of few bytes, texts, bytes and None."""
    packed = b""
    for element in elements:
        if element is None:
            packed += b"\0"
        elif isinstance(element, int):
            size = (abs(element).bit_length() + 7) // 8
            stored = element if element >= 0 else element + (1 << 8 * size) - 1
            packed += bytes([0x14 + (size if element >= 0 else -size)]) + stored.to_bytes(size, "big")
        else:
            text = isinstance(element, str)
            packed += (b"\2" if text else b"\1") + (element.encode() if text else element).replace(b"\0", b"\0\xff") + b"\0"
    return packed


class SchemaTest(Scratch):
    """Keys and values in parts, each a column of its type."""
    KEY, VALUE = "id:u64be,at:i32be,name:str", "count:u64le,share:f64le"
    SCHEMA = pyarrow.schema([
        pyarrow.field("id", pyarrow.uint64(), nullable=False), pyarrow.field("at", pyarrow.int32(), nullable=False),
        pyarrow.field("name", pyarrow.large_string(), nullable=False),
        pyarrow.field("count", pyarrow.uint64(), nullable=False), pyarrow.field("share", pyarrow.float64(), nullable=False)])
    ROWS = [(1, -5, "", 7, 0.5), (1, 0, "é", 0, -1.0), (2, 2**31 - 1, "zoe", 2**64 - 1, float("inf")), (2**64 - 1, -2**31, "x", 1, 2.0)]

    def pairs(self):
        return [(struct.pack(">QI", row[0], row[1] + 2**31) + row[2].encode(), struct.pack("<Qd", *row[3:])) for row in self.ROWS]

    def scan(self, path, *words, code=0):
        done = subprocess.run([VARVE, "scan", path, "-F", "arrow", *words], capture_output=True)
        self.assertEqual(code, done.returncode, done.stderr)
        return done

    def load(self, path, stream, *words, code=0):
        done = subprocess.run([VARVE, "load", path, "-", *words], input=stream, capture_output=True)
        self.assertEqual(code, done.returncode, done.stderr)
        return done.stderr.decode()

    def items(self, path):
        with varve.open(path, read_only=True) as db:
            return list(db.items())

    def test_the_command_line_both_ways(self):
        path, schemas = self.filled(self.pairs()), ("--key-schema", self.KEY, "--value-schema", self.VALUE)
        stream = self.scan(path, *schemas).stdout
        seen = pyarrow.ipc.open_stream(stream).read_all()
        seen.validate(full=True)
        self.assertEqual(self.SCHEMA, seen.schema)
        self.assertEqual(self.ROWS, [tuple(row.values()) for row in seen.to_pylist()])
        self.assertEqual(self.ROWS, polars.read_ipc_stream(io.BytesIO(stream)).rows())
        self.assertEqual([(3, "é")], duckdb.sql('select count(*) filter (where "at" >= 0) + 1, max(name) from seen').fetchall())
        self.load(self.home / "copy", stream, *schemas)
        self.assertEqual(self.pairs(), self.items(self.home / "copy"))

    def test_the_package_both_ways(self):
        with varve.open(self.filled(self.pairs())) as db:
            scan = db.scan(key_schema=self.KEY, value_schema=self.VALUE)
            table = pyarrow.table(scan)
            table.validate(full=True)
            self.assertEqual(self.SCHEMA, table.schema)
            self.assertEqual(self.ROWS, polars.DataFrame(scan).rows())
            self.assertEqual(self.ROWS, duckdb.sql("from scan").fetchall())
            for number, source in enumerate((table, polars.DataFrame(scan), duckdb.sql("from scan"), table.slice(1))):
                family = db.create_family(f"copy{number}")
                self.assertEqual(4 - number // 3, family.load(source, key_schema=self.KEY, value_schema=self.VALUE))
                self.assertEqual(self.pairs()[number // 3:], list(family.items()))
            keys = db.scan(key_schema=self.KEY, values=False)
            self.assertEqual(["id", "at", "name"], pyarrow.table(keys).column_names)
            self.assertEqual(["key", "count", "share"], pyarrow.table(db.scan(value_schema=self.VALUE)).column_names)

    def test_tuples(self):
        rows = [(None, None, "a"), (-2**63, b"\0\xff", None), (-256, b"", "\0"), (-1, b"x", ""), (0, b"", "é"), (255, None, "a"),
                (2**63 - 1, b"\0", "zz")]
        keys = [tuple_of(*row) for row in rows]
        self.assertEqual(keys, sorted(keys))
        path, schema = self.filled([(key, b"v") for key in keys]), "n:tuple.int,b:tuple.bytes,t:tuple.str"
        stream = self.scan(path, "--key-schema", schema).stdout
        table = pyarrow.ipc.open_stream(stream).read_all()
        table.validate(full=True)
        self.assertEqual([pyarrow.int64(), pyarrow.large_binary(), pyarrow.large_string(), pyarrow.large_binary()], table.schema.types)
        self.assertEqual(rows, [tuple(row.values())[:3] for row in table.to_pylist()])
        self.load(self.home / "copy", stream, "--key-schema", schema)
        self.assertEqual(keys, [key for key, _ in self.items(self.home / "copy")])
        with varve.open(path) as db, varve.open(self.home / "copy2", create_if_missing=True) as copy:
            self.assertEqual(7, copy.load(polars.DataFrame(db.scan(key_schema=schema)), key_schema=schema))
            self.assertEqual(keys, list(copy))

    def test_a_key_that_does_not_fit(self):
        good, bad = struct.pack(">QI", 1, 5), b"12345678abc"
        path, schema = self.filled([(good, b"v"), (bad, b"w")]), "id:u64be,at:u32be"
        done = self.scan(path, "--key-schema", schema, code=2)
        self.assertIn(b'key "12345678abc" at byte 8: at:u32be does not fit: it needs 4 bytes, 3 are left', done.stderr)
        with self.assertRaises(BROKEN):
            pyarrow.ipc.open_stream(done.stdout).read_all()
        with varve.open(path) as db:
            self.assertRaisesRegex(pyarrow.ArrowInvalid, "at byte 8", pyarrow.table, db.scan(key_schema=schema))
            nulls = pyarrow.table(db.scan(key_schema=schema, mismatch="null"))
        nulls.validate(full=True)
        for table in (nulls, pyarrow.ipc.open_stream(self.scan(path, "--key-schema", schema, "--mismatch", "null").stdout).read_all()):
            self.assertEqual([(1, 5, b"v"), (None, None, b"w")], [tuple(row.values()) for row in table.to_pylist()])
            self.assertTrue(table.schema.field("id").nullable)
        done = self.scan(path, "--value-schema", "n:u16le", code=2)
        self.assertIn(b'at byte 0: n:u16le does not fit', done.stderr)

    def test_integers_of_other_sizes(self):
        with varve.open(self.home / "db", create_if_missing=True) as db:
            for kind in (pyarrow.int8(), pyarrow.uint8(), pyarrow.int16(), pyarrow.uint16(), pyarrow.int32(), pyarrow.uint32(),
                         pyarrow.int64(), pyarrow.uint64()):
                for schema in ("id:u8", "id:i16be", "id:u32be", "id:i64be", "id:tuple.int", "id:tuple.uint"):
                    table = pyarrow.table({"id": pyarrow.array([0, 1, 127], kind), "value": [b"a", b"b", b"c"]})
                    family = db.create_family("f")
                    self.assertEqual(3, family.load(table, key_schema=schema), (kind, schema))
                    self.assertEqual([0, 1, 127], pyarrow.table(family.scan(key_schema=schema)).column("id").to_pylist())
                    db.drop_family("f")
            for number, schema, told in ((256, "u8", "256 does not fit uint8"), (-1, "u64be", "-1 does not fit uint64"),
                                         (-32769, "i16be", "-32769 does not fit int16"), (2**63, "i64be", "9223372036854775808 does not fit int64")):
                table = pyarrow.table({"id": pyarrow.array([number], pyarrow.uint64() if number > 0 else pyarrow.int64()), "value": [b"a"]})
                self.assertRaisesRegex(varve.InvalidArgument, 'column "id": row 0 of a batch: ' + told, db.load, table, key_schema="id:" + schema)

    def test_truth_values_floats_and_fixed_sizes(self):
        schema = "b:tuple.bool,u:tuple.uuid,f:tuple.f32,d:tuple.f64,w:fixed(2)"
        rows = [(False, bytes(range(16)), -1.5, -0.0, b"ab"), (False, None, None, None, b"\0\0"), (True, b"x" * 16, 0.25, 1e300, b"cd")]
        table = pyarrow.Table.from_arrays([pyarrow.array(column, kind) for column, kind in zip(
            zip(*rows), (pyarrow.bool_(), pyarrow.binary(16), pyarrow.float32(), pyarrow.float64(), pyarrow.binary(2)))], list("bufdw"))
        with varve.open(self.home / "db", create_if_missing=True) as db:
            family = db.create_family("f")
            whole = table.append_column("value", pyarrow.array([b"1", b"2", b"3"]))
            family.load(pyarrow.concat_tables([whole, whole]).slice(2, 3), key_schema=schema)
            seen = [tuple(row.values())[:5] for row in pyarrow.table(family.scan(key_schema=schema)).to_pylist()]
            self.assertEqual(sorted(map(repr, rows)), sorted(map(repr, seen)))
        out = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(out, whole.schema) as writer:
            writer.write_table(whole)
        self.load(self.home / "copy", out.getvalue().to_pybytes(), "--key-schema", schema)
        stream = self.scan(self.home / "copy", "--key-schema", schema).stdout
        self.assertEqual(seen, [tuple(row.values())[:5] for row in pyarrow.ipc.open_stream(stream).read_all().to_pylist()])

    def test_what_is_refused(self):
        path = self.filled([(b"a", b"1")])
        for words, told in ((["--key-schema", "id:u65be"], "the types are u8 u16be"), (["--key-schema", "id:str,n:u8"], "nothing can follow str"),
                            (["--key-schema", "value:str"], 'two columns are called "value"'), (["--mismatch", "null"], "--mismatch needs"),
                            (["--keys-only", "--value-schema", "n:str"], "--keys-only")):
            self.assertIn(told, self.scan(path, *words, code=2).stderr.decode())
        done = subprocess.run([VARVE, "scan", path, "--key-schema", "id:str"], capture_output=True)
        self.assertEqual((2, b"varve scan: --key-schema and --value-schema are for -F arrow\n"), (done.returncode, done.stderr))
        self.assertIn("does not apply to tsv", self.load(self.home / "copy", b"a\t1\n", "--key-schema", "id:str", code=2))
        self.assertIn("without --key-column", self.load(self.home / "copy", b"", "--key-schema", "id:str", "--key-column", "k", code=2))
        table = pyarrow.table({"id": [1, None], "value": [b"1", b"2"]})
        with varve.open(path) as db:
            self.assertRaisesRegex(varve.InvalidArgument, "row 1 of a batch is null", db.load, table, key_schema="id:u64be")
            self.assertRaisesRegex(varve.InvalidArgument, "no integer; cast it to uint64", db.load,
                                   pyarrow.table({"id": ["1"], "value": [b"1"]}), key_schema="id:u64be")
            self.assertRaises(ValueError, db.load, table, key="id", key_schema="id:u64be")
            self.assertRaises(ValueError, db.scan, mismatch="skip")
            self.assertRaises(varve.InvalidArgument, db.scan, key_schema="id")


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
