#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The figures of the API and of the command line, held against those that RocksDB's ldb and sst_dump print.

usage: figures_test.py VARVE LIBROCKSDB FIXTURES [TEST...]

Of every table and database of the fixtures that RocksDB 7.8.3 reads, and of databases that RocksDB makes here, with levels,
families, merges, range deletions, logs and codecs. A figure that RocksDB names differently is in a table below, with the
reason where it is another figure. ldb gets copies: most of its verbs recover the database.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "security"))
import served  # noqa: E402
from rocksdb_c import POINTER, SIZE, TEXT, Database, Library  # noqa: E402

VARVE = LIBRARY = FIXTURES = None
API = "/api/v1/targets/"
MERGE = {"writebatch_merge_cf": (None, [POINTER, POINTER, TEXT, SIZE, TEXT, SIZE])}

# sst_dump has no reader for it.
NOT_READ = {"r78_cuckoo_table.sst", "r78_plain_table.sst"}
# The paths of its tables are those of the machine that made it, and ldb ends with an assertion.
NOT_OPENED = {"paths"}

# It has records that ldb 7.8.3 cannot print.
NOT_PRINTED = {"entity"}
# Varve has no order for keys with timestamps, and says that it has not checked it.
VERIFIED = {"r78_user_timestamps.sst": 6}

# What sst_dump calls a figure of /files/{n}, and where it is.
FILE_FIGURES = {
    "# data blocks": lambda file: file["data_blocks"],
    "# entries": lambda file: file["entries"],
    # RocksDB counts range deletions in both.
    "# deletions": lambda file: file["deletions"] + file["range_deletions"],
    "# range deletions": lambda file: file["range_deletions"],
    "# merge operands": lambda file: file["merges"],
    "raw key size": lambda file: file["raw_key_bytes"],
    "raw value size": lambda file: file["raw_value_bytes"],
    "data block size": lambda file: file["data_bytes"],
    "index block size": lambda file: file["index"]["bytes"],
    "# index partitions": lambda file: file["index"]["partitions"],
    "filter block size": lambda file: file["filter"]["bytes"],
    "comparator name": lambda file: file["comparator"],
    "SST file compression algo": lambda file: CODECS[file["codec"]],
}
CODECS = {"none": "NoCompression", "snappy": "Snappy", "zlib": "Zlib", "bzip2": "BZip2", "lz4": "LZ4", "lz4hc": "LZ4HC",
          "zstd": "ZSTD"}
# The same of /files/{n}/properties, by the name that is stored. sst_dump prints a default where nothing is stored.
PROPERTIES = {
    "# entries": ("rocksdb.num.entries", "0"),
    "raw key size": ("rocksdb.raw.key.size", "0"),
    "raw value size": ("rocksdb.raw.value.size", "0"),
    "data block size": ("rocksdb.data.size", "0"),
    "index block size": ("rocksdb.index.size", "0"),
    "# index partitions": ("rocksdb.index.partitions", "0"),
    "top-level index size": ("rocksdb.top-level.index.size", "0"),
    "filter block size": ("rocksdb.filter.size", "0"),
    "# entries for filter": ("rocksdb.num.filter_entries", "0"),
    "filter policy name": ("rocksdb.filter.policy", "N/A"),
    "prefix extractor name": ("rocksdb.prefix.extractor.name", "N/A"),
    "column family name": ("rocksdb.column.family.name", "N/A"),
    "merge operator name": ("rocksdb.merge.operator", "N/A"),
    "property collectors names": ("rocksdb.property.collectors", "N/A"),
    "SST file compression options": ("rocksdb.compression_options", "N/A"),
    "creation time": ("rocksdb.creation.time", "0"),
    "time stamp of earliest key": ("rocksdb.oldest.key.time", "0"),
    "file creation time": ("rocksdb.file.creation.time", "0"),
    "slow compression estimated data size": ("rocksdb.sample_for_compression.slow.data.size", "0"),
    "fast compression estimated data size": ("rocksdb.sample_for_compression.fast.data.size", "0"),
    "DB identity": ("rocksdb.creating.db.identity", ""),
    "DB session identity": ("rocksdb.creating.session.identity", ""),
    "DB host id": ("rocksdb.creating.host.identity", ""),
    "original file number": ("rocksdb.original.file.number", "0"),
}

