#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The fixtures are what their makers make: tests/fixtures/makers, with the libraries that wrote them.

usage: fixtures_test.py LIBROCKSDB [MAKE_ROCKSDB MAKE_LEVELDB]

With RocksDB 7.8.3 the bytes are compared, less what differs by session: identities and times. With 11.8.1, which
stands for the 11.9 that wrote the r119_ tables and db/rocksdb-11.9, contents are: RocksDB's iterators, and its own
account of each table, against the manifests of the fixtures. Nothing here is read by varve.
"""
import ctypes
import hashlib
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures"
sys.path.insert(0, str(FIXTURES / "makers"))
import make_damaged  # noqa: E402
import make_databases  # noqa: E402
import make_hand  # noqa: E402
import make_tables  # noqa: E402
import make_vectors  # noqa: E402
from rocksdb_maker import Maker, load, sized  # noqa: E402

LIBRARY = PROGRAMS = RELEASE = None
PATH = ""
# Of each release, its tables and its databases; what it has no way to make is in LEFT_OUT.
TABLES = {"7.8.3": "r78_", "11.8.1": "r119_"}  # 11.8.1 stands for 11.9.
DATABASES = {"7.8.3": "rocksdb-7.8.3", "11.8.1": "rocksdb-11.9"}
LEFT_OUT = {"r119_comp_mixed"}  # A CompressionManager of the maker's own, a C++ class of a release without headers.
BY_PROGRAM = {"dbid", "paths", "write_prepared"}  # make_rocksdb.cc.
# What RocksDB says of the tables of a database, and the properties of a table.
ACCOUNT = {"# data blocks": "num.data.blocks", "# entries": "num.entries", "# range deletions": "num.range-deletions",
           "raw key size": "raw.key.size", "raw value size": "raw.value.size", "data block size": "data.size",
           "# entries for filter": "num.filter_entries"}
# Properties that are of a session, not of what it was told to write.
SESSION = re.compile("identity|unique ID|host|time|session|original file|options.env|Process", re.I)


def manifest(folder, key):
    return json.loads((FIXTURES / folder / "manifest.json").read_text())[key]


def tables():
    found = {pathlib.Path(row["file"]).stem: row for row in manifest("sst", "files")}
    return {name: row for name, row in found.items() if name.startswith(TABLES[RELEASE]) and name not in LEFT_OUT}


def databases():
    return {row["name"].split("/")[1]: row for row in manifest("db", "databases")
            if row["name"].startswith(DATABASES[RELEASE] + "/")}


def digest_of_entries(rows):
    """As sst/manifest.json has it."""
    lines = (f"{key.hex()} {sequence} {kind} {value.hex()}\n" for key, sequence, kind, value in rows)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def digest_of_records(records):
    """As db/manifest.json has it."""
    found = hashlib.sha256()
    for record in records:
        for part in record:
            found.update(struct.pack("<I", len(part)) + part)
    return found.hexdigest()


def without_properties(data, row):
    """A table's bytes without its properties block and that block's checksum."""
    place = (row.get("metaindex") or {}).get("rocksdb.properties")
    if place is None:  # A format of its own: the properties come after the records.
        at = data.index(b"rocksdb.column.family.id")
        return data[:at], len(data)
    begin, size = place
    return data[:begin] + data[begin + size + 5:], len(data)


def properties(path):
    """As sst_dump prints them."""
    done = subprocess.run(["sst_dump", f"--file={path}", "--show_properties", "--command=none"], capture_output=True,
                          timeout=60)
    lines = done.stdout.decode(errors="replace").splitlines()
    return [line for line in lines if ":" in line and not SESSION.search(line)]


def options_for(row):
    """That the makers' notes in db/manifest.json say are needed to read a database."""
    flags, text = row["open_flags"], "allow_2pc=true;" if "--2pc" in row["open_flags"] else ""
    if "--rev" in flags:
        text += "comparator=rocksdb.ReverseBytewiseComparator;"
    if "--skip" in flags:
        text += "wal_recovery_mode=kSkipAnyCorruptedRecords;"
    with_timestamps = "comparator=leveldb.BytewiseComparator.u64ts;"
    if "--nopersist" in flags:
        with_timestamps += "persist_user_defined_timestamps=false;allow_concurrent_memtable_write=false;"
        text += "allow_concurrent_memtable_write=false;"
    return text, {"ts": with_timestamps} if "--u64ts=ts" in flags else {}


