#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Databases exchanged with RocksDB 11.8.1, options, families, range deletions, ingestion and crashes among them.

usage: latest_test.py VARVE LIBROCKSDB [--seed N | --first N --seeds N --crashes N] [TEST...]

A dict per family is the model. Each engine has to find in the database what the model holds, by a scan forward and
one backward; RocksDB by gets, too. RocksDB verifies its checksums, and `varve db verify` finds nothing.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from rocksdb_c import Database, Library, RocksDbError  # noqa: E402

PROGRAM = LIBRARY = SETTINGS = None
KEYS = 400

# Tables as RocksDB makes them; {} are its defaults.
TABLES = [
    {},
    {"format_version": 7, "checksum": "kXXH3", "filter_policy": "bloomfilter:10"},
    {"format_version": 6, "checksum": "kCRC32c", "filter_policy": "ribbonfilter:10"},
    {"format_version": 5, "index_type": "kTwoLevelIndexSearch", "partition_filters": "true",
     "metadata_block_size": 512, "filter_policy": "bloomfilter:10"},
    {"format_version": 4, "checksum": "kxxHash64", "index_type": "kBinarySearchWithFirstKey"},
    {"format_version": 3, "data_block_index_type": "kDataBlockBinaryAndHash", "whole_key_filtering": "true"},
    {"format_version": 2, "checksum": "kxxHash", "block_restart_interval": 1, "index_block_restart_interval": 4},
    {"format_version": 7, "index_type": "kTwoLevelIndexSearch", "metadata_block_size": 512,
     "decouple_partitioned_filters": "true", "partition_filters": "true", "filter_policy": "ribbonfilter:8"},
]
FAMILIES = [
    {},
    {"compression": "kZSTD"},
    {"compression": "kLZ4Compression", "bottommost_compression": "kZSTD"},
    {"compression": "kSnappyCompression", "compaction_style": "kCompactionStyleUniversal"},
    {"compression": "kZlibCompression", "level_compaction_dynamic_level_bytes": "false"},
    {"compression": "kBZip2Compression"},
    {"compression": "kNoCompression", "memtable_prefix_bloom_size_ratio": "0.1"},
    {"compression": "kZSTD", "compression_opts": "{level=3;max_dict_bytes=4096;zstd_max_train_bytes=65536}"},
]


BLOBS = [
    {},
    {"enable_blob_files": "true"},
    {"enable_blob_files": "true", "min_blob_size": 12, "blob_file_size": 4096, "blob_compression_type": "kZSTD",
     "enable_blob_garbage_collection": "true", "blob_garbage_collection_age_cutoff": 0.5,
     "blob_garbage_collection_force_threshold": 0.5},
    {"enable_blob_files": "true", "min_blob_size": 8, "blob_compression_type": "kSnappyCompression",
     "enable_blob_garbage_collection": "true", "blob_garbage_collection_age_cutoff": 1, "blob_file_starting_level": 1},
]


def string_of(settings):
    return "".join(f"{name}={value};" for name, value in settings.items())


def drawn_options(dice):
    apart = random.Random()  # What else is drawn from a seed stays as it was.
    apart.setstate(dice.getstate())
    table = dict(dice.choice(TABLES), block_size=dice.choice((256, 1024, 4096)))
    family = dict(dice.choice(FAMILIES), write_buffer_size=dice.choice((16384, 65536, 1 << 20)),
                  target_file_size_base=65536, max_bytes_for_level_base=262144, paranoid_file_checks="true")
    family.update(apart.choice(BLOBS))
    family["block_based_table_factory"] = "{" + string_of(table) + "}"
    return string_of(family)


def varve(*words, stdin=b"", codes=(0,)):
    done = subprocess.run([PROGRAM, *map(str, words)], input=stdin, capture_output=True, timeout=120)
    if done.returncode not in codes:
        raise AssertionError(f"varve {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr.decode()}")
    return done


def varve_rows(path, family, *flags):
    """The records that `varve scan` finds."""
    out = varve("scan", path, "--cf", family, "-F", "jsonl", *flags).stdout
    rows = [json.loads(line) for line in out.splitlines()]
    return [(bytes.fromhex(row["key"]["hex"]), bytes.fromhex(row["value"]["hex"])) for row in rows if "key" in row]


def varve_write(path, groups, *flags, codes=(0,)):
    lines = []
    for group in groups:
        for kind, family, *words in group:
            lines.append("\t".join([f"cf={family}", kind, *("hex:" + word.hex() for word in words)]))
        lines.append("")
    return varve("batch", path, "-q", *flags, stdin="\n".join(lines).encode() + b"\n", codes=codes)