COUNTERS = {"Comparator": "comparator", "LogNumber": "log_number", "PrevLogNumber": "prev_log_number",
            "NextFileNumber": "next_file_number", "MinLogNumberToKeep": "min_log_number_to_keep", "LastSeq": "last_seq",
            "MaxColumnFamily": "max_cf_id"}
# Lines of an edit that are compared by themselves, and those whose contents the API does not show.
OTHER_LINES = {"ColumnFamily", "ColumnFamilyAdd", "ColumnFamilyDrop", "AddFile", "DeleteFile", "AtomicGroup", "BlobFileAddition",
               "BlobFileGarbage", "WalAddition", "WalDeletion"}
NOT_SHOWN = {"CompactCursor", "DB ID", "FullHistoryTsLow"}
TYPES = {0: "delete", 1: "put", 2: "merge", 7: "single_delete", 15: "range_delete", 17: "blob_index", 22: "wide_columns"}
TYPE_OF = {"PUT": "put", "DELETE": "delete", "SINGLE_DELETE": "single_delete", "MERGE": "merge", "DELETE_RANGE": "range_delete"}
KEYS = r"'(?P<from>\w*)' seq:(?P<fs>\d+), type:(?P<ft>\d+) \.\. '(?P<to>\w*)' seq:(?P<ts>\d+), type:(?P<tt>\d+)"


def output(*words, code=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, timeout=60)
    if code is not None and done.returncode != code:
        raise AssertionError((words, done.returncode, done.stdout[-500:], done.stderr[-500:]))
    return done.stdout.decode()


def varve(*words, code=0):
    return json.loads(output(VARVE, *words, "--json", code=code))


class Api:
    """`varve serve` of some paths: targets t1, t2, …"""

    def __init__(self, paths):
        self.server = served.Server(VARVE, paths)

    def get(self, target, **query):
        text = "?" + urllib.parse.urlencode(query) if query else ""
        answer = self.server.get(API + target + text, timeout=60)
        if answer.status != 200:
            raise AssertionError((target, answer.body))
        return answer.json()

    def all(self, target, name, **query):
        """The rows of all pages."""
        page = self.get(target, page_size=1000, **query)
        rows = page[name]
        while "next_page_token" in page:
            page = self.get(target, page_size=1000, page_token=page["next_page_token"], **query)
            rows += page[name]
        return rows

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()


def sst_dump(table):
    """What it prints of a table: figures by label, and the stored properties by name, in hexadecimal."""
    figures, stored = {}, {}
    for line in output("sst_dump", f"--file={table}", "--show_properties", "--command=none").splitlines():
        label, colon, value = line.strip().partition(": ")
        if not colon:
            continue
        if re.fullmatch(r"# rocksdb\.\S+", label):
            stored[label[2:]] = value.removeprefix("0x").lower()
        else:
            figures[label] = value
    return figures, stored


def internal_keys(match):
    return {"smallest": (match["from"].lower(), match["fs"], TYPES[int(match["ft"])]),
            "largest": (match["to"].lower(), match["ts"], TYPES[int(match["tt"])])}


def shown_keys(file):
    return {end: (file[end]["key"]["hex"], file[end]["seq"], file[end]["type"]) for end in ("smallest", "largest")}


