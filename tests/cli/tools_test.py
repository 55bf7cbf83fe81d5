#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The inspector says what RocksDB's own tools say of the fixtures: ldb manifest_dump after every edit,
ldb dump_wal, ldb list_column_families, ldb list_live_files_metadata, ldb idump.

    tools_test.py VARVE FIXTURES LDB [unittest arguments]"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

VARVE, FIXTURES, LDB = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
MAKERS = ("rocksdb-7.8.3", "rocksdb-11.9")


def databases(makers=MAKERS):
    return [d for maker in makers for d in sorted((FIXTURES / "db" / maker).iterdir())]


def openable():
    """Those that ldb can open at all: on recycled logs 7.8.3 hangs in its own recovery."""
    return [d for d in databases(("rocksdb-7.8.3",)) if d.name != "recycle_tail"]


def ldb(*words):
    done = subprocess.run([LDB, *map(str, words)], capture_output=True, timeout=60)
    return done.returncode, done.stdout


def document(*words):
    done = subprocess.run([VARVE, *map(str, words), "--json"], capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{words}: {done.returncode} {done.stderr[:500]}")
    return json.loads(done.stdout)


def manifest_of(database):
    return database / (database / "CURRENT").read_text().strip()


ADDED = re.compile(rb"AddFile: (\d+) (\d+) (\d+) '(.*?)' seq:(\d+), type:(\d+) \.\. "
                   rb"'(.*?)' seq:(\d+), type:(\d+)(.*)", re.S)
UNIQUE = re.compile(rb"unique_id\(internal\): \{(\d+),(\d+)\}")
PLAIN = {b"LogNumber": "log_number", b"PrevLogNumber": "prev_log_number",
         b"NextFileNumber": "next_file_number", b"LastSeq": "last_seq",
         b"MinLogNumberToKeep": "min_log_number_to_keep", b"MaxColumnFamily": "max_cf_id",
         b"Comparator": "comparator", b"DB ID": "db_id"}


def edits_by_ldb(text):
    """Each VersionEdit block as the members of our JSON that it has words for."""
    edits = []
    for block in text.split(b"VersionEdit {\n")[1:]:
        edit = {"counters": {}, "deleted": [], "added": [], "blob_files": []}
        for line in block.split(b"\n}")[0].split(b"\n  "):
            line = line.strip()
            name, _, value = line.partition(b": ")
            if name in PLAIN:
                edit["counters"][PLAIN[name]] = value.decode()
            elif name == b"ColumnFamily":
                edit["cf_id"] = int(value.split()[0])  # FullHistoryTsLow follows without an indent.
            elif name == b"ColumnFamilyAdd":
                edit["cf"], edit["kind"] = value.decode(), "add_family"
            elif line == b"ColumnFamilyDrop":
                edit["kind"] = "drop_family"
            elif name == b"DeleteFile":
                level, number = value.split()
                edit["deleted"].append((int(level), int(number)))
            elif name == b"AtomicGroup":
                edit["remaining"] = int(value.split()[0])
            elif name == b"BlobFileAddition":
                numbers = re.findall(rb"(?:number|count|bytes): (\d+)", value)
                edit["blob_files"].append(tuple(map(int, numbers)))
            elif match := ADDED.fullmatch(line):
                unique = UNIQUE.search(match[10])
                edit["added"].append((int(match[1]), int(match[2]), int(match[3]), match[4],
                                      int(match[5]), match[7], int(match[8]),
                                      "%016x%016x" % tuple(map(int, unique.groups()))
                                      if unique else None))
        edits.append(edit)
    return edits


def same_form(edit):
    """An edit of `manifest edits --json` in the form of edits_by_ldb()."""
    key = lambda bound: bytes.fromhex(bound["key"]["hex"])
    form = {"counters": edit["counters"], "cf_id": edit["cf_id"],
            "deleted": [(d["level"], int(d["file"])) for d in edit["deleted"]],
            "added": [(a["level"], int(a["file"]), a["size"], key(a["smallest"]),
                       int(a["smallest"]["seq"]), key(a["largest"]), int(a["largest"]["seq"]),
                       a.get("unique_id")) for a in edit["added"]],
            "blob_files": [(int(b["file"]), b["blobs"], b["bytes"]) for b in edit["blob_files"]
                           if not b["garbage"]]}
    if edit["kind"] in ("add_family", "drop_family"):
        form["kind"] = edit["kind"]
    if edit["kind"] == "add_family":
        form["cf"] = edit["cf"]
    if "atomic_group_remaining" in edit:
        form["remaining"] = edit["atomic_group_remaining"]
    return form


FAMILY = re.compile(r'-+ Column family "(.*)"  \(ID (\d+)\) -+')
TABLE = re.compile(r" (\d+):(\d+)\[(\d+) \.\. (\d+)\]\[")


def state_by_ldb(text):
    """Families with log number, and their tables: number, size and sequences by level."""
    state, family, level = {}, None, None
    for line in text.decode(errors="replace").split("\n"):
        if match := FAMILY.match(line):
            family = state.setdefault(match[1], {"files": set()})
        elif line.startswith("log number: "):
            family["log_number"] = line.split(": ")[1]
        elif match := re.match(r"--- level (\d+) ---", line):
            level = int(match[1])
        elif match := TABLE.match(line):
            family["files"].add((level, *map(int, match.groups())))
        elif match := re.match(r"next_file_number (\d+) last_sequence (\d+) ", line):
            state["counters"] = (int(match[1]) - 1, int(match[2]))  # It prints the next but one.
    return state


class Tools(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-tools-"))
        self.addCleanup(shutil.rmtree, self.home, True)

    def test_manifest_dump_shows_the_same_edits(self):
        compared = 0
        for database in databases():
            code, text = ldb("manifest_dump", f"--path={manifest_of(database)}", "--verbose")
            if code < 0:
                continue  # An assertion of ldb's: it knows no second path.
            theirs = edits_by_ldb(text)
            ours = document("manifest", "edits", database)["edits"]
            with self.subTest(str(database)):
                if len(theirs) < len(ours):  # 7.8.3 gives up on what it does not know.
                    self.assertIn("11.9", str(database))
                for a, b in zip(theirs, ours):
                    self.assertEqual(a, same_form(b))
                    compared += 1
        self.assertGreater(compared, 150)

    def test_the_state_after_every_edit_is_manifest_dumps(self):
        compared = 0
        for name in ("atomic_flush", "blob", "cursor", "dbid", "ingest", "multi_cf"):
            database = FIXTURES / "db" / "rocksdb-7.8.3" / name
            manifest = manifest_of(database)
            whole = manifest.read_bytes()
            for edit in document("manifest", "edits", database)["edits"]:
                number = edit["edit"]
                cut = self.home / manifest.name
                cut.write_bytes(whole[:edit["offset"] + edit["size"]])
                code, text = ldb("manifest_dump", f"--path={cut}")
                theirs = state_by_ldb(text)
                if "counters" not in theirs:
                    continue  # No counters yet, or an order of keys that ldb does not know.
                with self.subTest(f"{database} at {number}"):
                    ours = self.state(database, number)
                    self.assertEqual(ours.pop("counters"), theirs.pop("counters"))
                    self.assertEqual(ours, theirs)
                    compared += 1
        self.assertGreater(compared, 50)

    @staticmethod
    def state(database, edit):
        version = document("lsm", "show", database, "--edit", edit)["version"]
        state = {f["cf"]: {"log_number": f["log_number"], "files": set()} for f in version["cfs"]}
        for file in document("lsm", "files", database, "--edit", edit)["files"]:
            state[file["cf"]]["files"].add((file["level"], int(file["id"]), file["size"],
                                            int(file["smallest_seq"]), int(file["largest_seq"])))
        state["counters"] = (int(version["next_file_number"]), int(version["last_seq"]))
        return state

    def test_dump_wal_shows_the_same_batches(self):
        names = {"PUT": "put", "DELETE": "delete", "SINGLE_DELETE": "single_delete",
                 "MERGE": "merge", "DELETE_RANGE": "range_delete"}
        operation = re.compile(r"(PUT|DELETE|SINGLE_DELETE|MERGE|DELETE_RANGE)\((\d+)\) : 0x([0-9A-F]*)")
        compared = 0
        for database in databases(("rocksdb-7.8.3",)):
            for log in sorted(database.glob("**/*.log")):
                code, text = ldb("dump_wal", f"--walfile={log}", "--header", "--print_value")
                rows = [r for r in text.decode(errors="replace").split("\n")
                        if re.match(r"\d+,\d+,\d+,\d+,", r)]
                records = document("wal", "records", log)["records"]
                records = [r for r in records if "damage" not in r]
                with self.subTest(str(log)):
                    if code == 0:
                        self.assertEqual(len(rows), len(records))
                    for row, record in zip(rows, records):
                        sequence, count, size, offset, rest = row.split(",", 4)
                        self.assertEqual((sequence, int(count), int(size)),
                                         (record["seq"], record["count"], record["batch_bytes"]))
                        # ldb counts the trailer of a block to the record behind it.
                        self.assertLess(record["offset"] - int(offset), 11)
                        theirs = [(names[n], int(f), k.lower()) for n, f, k in operation.findall(rest)]
                        ours = [(o["type"], o["cf_id"], o["key"]["hex"]) for o in record["ops"]
                                if o["type"] in names.values()]
                        if "ENTITY" not in rest:
                            self.assertEqual(theirs, ours)
                        compared += 1
        self.assertGreater(compared, 100)

    def test_list_column_families(self):
        for database in databases():
            code, text = ldb(f"--db={database}", "list_column_families")
            with self.subTest(str(database)):
                self.assertEqual(code, 0)
                listed = re.search(rb"\{(.*)\}", text, re.S)[1].decode().split(", ")
                version = document("lsm", "show", database)["version"]
                self.assertEqual(sorted(listed), sorted(f["cf"] for f in version["cfs"]))

    def test_list_live_files_metadata(self):
        compared = 0
        for database in openable():
            copy = self.home / database.name
            shutil.copytree(database, copy)  # ldb opens it for writing.
            before = {(f["cf"], f["level"], f["name"]) for f in document("lsm", "files", copy)["files"]}
            code, text = ldb(f"--db={copy}", "list_live_files_metadata")
            if code != 0:
                continue  # A comparator or a path that ldb cannot know.
            theirs, family, level = set(), None, None
            for line in text.decode(errors="replace").split("\n"):
                if match := re.match(r"=+ Column Family: (.*) =+", line):
                    family = match[1]
                elif match := re.match(r"-+ level (\d+) -+", line):
                    level = int(match[1])
                elif line.endswith(".sst") and family is not None:
                    theirs.add((family, level, os.path.basename(line)))
            with self.subTest(database.name):
                # Opening flushed the logs into tables of its own, but took none away.
                after = {(f["cf"], f["level"], f["name"])
                         for f in document("lsm", "files", copy)["files"]}
                self.assertTrue(before <= theirs or after == theirs, (before, theirs, after))
                compared += len(before)
        self.assertGreater(compared, 20)

    def test_idump_shows_the_same_entries(self):
        # What a log's commit makes of a prepared transaction is for recovery to say.
        transactions = ("twopc", "write_prepared")
        types = {"0": "delete", "1": "put", "2": "merge", "7": "single_delete"}
        compared = 0
        for database in openable():
            if database.name in transactions:
                continue
            copy = self.home / database.name
            shutil.copytree(database, copy)
            ours = subprocess.run([VARVE, "scan", str(copy), "--versions"], capture_output=True)
            code, text = ldb(f"--db={copy}", "idump")
            rows = re.findall(rb"^'(.*)' seq:(\d+), type:(\d+) => ", text, re.M)
            if code != 0 or ours.returncode != 0 or not rows:
                continue
            theirs = [(k, s.decode(), types.get(t.decode())) for k, s, t in rows]
            mine = [tuple(line.split(b"\t")[:3]) for line in ours.stdout.split(b"\n") if line]
            mine = [(k, s.decode(), t.decode()) for k, s, t in mine if t != b"range_delete"]
            with self.subTest(database.name):
                if all(t for _, _, t in theirs) and not any(b"\\" in k for k, _, _ in mine):
                    # idump flushes first: what a log held may be overwritten or deleted by then.
                    self.assertLessEqual(set(theirs), set(mine))
                    compared += len(theirs)
        self.assertGreater(compared, 200)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=1)