class Model:
    """What each family holds."""

    def __init__(self):
        self.families = {"default": {}}

    def apply(self, operations):
        for kind, family, *words in operations:
            records = self.families[family]
            if kind == "put":
                records[words[0]] = words[1]
            elif kind == "delete":
                records.pop(words[0], None)
            else:
                for key in [key for key in records if words[0] <= key < words[1]]:
                    del records[key]


class Mix:
    """Groups of operations, drawn from a seed."""

    def __init__(self, dice):
        self.dice = dice

    def key(self):
        return b"key%06d" % self.dice.randrange(KEYS)

    def value(self):
        return self.dice.randbytes(self.dice.choice((0, 1, 10, 100, 100, 100, 2000)))

    def group(self, families):
        operations = []
        for _ in range(self.dice.choice((1, 1, 2, 10))):
            family, kind = self.dice.choice(families), self.dice.random()
            if kind < 0.75:
                operations.append(("put", family, self.key(), self.value()))
            elif kind < 0.95:
                operations.append(("delete", family, self.key()))
            else:
                begin, end = sorted((self.key(), self.key()))
                if begin < end:
                    operations.append(("delete-range", family, begin, end))
        return operations

    def table(self):
        """Records and range deletions of a table for ingestion; a record of it is newer than they are."""
        records = dict((self.key(), self.value()) for _ in range(self.dice.randrange(1, 60)))
        begin, end = sorted((self.key(), self.key()))
        ranges = [(begin, end)] if begin < end and self.dice.random() < 0.3 else []
        return sorted(records.items()), [] if any(begin <= key < end for key in records) else ranges