class Made(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    def same_file(self, made, fixture):
        self.assertEqual(made.read_bytes() == fixture.read_bytes(), True, fixture.name)

    def same_tree(self, made, fixture, but=()):
        names = sorted(str(path.relative_to(fixture)) for path in fixture.rglob("*") if path.is_file())
        self.assertEqual(sorted(str(path.relative_to(made)) for path in made.rglob("*") if path.is_file()), names)
        for name in names:
            if not any(pathlib.Path(name).match(pattern) for pattern in but):
                self.same_file(made / name, fixture / name)


class Databases(Made):
    def make(self, name):
        if RELEASE == "7.8.3" and name in BY_PROGRAM:
            # The log's place is written into OPTIONS: as it was.
            home = self.scratch / "r783" if name == "paths" else self.scratch
            home.mkdir(exist_ok=True)
            subprocess.run([PROGRAMS[0], (home / name).relative_to(self.scratch), name], cwd=self.scratch, check=True)
            for left in [*(home / name).rglob("LOG*"), *(home / name).rglob("LOCK")]:
                left.unlink()
            return home / name
        make_databases.make(LIBRARY, name, self.scratch / name)
        return self.scratch / name

    def records(self, path, row):
        """What RocksDB reads: records by family, with their timestamps where there are any."""
        text, families = options_for(row)
        change = None
        if "--paths" in row["open_flags"]:
            text += f"wal_dir={path / 'wal'};"
            change = lambda library, options: make_databases.two_places(library, options, path)  # noqa: E731
        found = {}
        with Maker(LIBRARY, path, text, change, families, read_only=True) as db:
            for family in db.handles:
                found[family] = scan_at(db, family) if family in families else db.scan(family)
        return found

    def check(self, name, row):
        made, fixture = self.make(name), FIXTURES / "db" / row["name"]
        sizes = {str(path.relative_to(made)): path.stat().st_size for path in made.rglob("*") if path.is_file()}
        expected = dict(row["files"])
        if RELEASE != "7.8.3" and name == "paths":  # Its OPTIONS has the log's path.
            sizes.pop("OPTIONS-000007"), expected.pop("OPTIONS-000007")
        self.assertEqual(sizes, expected)
        for log in [*made.rglob("*.log"), *made.rglob("*.blob")]:
            self.same_file(log, fixture / log.relative_to(made))
        release = RELEASE if RELEASE == "7.8.3" else "11.9"
        families = next(found["families"] for reader, found in row["expect"].items() if f"RocksDB {release}" in reader)
        for family, records in self.records(made, row).items():
            self.assertEqual(len(records), families[family]["count"], family)
            self.assertEqual(digest_of_records(records), families[family]["sha256"], family)

    def test_databases(self):
        self.assertEqual(len(databases()), {"7.8.3": 19, "11.8.1": 11}[RELEASE])
        for name, row in databases().items():
            with self.subTest(row["name"]):
                self.check(name, row)


def scan_at(db, family):
    """The newest of each key, with its timestamp."""
    library, size = db.library, ctypes.c_size_t()
    reading, newest = library._readoptions_create(), b"\xff" * 8
    library._readoptions_set_timestamp(reading, *sized(newest))
    it = library._create_iterator_cf(db.db, reading, db.handles[family])
    found = []
    library._iter_seek_to_first(it)
    while library._iter_valid(it):
        found.append(tuple(ctypes.string_at(getattr(library, "_iter_" + part)(it, ctypes.byref(size)), size.value)
                           for part in ("key", "value", "timestamp")))
        library._iter_next(it)
    library._iter_destroy(it)
    return found


class SameTables(Made):
    """Of 7.8.3: the bytes."""

    def check(self, name, row):
        made, fixture = self.scratch / row["file"], FIXTURES / "sst" / row["file"]
        make_tables.make(LIBRARY, name.split("_", 1)[1], made)
        self.assertTrue(without_properties(made.read_bytes(), row) == without_properties(fixture.read_bytes(), row))
        self.assertEqual(properties(made), properties(fixture))

    def test_tables(self):
        self.assertEqual(len(tables()), 86)
        for name, row in tables().items():
            with self.subTest(name):
                self.check(name, row)


def with_snappy(row):
    return row.get("properties", {}).get("rocksdb.compression") in ("Snappy", "BuiltinV2;01;")


class LatestTables(Made):
    """Of 11.8.1: what RocksDB says of the table, and reads from it; of some the bytes, too."""

    same_bytes = 0

    def comparable(self, row):
        """From format version 6 on, checksums depend on a number drawn for each file. By 11.x's default, a filter's
        size (but not a legacy one's) depends on what malloc gives. And the two have not the same Snappy."""
        found = row.get("properties", {})
        return (row.get("format_version", 7) <= (4 if "rocksdb.filter.policy" in found else 5) and
                not with_snappy(row))

    def look(self, row):
        def check(db):
            account = dict(part.split("=", 1) for part in db.text("rocksdb.aggregated-table-properties").split("; ")
                           if "=" in part)
            expected = row.get("properties") or {}
            for ours, theirs in ACCOUNT.items():
                if "rocksdb." + theirs in expected and not (theirs == "data.size" and with_snappy(row)):
                    self.assertEqual(account[ours], str(expected["rocksdb." + theirs]), ours)
            size = expected.get("rocksdb.filter.size", 0)
            self.assertLessEqual(abs(int(account["filter block size"]) - size), size // 8)  # See comparable().
            if "entries_sha256" in row:
                self.assertEqual(digest_of_entries(self.entries(db, row)), row["entries_sha256"])
        return check

    def entries(self, db, row):
        """What the iterator has, and deletions, with the sequence numbers that they were written with."""
        records = {key: (sequence, kind, *rest) for sequence, (kind, _, key, *rest) in enumerate(db.written, 1)}
        puts = {key: entry[2] for key, entry in records.items() if entry[1] == "put"}
        scanned = db.scan()
        self.assertEqual(dict(scanned), puts)
        order = sorted(records, reverse="Reverse" in (row.get("properties") or {}).get("rocksdb.comparator", ""))
        self.assertEqual([key for key, _ in scanned], [key for key in order if key in puts])
        zeroed = row["recipe"].startswith("compacted")
        return [(key, 0 if zeroed else records[key][0], int(records[key][1] == "put"), puts.get(key, b""))
                for key in order if records[key][1] != "delete-range"]

    def test_tables(self):
        self.assertEqual(len(tables()), 53)
        for name, row in tables().items():
            with self.subTest(name):
                made = self.scratch / row["file"]
                make_tables.make(LIBRARY, name.split("_", 1)[1], made, self.look(row))
                fixture = (FIXTURES / "sst" / row["file"]).read_bytes()
                self.assertEqual(hashlib.sha256(fixture).hexdigest(), row["sha256"])
                if self.comparable(row):
                    self.assertTrue(without_properties(made.read_bytes(), row) == without_properties(fixture, row))
                    self.same_bytes += 1
        self.assertEqual(self.same_bytes, 13)


class Others(Made):
    """What RocksDB 7.8.3 wrote besides, LevelDB, and the makers that need neither."""

    def test_leveldb(self):
        names = [path.stem for path in (FIXTURES / "sst").glob("ldb123_*")]
        folders = [path.name for path in (FIXTURES / "db" / "leveldb-1.23").iterdir()]
        subprocess.run([PROGRAMS[1], self.scratch, *names, *folders], check=True)
        self.assertEqual((len(names), len(folders)), (7, 3))
        for name in names:
            self.same_file(self.scratch / (name + ".ldb"), FIXTURES / "sst" / (name + ".ldb"))
        for name in folders:
            self.same_tree(self.scratch / name, FIXTURES / "db" / "leveldb-1.23" / name)

    def test_hand(self):
        for name in make_hand.MAKERS:
            fixture = FIXTURES / "db" / ("vectors" if name == "vectors" else f"hand/{name}")
            make_hand.make_files(name, self.scratch / name)
            for path in (self.scratch / name).iterdir():
                self.same_file(path, fixture / path.name)
        for name in make_hand.TABLES:
            make_hand.make_tables(LIBRARY, name, self.scratch / name)
            for path in (self.scratch / name).glob("*.sst"):
                fixture = FIXTURES / "db" / "hand" / name / path.name
                self.assertEqual(self.records_of(path), self.records_of(fixture))
                self.assertEqual(properties(path), properties(fixture))
            self.same_tree(self.scratch / name, FIXTURES / "db" / "hand" / name, but=["*.sst"])

    def records_of(self, table):
        done = subprocess.run(["sst_dump", f"--file={table}", "--command=scan", "--output_hex"], capture_output=True,
                              text=True, check=True)
        return [line for line in done.stdout.splitlines() if line.startswith("'")]

    def test_damaged(self):
        self.assertEqual(set(make_damaged.DAMAGE), {path.name for path in (FIXTURES / "db" / "damaged").iterdir()})
        for name in make_damaged.DAMAGE:
            make_damaged.make(name, self.scratch / name)
            self.same_tree(self.scratch / name, FIXTURES / "db" / "damaged" / name)

    def test_logs(self):
        done = subprocess.run([sys.executable, FIXTURES / "makers" / "make_logs.py", FIXTURES], capture_output=True,
                              text=True, check=True)
        self.assertTrue(done.stdout == (FIXTURES / "logs.txt").read_text())

    def test_vectors(self):
        make_vectors.main(PATH, self.scratch)
        self.same_file(self.scratch / "vectors.json", FIXTURES / "sst" / "vectors.json")
        self.same_file(self.scratch / "block_checksums.txt", FIXTURES / "db" / "vectors" / "block_checksums.txt")

    def test_other_order(self):
        made, fixture = self.scratch / "other_order", FIXTURES / "other_order"
        make_databases.make(LIBRARY, "other_order", made)
        self.same_tree(made, fixture, but=["*.sst", "MANIFEST*"])
        found = []
        for path in (made, self.scratch / "fixture"):
            if not path.exists():
                path.mkdir()
                for file in fixture.iterdir():
                    (path / file.name).write_bytes(file.read_bytes())
            with Maker(LIBRARY, path, "", make_databases.own_order) as db:
                found.append(db.scan())
        self.assertEqual(found[0], found[1])
        self.assertEqual(len(found[0]), 201)


def release_of(library):
    """As the OPTIONS file of a database has it."""
    with tempfile.TemporaryDirectory() as scratch:
        make_databases.make(library, "empty", pathlib.Path(scratch) / "empty")
        options = next((pathlib.Path(scratch) / "empty").glob("OPTIONS*")).read_text()
    return re.search(r"rocksdb_version=([\d.]+)", options)[1]


def main(path, *programs):
    global LIBRARY, PATH, PROGRAMS, RELEASE
    LIBRARY, PATH, PROGRAMS = load(path), path, [pathlib.Path(program).resolve() for program in programs]
    RELEASE = release_of(LIBRARY)
    if RELEASE not in TABLES:
        print(f"skipped: {path} is RocksDB {RELEASE}")
        sys.exit(77)
    parts = [Databases, SameTables, Others] if RELEASE == "7.8.3" else [Databases, LatestTables]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(part) for part in parts)
    sys.exit(not unittest.TextTestRunner(verbosity=1).run(suite).wasSuccessful())


if __name__ == "__main__":
    main(*sys.argv[1:])
