#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is damaged or wasted, and what can be done about it: sst verify and salvage, db repair and
space, against RocksDB's own tools.

    repair_test.py VARVE FIXTURES [unittest arguments]"""
import json
import os
import pathlib
import pty
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

VARVE, FIXTURES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])


def run(*words, stdin=b"", timeout=120):
    return subprocess.run([*map(os.fsencode, map(str, words))], input=stdin, capture_output=True,
                          timeout=timeout)


class Case(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="varve-repair-"))
        self.addCleanup(shutil.rmtree, self.home, True)
        self.db = self.home / "db"

    def ok(self, *words, stdin=b"", code=0):
        done = run(VARVE, *words, stdin=stdin)
        self.assertEqual(done.returncode, code,
                         f"{words}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done

    def json(self, *words, code=0):
        return json.loads(self.ok(*words, "--json", code=code).stdout)

    def tool(self, *words):
        done = run(*words)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout[:2000]}\n{done.stderr[:2000]}")
        return done.stdout.decode()


def sst_dump(path, scratch):
    """The entries as RocksDB's own tool prints them: RocksDB wants the suffix."""
    copy = scratch / "dumped.sst"
    shutil.copy(path, copy)
    done = run("sst_dump", f"--file={copy}", "--command=scan", "--output_hex")
    return [line for line in done.stdout.decode(errors="replace").splitlines() if " => " in line]