class Latest(unittest.TestCase):
    seed = None  # At work.

    def run(self, result=None):
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if self.seed is not None and len(result.failures) + len(result.errors) > before:
            print(f"replay: interop_latest --seed={self.seed}", file=sys.stderr)

    def setUp(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="varve-latest-", dir=SETTINGS.scratch))
        self.addCleanup(shutil.rmtree, self.place, ignore_errors=True)
        self.path = self.place / "db"

    def check_rocksdb(self, model, database, what):
        self.assertEqual(set(database.handles), set(model.families), what)
        for family, records in model.families.items():
            expected = sorted(records.items())
            self.assertEqual(database.scan(family), expected, what)
            self.assertEqual(database.scan(family, reverse=True), expected[::-1], what)
            for i in range(0, KEYS, 7):
                key = b"key%06d" % i
                self.assertEqual(database.get(key, family), records.get(key), what)
        database.verify()

    def check_varve(self, model, what):
        self.assertEqual(varve("db", "verify", self.path, "-q").returncode, 0, what)
        names = varve("cf", "list", self.path, "-F", "tsv").stdout.decode().splitlines()
        self.assertEqual({line.split("\t")[0] for line in names} & set(model.families), set(model.families), what)
        for family, records in model.families.items():
            expected = sorted(records.items())
            self.assertEqual(varve_rows(self.path, family), expected, what)
            self.assertEqual(varve_rows(self.path, family, "--reverse"), expected[::-1], what)

    def rocksdb_turn(self, model, mix, options, what):
        dice = mix.dice
        with Database(LIBRARY, self.path, options and LIBRARY.options(options)) as database:
            self.check_rocksdb(model, database, what)
            if dice.random() < 0.3 and len(model.families) < 4:
                name = f"family{dice.randrange(1000)}"
                if name not in model.families:
                    database.create_family(name)
                    model.families[name] = {}
            elif dice.random() < 0.15 and len(model.families) > 1:
                name = dice.choice([name for name in model.families if name != "default"])
                database.drop_family(name)
                del model.families[name]
            families = list(model.families)
            for _ in range(dice.randrange(5, 120)):
                group = mix.group(families)
                database.write(group)
                model.apply(group)
                if dice.random() < 0.02:
                    database.flush(dice.choice(families))
            if dice.random() < 0.4:
                self.ingest(model, mix, lambda table, family: database.ingest(table, family))
            if dice.random() < 0.3:
                database.compact(dice.choice(families))
            if dice.random() < 0.2:
                shutil.rmtree(self.place / "copy", ignore_errors=True)
                database.checkpoint(self.place / "copy")
                self.path, old = self.place / "copy", self.path
                self.check_varve(model, what + ", its checkpoint")
                self.path = old
            self.check_rocksdb(model, database, what + ", after its own turn")

    def varve_turn(self, model, mix, what):
        dice = mix.dice
        self.check_varve(model, what)
        if dice.random() < 0.3 and len(model.families) < 4:
            name = f"family{dice.randrange(1000)}"
            if name not in model.families:
                varve("cf", "create", self.path, name, "-q")
                model.families[name] = {}
        elif dice.random() < 0.15 and len(model.families) > 1:
            name = dice.choice([name for name in model.families if name != "default"])
            varve("cf", "drop", self.path, name, "--yes", "-q")
            del model.families[name]
        families = list(model.families)
        groups = [mix.group(families) for _ in range(dice.randrange(5, 120))]
        flags = dice.choice(([], ["--option", "write_buffer_size=16384"], ["--durability", "none"]))
        varve_write(self.path, groups, *flags)
        for group in groups:
            model.apply(group)
        if dice.random() < 0.4:
            self.ingest(model, mix, lambda table, family: varve("ingest", self.path, table, "--cf", family, "-q"))
        if dice.random() < 0.3:
            varve("compact", self.path, "--cf", dice.choice(families), "-q", *dice.choice(([], ["--force"])))
        if dice.random() < 0.2:
            shutil.rmtree(self.place / "copy", ignore_errors=True)
            varve("checkpoint", self.path, self.place / "copy", "-q")
            with Database(LIBRARY, self.place / "copy", read_only=True) as database:
                self.check_rocksdb(model, database, what + ", its checkpoint")
        self.check_varve(model, what + ", after its own turn")

    def ingest(self, model, mix, take):
        records, ranges = mix.table()
        family = mix.dice.choice(list(model.families))
        table = self.place / "table.sst"
        LIBRARY.build_table(table, LIBRARY.options(drawn_options(mix.dice)), records, ranges)
        take(table, family)
        table.unlink(missing_ok=True)
        model.apply([("delete-range", family, *bounds) for bounds in ranges])
        model.apply([("put", family, *record) for record in records])

    def test_turns(self):
        """Both engines write in turn, with what the other left."""
        for seed in range(SETTINGS.first, SETTINGS.first + SETTINGS.seeds):
            dice, self.seed = random.Random(seed), seed
            self.path = self.place / f"db{seed}"
            model, mix, options = Model(), Mix(dice), drawn_options(dice)
            if dice.random() < 0.5:
                varve_write(self.path, [[("put", "default", b"first", b"1")]], "--create")
                model.apply([("put", "default", b"first", b"1")])
            else:
                with Database(LIBRARY, self.path, LIBRARY.options(options)) as database:
                    database.write([("put", "default", b"first", b"1")])
                model.apply([("put", "default", b"first", b"1")])
            for turn in range(6):
                what = f"seed {seed}, turn {turn}, {options}"
                if dice.random() < 0.5:
                    # With the options that are stored, strictly, or with new ones.
                    self.rocksdb_turn(model, mix, dice.choice((None, drawn_options(dice))), what + ", RocksDB")
                else:
                    self.varve_turn(model, mix, what + ", Varve")
            shutil.rmtree(self.path)

    def test_every_table(self):
        """What RocksDB makes with each of these options is read, goes on, and is read by RocksDB again."""
        for number, table in enumerate(TABLES):
            for family in FAMILIES:
                dice = random.Random(number)
                self.path = self.place / "db"
                shutil.rmtree(self.path, ignore_errors=True)
                model, mix = Model(), Mix(dice)
                options = string_of(family) + "block_based_table_factory={" + string_of(dict(table, block_size=512)) + "}"
                with Database(LIBRARY, self.path, LIBRARY.options(options)) as database:
                    for _ in range(150):
                        group = mix.group(["default"])
                        database.write(group)
                        model.apply(group)
                    database.flush()
                    database.compact()
                self.check_varve(model, options)
                group = mix.group(["default"])
                varve_write(self.path, [group])
                model.apply(group)
                varve("compact", self.path, "--force", "-q")
                self.check_varve(model, options)
                with Database(LIBRARY, self.path) as database:
                    self.check_rocksdb(model, database, options)

    def test_options_stay(self):
        """RocksDB takes our OPTIONS strictly, and both go on with the compression that is stored."""
        number = {"zstd": 7, "lz4": 4, "none": 0, "snappy": 1}
        for name, value in number.items():
            path = self.place / name
            varve("batch", path, "--create", "-q", stdin=b"put\ta\t1\n")
            varve("db", "set-options", path, f"compression={name}", "-q")
            options, families = LIBRARY.latest_options(path)
            self.assertEqual(LIBRARY._options_get_compression(families["default"]), value)
            with Database(LIBRARY, path) as database:  # Writes OPTIONS of its own.
                self.assertEqual(database.scan(), [(b"a", b"1")])
            stored = json.loads(varve("db", "options", path, "--all", "--json").stdout)
            self.assertIn('"compression"', json.dumps(stored))
            varve("batch", path, "-q", stdin=b"put\tb\t2\n")
            options, families = LIBRARY.latest_options(path)
            self.assertEqual(LIBRARY._options_get_compression(families["default"]), value)

    def killed(self, words, stdin, after):
        """Starts a writer and kills it; the lines that it had acknowledged."""
        child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        writer = os.fork()
        if writer == 0:  # Feeds it, however long that takes.
            try:
                child.stdin.write(stdin)
                child.stdin.flush()
            except BrokenPipeError:
                pass
            os._exit(0)
        time.sleep(after)  # pause: of a random length, so that the kill comes at any moment
        child.send_signal(signal.SIGKILL)
        child.stdin.close()
        with child.stdout:
            acknowledged = child.stdout.read().count(b"\n")
        child.wait()
        os.waitpid(writer, 0)
        return acknowledged

    def expect_prefix(self, found, groups, acknowledged, what):
        """The state after some number of groups, not fewer than were acknowledged."""
        model, states = Model(), []
        for group in groups:
            model.apply(group)
            states.append(sorted(model.families["default"].items()))
        at = [i + 1 for i, state in enumerate(states) if state == found]
        self.assertTrue(at or not found and acknowledged == 0, f"{what}: the state of no moment")
        self.assertGreaterEqual(max(at, default=0), acknowledged, what)

    def crash_groups(self, seed):
        mix = Mix(random.Random(seed))
        # The first key makes each state differ from all others.
        return mix, [[("put", "default", b"number", b"%d" % i), *mix.group(["default"])] for i in range(2000)]

    def test_crashes_of_varve(self):
        """RocksDB opens what a killed Varve left, and finds a moment of it with all that was acknowledged."""
        for seed in range(SETTINGS.first, SETTINGS.first + SETTINGS.crashes):
            self.seed = seed
            self.path = self.place / f"db{seed}"
            mix, groups = self.crash_groups(seed)
            lines = "".join("\t".join([kind, *("hex:" + word.hex() for word in words)]) + "\n" * (i + 1 == len(group))
                            + "\n" for group in groups for i, (kind, _, *words) in enumerate(group))
            words = [PROGRAM, "batch", str(self.path), "--create", "--durability", "buffered", "--option",
                     "write_buffer_size=65536"]
            acknowledged = self.killed(words, lines.encode(), mix.dice.uniform(0.005, 0.25))
            if not (self.path / "CURRENT").exists():
                continue
            shutil.copytree(self.path, self.place / "copy", dirs_exist_ok=False)
            what = f"seed {seed}"
            with Database(LIBRARY, self.path) as database:
                found = database.scan()
            self.expect_prefix(found, groups, acknowledged, what)
            self.path = self.place / "copy"
            self.assertEqual(varve_rows(self.path, "default"), found, what)
            shutil.rmtree(self.path)

    def test_crashes_of_rocksdb(self):
        """And the other way round."""
        for seed in range(SETTINGS.first, SETTINGS.first + SETTINGS.crashes):
            self.seed = seed
            self.path = self.place / f"db{seed}"
            mix, groups = self.crash_groups(seed)
            words = [sys.executable, __file__, PROGRAM, str(SETTINGS.library), "--write", str(self.path), "--first",
                     str(seed)]
            acknowledged = self.killed(words, b"", mix.dice.uniform(0.1, 0.4))
            if not (self.path / "CURRENT").exists():
                continue
            what = f"seed {seed}"
            self.expect_prefix(varve_rows(self.path, "default"), groups, acknowledged, what)
            varve("batch", self.path, "-q", stdin=b"put\tafter\t1\n")
            varve("db", "verify", self.path, "-q")
            kept = any(self.path.glob("OPTIONS-*"))  # Not if it was killed before it wrote them.
            with Database(LIBRARY, self.path, None if kept else LIBRARY.options()) as database:
                found = [record for record in database.scan() if record[0] != b"after"]
            self.expect_prefix(found, groups, acknowledged, what)

    def write_until_killed(self):
        _, groups = self.crash_groups(SETTINGS.first)
        options = LIBRARY.options(drawn_options(random.Random(SETTINGS.first)))
        with Database(LIBRARY, SETTINGS.write, options) as database:
            for group in groups:
                database.write(group)
                print("ok", flush=True)


def main():
    global PROGRAM, LIBRARY, SETTINGS
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--seed", type=int, help="this one alone")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--crashes", type=int, default=15)
    parser.add_argument("--scratch", default=None, help="folder for databases")
    parser.add_argument("--write", help="be the writer that test_crashes_of_rocksdb kills")
    parser.add_argument("tests", nargs="*")
    SETTINGS = parser.parse_intermixed_args()
    if SETTINGS.seed is not None:
        SETTINGS.first, SETTINGS.seeds, SETTINGS.crashes = SETTINGS.seed, 1, 1
    PROGRAM, LIBRARY = SETTINGS.varve, Library(SETTINGS.library)
    if SETTINGS.write:
        return Latest("test_turns").write_until_killed()
    return unittest.main(argv=[sys.argv[0], *SETTINGS.tests], verbosity=2)


if __name__ == "__main__":
    main()