class Manifest:
    """What `ldb manifest_dump` says: each edit, then the state that they make."""

    def __init__(self, database):
        text = output("ldb", f"--db={database}", "manifest_dump", "--verbose", "--hex")
        self.edits = [self.edit(body) for body in re.findall(r"^VersionEdit \{\n(.*?)^\}", text, re.S | re.M)]
        self.families, family, level = {}, None, 0
        for line in text[text.index("--------------- Column family"):].splitlines():
            if found := re.match(r'-+ Column family "(.*)"  \(ID (\d+)\) -', line):
                family = self.families[found[1]] = {"id": int(found[2]), "files": {}, "blob_files": {}}
            elif found := re.match(r"log number: (\d+)$", line):
                family["log_number"] = found[1]
            elif found := re.match(r"comparator: (?:<(?=.*not available))?([^>,]+)", line):
                family["comparator"] = found[1]
            elif found := re.match(r"--- level (\d+) ---", line):
                level = int(found[1])
            elif found := re.match(rf" (?P<n>\d+):(?P<size>\d+)\[(?P<low>\d+) \.\. (?P<high>\d+)\]\[{KEYS}\]", line):
                family["files"][found["n"]] = {"level": level, "size": int(found["size"]), "smallest_seq": found["low"],
                                               "largest_seq": found["high"], **internal_keys(found)}
            elif found := re.match(r"blob_file_number: (\d+) ", line):
                family["blob_files"][found[1]] = line
        found = re.search(r"^next_file_number (\d+) last_sequence (\d+)  prev_log_number (\d+) max_column_family (\d+) "
                          r"min_log_number_to_keep (\d+)$", text, re.M)
        self.next_file_number, self.last_sequence, self.min_log_number = int(found[1]), found[2], found[5]

    @staticmethod
    def edit(body):
        edit = {"counters": {}, "added": [], "deleted": [], "blobs": [], "cf_id": 0}
        for line in body.splitlines():
            name, _, value = line.strip().partition(": ")
            if name in COUNTERS:
                edit["counters"][COUNTERS[name]] = value
            elif name == "ColumnFamily":
                edit["cf_id"] = int(value)
            elif name == "AddFile":
                found = re.match(rf"(?P<level>\d+) (?P<n>\d+) (?P<size>\d+) {KEYS}", value)
                file = {"file": found["n"], "level": int(found["level"]), "size": int(found["size"]), **internal_keys(found)}
                unique = re.search(r"unique_id\(internal\): \{(\d+),(\d+)\}", value)
                if unique:
                    file["unique_id"] = "".join(f"{int(part):016x}" for part in unique.groups())
                edit["added"].append(file)
            elif name == "DeleteFile":
                level, number = value.split()
                edit["deleted"].append((number, int(level)))
            elif name in ("BlobFileAddition", "BlobFileGarbage"):
                number, count, size = re.findall(r"blob_(?:file_number|count|bytes): (\d+)", value)
                edit["blobs"].append((number, int(count), int(size), name == "BlobFileGarbage"))
            elif name not in OTHER_LINES | NOT_SHOWN:
                raise AssertionError(f"an edit has a line that this test does not know: {line}")
        return edit


def shown_edit(edit):
    """The same of an edit of the API."""
    counters = {name: value for name, value in edit["counters"].items() if name in COUNTERS.values()}
    added = [{"file": file["file"], "level": file["level"], "size": file["size"], **shown_keys(file),
              **({"unique_id": file["unique_id"]} if "unique_id" in file else {})} for file in edit["added"]]
    return {"counters": counters, "added": added, "cf_id": edit["cf_id"],
            "deleted": [(file["file"], file["level"]) for file in edit["deleted"]],
            "blobs": [(blob["file"], blob["blobs"], blob["bytes"], blob["garbage"]) for blob in edit["blob_files"]]}


def wal_rows(log):
    """The batches that `ldb dump_wal` lists."""
    rows = []
    for line in output("ldb", "dump_wal", f"--walfile={log}").splitlines():
        found = re.match(r"(\d+),(\d+),(\d+),(\d+),(.*)$", line)
        if not found:
            continue
        ops = re.findall(r"\b([A-Z_]+)\((\d+)\) : 0x([0-9A-F]*)", found[5])
        rows.append((found[1], int(found[2]), int(found[3]), int(found[4]),
                     [(TYPE_OF[kind], int(family), key.lower()) for kind, family, key in ops]))
    return rows


def make(library, path, options, compacted=True):
    """A database of several levels and two families, with deletions of each kind, operands and a log."""
    with Database(library, path, library.options(options)) as db:
        db.create_family("meta")
        for n in range(4):
            operations = [("put", "default", b"key%04d" % i, b"value-%d-%d" % (n, i) * 3) for i in range(n, 900, 1 + n)]
            operations += [("delete", "default", b"key%04d" % i) for i in range(n, 900, 7)]
            operations += [("merge", "default", b"key%04d" % i, b"m%d" % n) for i in range(n, 900, 13)]
            operations += [("delete-range", "default", b"key%04d" % (n * 50), b"key%04d" % (n * 50 + 30))]
            operations += [("put", "meta", b"m%d-%d" % (n, i), b"x" * i) for i in range(30)]
            db.write(operations)
            if n < 3:
                db.flush()
                db.flush("meta")
            if n == 0 and compacted:
                db.compact()