class Salvage(Case):
    def tables(self):
        facts = json.loads((FIXTURES / "sst" / "manifest.json").read_text())["files"]
        for table in facts:
            blocks = table.get("blocks", {}).get("data", {}).get("count", 0)
            readable = table.get("readers", {}).get("7.8.3", "").startswith("ok")
            if readable and blocks >= 4 and table.get("checksum") != "none" and \
                    table["properties"].get("rocksdb.comparator") == "leveldb.BytewiseComparator":
                yield FIXTURES / "sst" / table["file"], table

    def test_what_rocksdb_reads_of_a_salvaged_table_is_what_it_read_of_the_sound_blocks(self):
        tried = 0
        for path, facts in self.tables():
            with self.subTest(path.name):
                shutil.rmtree(self.home)
                self.home.mkdir()
                before = sst_dump(path, self.home)
                damaged, saved = self.home / "damaged", self.home / "saved.sst"
                blob = bytearray(path.read_bytes())
                data_end = facts["properties"]["rocksdb.data.size"]
                blob[data_end // 2] ^= 0x10
                damaged.write_bytes(blob)
                bill = self.json("sst", "salvage", damaged, "-o", saved, code=7)
                self.assertEqual(len(bill["losses"]), 1)
                loss = bill["losses"][0]
                self.assertTrue(loss["offset"] <= data_end // 2 < loss["offset"] + loss["size"])
                after = sst_dump(saved, self.home)
                lost = [line for line in before if line not in set(after)]
                self.assertEqual([line for line in before if line not in set(lost)], after)
                self.assertEqual(len(lost), bill["entries_lost"])
                self.assertGreater(len(lost), 0)
                self.tool("sst_dump", f"--file={saved}", "--command=verify")
                self.ok("sst", "verify", saved)
                tried += 1
        self.assertGreater(tried, 50)

    def test_a_table_without_footer_is_saved_whole(self):
        path = FIXTURES / "sst" / "r78_comp_zstd_fv5.sst"
        damaged, saved = self.home / "damaged", self.home / "saved.sst"
        damaged.write_bytes(path.read_bytes()[:-53])
        self.assertIn(b"footer", self.ok("sst", "salvage", damaged, "-o", saved).stdout)
        self.assertEqual(sst_dump(saved, self.home), sst_dump(path, self.home))

    def test_refusals(self):
        path = FIXTURES / "sst" / "r78_tiny.sst"
        self.ok("sst", "salvage", path, code=2)
        taken = self.home / "taken"
        taken.write_bytes(b"precious")
        self.ok("sst", "salvage", path, "-o", taken, code=8)
        self.assertEqual(taken.read_bytes(), b"precious")
        noise = self.home / "noise"
        noise.write_bytes(bytes(i * i % 251 for i in range(5000)))
        self.ok("sst", "salvage", noise, "-o", self.home / "out", code=4)
        self.assertFalse((self.home / "out").exists())
        self.ok("sst", "salvage", FIXTURES / "sst" / "r78_plain_table.sst", "--dry-run", code=6)

    def test_verify_of_a_table(self):
        path = FIXTURES / "sst" / "r78_comp_snappy_fv5.sst"
        self.assertTrue(self.json("sst", "verify", path)["clean"])
        damaged = self.home / "damaged"
        blob = bytearray(path.read_bytes())
        blob[100] ^= 1
        damaged.write_bytes(blob)
        report = self.json("sst", "verify", damaged, code=4)
        self.assertEqual(report["findings"][0]["offset"], 0)
        self.assertIn("to", report["findings"][0]["lost_range"])


def raw_bytes(db):
    """Keys and values of all tables, as RocksDB's own tool adds them up, by family."""
    totals = {}
    for table in db.glob("*.sst"):
        done = run("sst_dump", f"--file={table}", "--show_properties", "--command=none")
        text = done.stdout.decode(errors="replace")
        value = lambda name: int(re.search(rf"^\s*{name}: (\d+)", text, re.M)[1])
        family = re.search(r"column family name: (.*)", text)[1].strip()
        total = totals.setdefault(family, [0, 0])
        total[0] += value("# entries")
        total[1] += value("raw key size") + value("raw value size")
    return totals


class Space(Case):
    def write(self, seed):
        rng = random.Random(seed)
        lines = []
        for _ in range(6000):
            key = f"{rng.choice(['user', 'item', 'log'])}:{rng.randrange(900):04}"
            kind = rng.random()
            if kind < 0.75:
                lines.append(f"put\t{key}\t{'v' * rng.randrange(60)}")
            elif kind < 0.97:
                lines.append(f"delete\t{key}")
            elif kind < 0.975:
                lines.append(f"delete-range\t{key}\t{key[:-1]}\\xff")
            if rng.random() < 0.2:
                lines.append("")
        self.ok("batch", self.db, "--create", "--option", "write_buffer_size=65536",
                "--option", "level0_file_num_compaction_trigger=3", stdin="\n".join(lines).encode() + b"\n")

    def test_live_bytes_are_what_a_full_compaction_keeps(self):
        for seed in range(4):
            with self.subTest(seed):
                shutil.rmtree(self.db, True)
                self.write(seed)
                family = self.json("db", "space", self.db, "--group-by", ":")["cfs"][0]
                total = family["total"]
                self.assertGreater(total["shadowed"]["entries"], 100)
                self.assertGreater(total["tombstones"]["entries"], 10)
                copy = self.home / "copy"
                shutil.rmtree(copy, True)
                shutil.copytree(self.db, copy)
                self.tool("ldb", f"--db={copy}", "compact")
                self.assertEqual(raw_bytes(copy)["default"],
                                 [total["live"]["entries"], total["live"]["bytes"]])
                for part in ("live", "shadowed", "tombstones"):
                    self.assertEqual(sum(level[part]["bytes"] for level in family["levels"]),
                                     total[part]["bytes"])
                prefixes = {p["prefix"]["text"]: p["live"]["bytes"] for p in family["prefixes"]}
                self.assertEqual(set(prefixes), {"user:", "item:", "log:"})
                self.assertEqual(sum(prefixes.values()), total["live"]["bytes"])
                for prefix, live in prefixes.items():
                    part = self.json("db", "space", self.db, "--prefix", prefix)["cfs"][0]
                    self.assertEqual(part["total"]["live"]["bytes"], live)

    def test_what_fails_as_text_fails_as_json(self):
        self.write(1)
        for words, code in ((["--cf", "nobody"], 2), (["--analysis", "tombstones", "--cf", "nobody"], 2)):
            said = self.ok("db", "space", self.db, *words, "--json", code=code).stderr
            self.assertEqual(json.loads(said)["exit_code"], code)
            self.assertIn("no column family 'nobody'", json.loads(said)["detail"])
        table = sorted(self.db.glob("*.sst"))[0]
        table.unlink()
        os.mkfifo(table)
        self.ok("db", "space", self.db, code=3)
        said = self.ok("db", "space", self.db, "--json", code=3).stderr
        self.assertIn("is a FIFO, not a regular file", json.loads(said)["detail"])

    def test_databases_of_real_releases(self):
        tried = 0
        for release in ("rocksdb-7.8.3", "rocksdb-11.9", "hand"):
            for source in sorted((FIXTURES / "db" / release).iterdir()):
                # Of these, bytes of operands, blobs and timestamps are changed by compaction.
                if any(word in source.name for word in ("blob", "udt", "twopc", "write_prep",
                                                        "paths", "recycle")):
                    continue
                if release == "rocksdb-11.9" and source.name == "track_wal":
                    continue  # Its log has records that make the old tool stop reading.
                with self.subTest(source.name):
                    report = self.json("db", "space", source)
                    copy = self.home / f"{release}-{source.name}"
                    shutil.copytree(source, copy)
                    for options in copy.glob("OPTIONS-*"):
                        if release == "rocksdb-11.9":
                            options.unlink()
                    names = [family["name"] for family in report["cfs"]]
                    compacted = [run("ldb", f"--db={copy}", f"--column_family={name}",
                                     "compact").returncode for name in names]
                    if any(compacted):
                        continue  # The old tool cannot open what a newer one wrote.
                    after = raw_bytes(copy)
                    for family in report["cfs"]:
                        live = family["total"]["live"]
                        self.assertEqual(after.get(family["name"], [0, 0]),
                                         [live["entries"], live["bytes"]], family["name"])
                    tried += 1
        self.assertGreater(tried, 15)

    def test_the_truth_lies_between_the_bounds_of_an_estimate(self):
        self.write(9)
        truth = self.json("db", "space", self.db)["cfs"][0]["total"]
        inside = 0
        for seed in range(40):
            family = self.json("db", "space", self.db, "--estimate", "--samples", "12", "--seed",
                               seed)["cfs"][0]
            low, high = family["live_bytes"]["ci95"]
            self.assertLess(family["sampled"]["slices"], family["sampled"]["of"])
            inside += low <= truth["live"]["bytes"] <= high
        self.assertGreaterEqual(inside, 34)

    def test_the_other_analyses(self):
        self.write(5)
        space = self.json("db", "space", self.db)["cfs"][0]
        runs = self.json("db", "space", self.db, "--analysis", "tombstones")["cfs"][0]
        self.assertEqual(runs["tombstones"], space["total"]["tombstones"])
        self.assertEqual(runs["keys"], len(scan(self.db)))
        keys = self.json("db", "space", self.db, "--analysis", "keyspace")["cfs"][0]
        self.assertEqual(sum(part["keys"] for part in keys["slices"]), runs["keys"])
        self.assertEqual(sum(size["count"] for size in keys["key_sizes"]),
                         space["total"]["live"]["entries"])
        codecs = self.json("db", "space", self.db, "--analysis", "compression")["cfs"][0]
        filters = self.json("db", "space", self.db, "--analysis", "filters")["cfs"][0]
        theirs = raw_bytes(self.db)["default"]
        self.assertEqual(sum(codec["raw_bytes"] for level in codecs["levels"]
                             for codec in level["codecs"]), theirs[1])
        self.assertEqual(sum(kind["entries"] for level in filters["levels"]
                             for kind in level["filters"]), theirs[0])

    def test_orphans_are_what_the_next_open_deletes(self):
        self.write(1)
        stray = self.db / "000003.sst"
        shutil.copy(next(self.db.glob("*.sst")), stray)
        report = self.json("db", "space", self.db)
        self.assertEqual([orphan["name"] for orphan in report["orphans"]], [stray.name])
        self.assertEqual(report["orphan_bytes"], stray.stat().st_size)
        self.tool("ldb", f"--db={self.db}", "put", "k", "v")
        self.assertFalse(stray.exists())

    def test_looking_changes_nothing(self):
        self.write(2)
        before = {path.name: path.read_bytes() for path in self.db.iterdir()}
        self.ok("db", "space", self.db)
        self.ok("db", "space", self.db, "--estimate")
        self.ok("db", "verify", self.db)
        self.assertEqual(before, {path.name: path.read_bytes() for path in self.db.iterdir()})


def scan(db, family="default"):
    done = run("ldb", f"--db={db}", f"--column_family={family}", "scan", "--hex")
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.decode().splitlines() if " : " in line]


class Repair(Case):
    # Written by both releases, and readable by the old one's tools.
    SOURCES = ["rocksdb-7.8.3/archive", "rocksdb-7.8.3/atomic_flush", "rocksdb-7.8.3/checksums",
               "rocksdb-7.8.3/cursor", "rocksdb-7.8.3/dbid", "rocksdb-7.8.3/ingest",
               "rocksdb-7.8.3/multi_cf", "rocksdb-7.8.3/wal_basic", "hand/hand_wal",
               "hand/hand_atomic"]

    def copy(self, name):
        shutil.rmtree(self.db, True)
        shutil.copytree(FIXTURES / "db" / name, self.db)
        out = self.home / "repaired"
        shutil.rmtree(out, True)
        return out

    def families(self, db):
        return self.tool("ldb", f"--db={db}", "list_column_families").split("{")[1].split("}")[0] \
            .split(", ")

    def test_in_place_only_while_nobody_writes(self):
        self.ok("put", self.db, "--create", "a", "1")
        writer = subprocess.Popen([VARVE, "batch", str(self.db)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        writer.stdin.write(b"put\tb\t2\n\n")
        writer.stdin.flush()
        self.assertIn(b"committed", writer.stdout.readline())
        self.ok("db", "repair", self.db, "--yes", code=5)
        writer.communicate(b"put\tc\t3\n")
        self.assertEqual(writer.returncode, 0)
        self.assertEqual([path.name for path in self.home.glob("db*")], ["db"])
        for key in ("a", "b", "c"):
            self.ok("get", self.db, key)

    def test_in_place_without_a_usable_name(self):
        self.ok("put", self.db, "--create", "a", "1")
        done = subprocess.run([VARVE, "db", "repair", ".", "--yes"], cwd=self.db, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in self.home.glob("db*")), ["db", "db.damaged"])
        self.ok("get", self.db, "a")

    def test_a_directory_that_holds_no_database_stays_as_it_is(self):
        other = self.home / "documents"
        other.mkdir()
        for name in None, "notes.txt", "LOG":
            if name is not None:
                (other / name).write_text("mine")
            for flags in ["--yes"], ["--dry-run"], ["-o", self.home / "out"]:
                said = self.ok("db", "repair", other, *flags, code=2).stderr.decode()
                self.assertIn("no file of a database", said)
        self.assertEqual(sorted(os.listdir(self.home)), ["documents"])
        self.assertEqual(sorted(os.listdir(other)), ["LOG", "notes.txt"])

    def test_a_sound_database_stays_as_it_is(self):
        for name in self.SOURCES:
            with self.subTest(name):
                out = self.copy(name)
                before = {path.name: path.read_bytes() for path in self.db.iterdir() if
                          path.is_file()}
                report = self.json("db", "repair", self.db, "-o", out)
                self.assertTrue(report["complete"] and report["verified"])
                after = {path.name: path.read_bytes() for path in self.db.iterdir() if
                         path.is_file()}
                self.assertEqual(before, after)
                self.assertIn("OK", self.tool("ldb", f"--db={out}", "checkconsistency"))
                for family in self.families(out):
                    self.assertEqual(scan(out, family), scan(self.db, family))

    def test_without_a_manifest_the_result_reads_as_before_and_as_rocksdb_repairs_it(self):
        compared = 0
        for name in self.SOURCES:
            with self.subTest(name):
                out = self.copy(name)
                theirs = self.home / "theirs"
                shutil.rmtree(theirs, True)
                expected = {family: scan(self.db, family) for family in self.families(self.db)}
                for path in [*self.db.glob("MANIFEST*"), self.db / "CURRENT"]:
                    path.unlink()
                shutil.copytree(self.db, theirs)
                report = self.json("db", "repair", self.db, "-o", out)
                self.assertFalse(report["manifest_whole"])
                self.assertTrue(report["verified"])
                self.assertIn("OK", self.tool("ldb", f"--db={out}", "checkconsistency"))
                # ldb repairs no families but the default one.
                repaired = run("ldb", "repair", f"--db={theirs}").returncode == 0
                compared += repaired
                for family in self.families(out):
                    if name != "hand/hand_atomic":  # Its numbers are in nobody's order.
                        self.assertEqual(scan(out, family), expected[family])
                    # RocksDB gives the tables that were ingested no sequence.
                    if repaired and "ingest" not in name and "hand" not in name:
                        self.assertEqual(scan(out, family), scan(theirs, family))
        self.assertGreater(compared, 5)

    def grown(self):
        rng = random.Random(11)
        self.ok("batch", self.db, "--create", "--option", "write_buffer_size=65536", stdin="".join(
            f"put\tkey{rng.randrange(3000):05}\tvalue {i} {'x' * (i % 40)}\n" +
            ("\n" if i % 50 == 0 else "") for i in range(8000)).encode())
        self.ok("delete", self.db, "--from", "key00500", "--to", "key00700", "-q")
        self.ok("put", self.db, "in-the-log", "yes", "-q")
        return scan(self.db)

    def test_a_manifest_that_is_cut_anywhere(self):
        expected = self.grown()
        manifest = next(self.db.glob("MANIFEST*"))
        whole = manifest.read_bytes()
        for size in range(0, len(whole), max(1, len(whole) // 12)):
            with self.subTest(size):
                manifest.write_bytes(whole[:size])
                out = self.home / f"out{size}"
                report = self.json("db", "repair", self.db, "-o", out)
                self.assertIn("OK", self.tool("ldb", f"--db={out}", "checkconsistency"))
                self.assertEqual(scan(out), expected)
                self.assertTrue(report["verified"])

    def test_versions_that_interleave_are_merged(self):
        # Two tables of the same keys whose sequences interleave: 1, 3, 5, ... and 2, 4, 6, ...
        self.grown()
        for path in [*self.db.glob("MANIFEST*"), self.db / "CURRENT"]:
            path.unlink()
        first = sorted(self.db.glob("*.sst"))[0]
        shutil.copy(first, self.db / "000900.sst")
        out = self.home / "out"
        report = self.json("db", "repair", self.db, "-o", out)
        self.assertIn("merged", {table["fate"] for table in report["tables"]})
        self.assertTrue(report["verified"])
        self.assertIn("OK", self.tool("ldb", f"--db={out}", "checkconsistency"))
        theirs = self.home / "theirs"
        (self.db / "000900.sst").unlink()
        self.assertEqual(run("ldb", "repair", f"--db={self.db}").returncode, 0)
        self.assertEqual(scan(out), scan(self.db))

    def test_damage_in_a_table_costs_what_the_bill_says(self):
        expected = self.grown()
        table = max(self.db.glob("*.sst"), key=lambda path: path.stat().st_size)
        blob = bytearray(table.read_bytes())
        blob[len(blob) // 2] ^= 1
        table.write_bytes(blob)
        out = self.home / "out"
        report = self.json("db", "repair", self.db, "-o", out, code=7)
        entry = next(t for t in report["tables"] if t["fate"] == "salvaged")
        self.assertEqual(entry["name"], table.name)
        after = scan(out)
        self.assertLess(len(after), len(expected))
        low = entry["losses"][0]["lost_range"]["from"]["hex"].upper()
        high = entry["losses"][0]["lost_range"]["to"]["hex"].upper()
        for line in set(expected) ^ set(after):
            self.assertTrue(low <= line.split(" : ")[0][2:] <= high, line)

    def test_a_flushed_log_that_has_what_a_table_lost_hides_nothing_newer(self):
        self.ok("batch", self.db, "--create", stdin=b"put\ta\told\nput\tb\tonly here\n")
        logs = {path: path.read_bytes() for path in self.db.glob("*.log")}
        self.ok("put", self.db, "a", "new")
        before = set(self.db.glob("*.sst"))
        self.ok("put", self.db, "c", "1")
        for path in [*self.db.glob("MANIFEST*"), self.db / "CURRENT"]:
            path.unlink()
        self.assertEqual(len(set(self.db.glob("*.sst")) - before), 1)  # With the new one.
        for path in before:
            path.write_bytes(bytes(100))
        for path, log in logs.items():
            path.write_bytes(log)
        out = self.home / "out"
        report = self.json("db", "repair", self.db, "-o", out, code=7)
        self.assertTrue(report["verified"])
        for key, value in (("a", b"new"), ("b", b"only here"), ("c", b"1")):
            self.assertEqual(self.ok("get", out, key).stdout.strip(), value)
        self.assertIn("OK", self.tool("ldb", f"--db={out}", "checkconsistency"))
        self.ok("compact", out)
        self.assertEqual(self.ok("get", out, "a").stdout.strip(), b"new")
        self.assertEqual([path.name for path in self.home.glob("out*")], ["out"])

    def test_a_damaged_log_is_replayed_around_the_damage(self):
        out = self.copy("damaged/flip_first_record_wal5")
        report = self.json("db", "repair", self.db, "-o", out, code=7)
        self.assertTrue(report["log_losses"])
        self.assertTrue(report["verified"])
        self.assertIn("OK", self.tool("ldb", f"--db={out}", "checkconsistency"))

    def test_places(self):
        expected = self.grown()
        self.ok("db", "repair", self.db, code=2)
        taken = self.home / "taken"
        taken.mkdir()
        self.ok("db", "repair", self.db, "-o", taken, code=8)
        before = sorted(path.name for path in self.home.iterdir())
        self.ok("db", "repair", self.db, "--dry-run")
        self.assertEqual(sorted(path.name for path in self.home.iterdir()), before)
        self.ok("db", "repair", self.db, "--yes")
        self.assertEqual(scan(self.db), expected)
        self.assertEqual(scan(self.home / "db.damaged"), expected)
        self.ok("db", "repair", self.home / "nowhere", "-o", self.home / "x", code=3)
        self.ok("db", "repair", FIXTURES / "db" / "leveldb-1.23" / "leveldb_l0", "-o",
                self.home / "y", code=6)


class Shell(Case):
    def setUp(self):
        super().setUp()
        self.ok("load", self.db, "-", stdin=b"a\t1\nb\t2\nc d\t3\n")

    def script(self, text, code=0):
        return self.ok("shell", self.db, stdin=text.encode(), code=code)

    def test_the_target_is_implied(self):
        table = next(self.db.glob("*.sst")).name
        out = self.script(f"get a\nget 'c d'  # quoted\n\nvarve scan --from b --keys-only\n"
                          f"sst verify {table}\nput e 5\ncount\nexit\nget a\n").stdout.decode()
        lines = out.splitlines()
        self.assertEqual(lines[:4], ["1", "3", "b", "c d"])
        self.assertTrue(lines[4].startswith("verified 1 file,"))
        self.assertEqual(lines[5:], ["4"])
        entries = self.ok("shell", self.db / table, stdin=b"sst entries --keys-only\n").stdout
        self.assertEqual(len(entries.splitlines()), 3)

    def test_a_script_stops_at_the_first_error_with_its_code(self):
        done = self.script("get nope\nget a\nsst verify nope.sst\nget b\n", code=3)
        self.assertEqual(done.stdout, b"1\n")
        self.assertIn(b"stopped at line 3", done.stderr)
        self.assertEqual(self.script("get a\nmutliget\n", code=2).stdout, b"1\n")
        self.script("get 'unfinished\n", code=2)
        self.script("get nope\n", code=1)

    def test_tab_and_history_at_a_terminal(self):
        pid, terminal = pty.fork()
        if pid == 0:
            os.environ["HOME"] = str(self.home)
            os.environ["TERM"] = "xterm"
            os.execv(VARVE, [VARVE, "shell", str(self.db)])
        seen = b""

        def until(text):
            nonlocal seen
            deadline = time.time() + 20
            while text not in seen and time.time() < deadline:
                if select.select([terminal], [], [], 0.2)[0]:
                    try:
                        seen += os.read(terminal, 4096)
                    except OSError:
                        break
            self.assertIn(text, seen)
            seen = seen[seen.index(text) + len(text):]

        until(b"> ")
        os.write(terminal, b"sca\t--keys-o\t--cf def\t\r")
        until(b"c d\r\n")
        until(b"> ")
        os.write(terminal, b"db ver\t\r")
        until(b"verified 2 files")
        until(b"> ")
        os.write(terminal, b"\x10\x10\r")  # Two back in the history.
        until(b"c d\r\n")
        until(b"> ")
        os.write(terminal, b"exit\r")
        os.waitpid(pid, 0)
        os.close(terminal)
        self.assertIn("--keys-only", (self.home / ".varve_history").read_text())


class Changes(Case):
    def test_json_says_what_changed(self):
        put = self.json("put", self.db, "k", "value", "--create")
        self.assertEqual((put["key"]["text"], put["value_bytes"], put["seq"]), ("k", 5, "1"))
        self.assertEqual(self.json("delete", self.db, "k", "x")["changes"], 2)
        self.assertEqual(self.json("delete", self.db, "--from", "a", "--to", "b")["deleted"],
                         "range")
        compact = self.json("compact", self.db)
        self.assertEqual(compact["schema"], "varve.compaction/1")
        self.assertIn("levels", compact)
        checkpoint = self.json("checkpoint", self.db, self.home / "copy")
        self.assertEqual(checkpoint["directory"], str(self.home / "copy"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