TABLE_OPTIONS = "merge_operator=stringappend;disable_auto_compactions=true;target_file_size_base=4096;"
MADE = {
    "snappy": "compression=kSnappyCompression;block_based_table_factory={filter_policy=bloomfilter:10:false;block_size=512}",
    "zstd": "compression=kZSTD;block_based_table_factory={block_size=1024;format_version=4}",
    "partitions": "compression=kLZ4Compression;block_based_table_factory={filter_policy=bloomfilter:10:false;block_size=256;"
                  "index_type=kTwoLevelIndexSearch;partition_filters=true;metadata_block_size=512}",
    "none": "compression=kNoCompression;num_levels=4;block_based_table_factory={filter_policy=ribbonfilter:10;block_size=512}",
}


class FiguresTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-figures-"))
        library = Library(LIBRARY, MERGE)
        cls.made = {}
        for name, options in MADE.items():
            cls.made[name] = cls.home / name
            make(library, cls.made[name], TABLE_OPTIONS + options)
        kept = FIXTURES / "db/rocksdb-7.8.3"
        cls.databases = list(cls.made.values()) + [path for path in sorted(kept.iterdir()) if path.name not in NOT_OPENED]
        cls.tables = [path for path in sorted((FIXTURES / "sst").glob("r78_*.sst")) if path.name not in NOT_READ]
        cls.tables += [table for path in cls.made.values() for table in sorted(path.glob("*.sst"))]

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    def copy(self, database):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.home))
        shutil.copytree(database, folder / "db")
        return folder / "db"

    def test_properties_of_tables(self):
        compared = set()
        with Api(self.tables) as api:
            for i, table in enumerate(self.tables):
                with self.subTest(table.name):
                    figures, stored = sst_dump(table)
                    file = api.get(f"t{i + 1}/files/0")["file"]
                    self.assertEqual(file, {**varve("sst", "info", table)["file"], "id": file["id"]})
                    properties = api.get(f"t{i + 1}/files/0/properties")["properties"]
                    decoded = {one["name"]: one["decoded"] for one in properties}
                    figures = {re.sub(r" \(user-key\?.*", "", label): value for label, value in figures.items()}
                    for label, of_file in FILE_FIGURES.items():
                        if label in figures:
                            self.assertEqual(str(of_file(file)), figures[label], label)
                            compared.add(label)
                    for label, (name, default) in PROPERTIES.items():
                        if label in figures:
                            self.assertEqual(decoded.get(name, default).strip(), figures[label].strip(), label)
                            compared.add(label)
                    raw = {one["name"]: one["raw"]["hex"] for one in properties}
                    for name, value in stored.items():
                        self.assertEqual(raw[name], value, name)
                    entries = int(figures["# entries"])
                    self.assertEqual(file["entries"], entries)
                    self.assertIn("The file is ok", output("sst_dump", f"--file={table}", "--command=verify", "--verify_checksum"))
                    output(VARVE, "sst", "verify", table, code=VERIFIED.get(table.name, 0))
        self.assertEqual(compared, FILE_FIGURES.keys() | PROPERTIES.keys())

    def test_a_damaged_table_is_damaged_for_both(self):
        table = self.home / "damaged.sst"
        data = bytearray(self.tables[-1].read_bytes())
        data[10] ^= 1
        table.write_bytes(data)
        self.assertNotIn("The file is ok", output("sst_dump", f"--file={table}", "--command=verify", "--verify_checksum", code=None))
        output(VARVE, "sst", "verify", table, code=4)

    def test_edits_and_the_state_they_make(self):
        edits = files = blobs = 0
        with Api(self.databases) as api:
            for i, database in enumerate(self.databases):
                with self.subTest(database.name):
                    manifest, target = Manifest(database), f"t{i + 1}"
                    shown = api.all(f"{target}/manifest/edits", "edits")
                    self.assertEqual(shown, varve("manifest", "edits", database)["edits"])
                    self.assertEqual([shown_edit(edit) for edit in shown], manifest.edits)
                    version = api.get(f"{target}/versions/{len(shown)}")["version"]
                    self.assertEqual(version["edits"], str(len(manifest.edits)))
                    self.assertEqual(version["last_seq"], manifest.last_sequence)
                    listed = api.all(f"{target}/files", "files")
                    self.assertEqual(listed, varve("lsm", "files", database)["files"])
                    families = {family["cf"]: family for family in version["cfs"]}
                    self.assertEqual(families.keys(), manifest.families.keys())
                    for name, theirs in manifest.families.items():
                        ours = families[name]
                        self.assertEqual((ours["cf_id"], ours["comparator"], ours["log_number"]),
                                         (theirs["id"], theirs["comparator"], theirs["log_number"]))
                        self.assertEqual({file["id"]: {"level": file["level"], "size": file["size"],
                                                       "smallest_seq": file["smallest_seq"],
                                                       "largest_seq": file["largest_seq"], **shown_keys(file)}
                                          for file in listed if file["cf"] == name}, theirs["files"])
                        for level in ours["levels"]:
                            there = [file["size"] for file in theirs["files"].values() if file["level"] == level["level"]]
                            self.assertEqual((level["files"], level["bytes"]), (len(there), sum(there)))
                        self.assertEqual(ours["blob_files"], len(theirs["blob_files"]))
                        files, blobs = files + len(theirs["files"]), blobs + len(theirs["blob_files"])
                    self.assertEqual(api.get(f"{target}/wal")["min_log_number"], manifest.min_log_number)
                    edits += len(shown)
        self.assertGreater(edits, 150)
        self.assertGreater(files, 50)
        self.assertGreater(blobs, 1)

    def test_families_and_live_files(self):
        for database in self.made.values():
            with self.subTest(database.name):
                shown = varve("cf", "list", database)["families"]
                copy = self.copy(database)
                listed = output("ldb", f"--db={copy}", "list_column_families")
                self.assertIn("{" + ", ".join(family["name"] for family in shown) + "}", listed)
                theirs, family, level = [], None, None
                for line in output("ldb", f"--db={copy}", "list_live_files_metadata").splitlines():
                    if found := re.match(r"===== Column Family: (.*) =====", line):
                        family = found[1]
                    elif found := re.match(r"-+ level (\d+) -+", line):
                        level = int(found[1])
                    elif line.endswith(".sst"):
                        theirs.append((family, level, pathlib.Path(line).name))
                ours = [(file["cf"], file["level"], file["name"]) for file in varve("lsm", "files", database)["files"]]
                self.assertEqual(sorted(ours), sorted(theirs))
                self.assertGreater(len({level for _, level, _ in theirs}), 1)

    def test_records_and_sizes_of_ranges(self):
        ranges = [("key0000", "key9999"), ("key0100", "key0300"), ("key0850", "key0851"), ("a", "key0450"), ("key0450", "z"),
                  ("x", "z")]
        for database in self.made.values():
            copy = self.copy(database)
            for family in ("default", "meta"):
                with self.subTest(database.name, family=family):
                    count = re.match(r"Keys in range: (\d+)", output(
                        "ldb", f"--db={copy}", f"--column_family={family}", "dump", "--count_only"))
                    self.assertEqual(varve("count", database, "--cf", family)["count"], int(count[1]))
                    with Api([database]) as api:
                        self.assertEqual(len(api.all(f"t1/cfs/{family}/scan", "rows")), int(count[1]))
            for low, high in ranges:
                with self.subTest(database.name, low=low, high=high):
                    theirs = int(output("ldb", f"--db={database}", "approxsize", f"--from={low}", f"--to={high}"))
                    self.assertEqual(varve("approxsize", database, "--from", low, "--to", high)["bytes"], theirs)

    def test_batches_of_logs(self):
        batches = 0
        for database in self.databases:
            logs = sorted(database.glob("*.log"))
            if not logs or database.name in NOT_PRINTED:
                continue
            with Api([database]) as api:
                for log in logs:
                    with self.subTest(database.name, log=log.name):
                        theirs = wal_rows(log)
                        shown = api.all(f"t1/wal/{int(log.stem)}/records", "records", bytes="full")
                        self.assertEqual(shown, varve("wal", "records", database, int(log.stem))["records"])
                        ours = [(batch["seq"], batch["count"], batch["batch_bytes"], batch["offset"],
                                 [(op["type"], op["cf_id"], op["key"]["hex"]) for op in batch["ops"]
                                  if op["type"] in TYPE_OF.values()]) for batch in shown]
                        self.assertEqual(ours, theirs)
                        batches += len(theirs)
        self.assertGreater(batches, 100)


if __name__ == "__main__":
    VARVE, LIBRARY, FIXTURES = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
