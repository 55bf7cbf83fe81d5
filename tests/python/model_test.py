#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A database against a model: a dict for each family, with copies of them for snapshots.

    model_test.py [--seed=N] [--steps=N]

Without a seed, those that are checked in every build."""
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

import varve

SEEDS, STEPS = range(8), 1500
FAMILIES = ("default", "one", "two")
SMALL = {"write_buffer_size": 64 << 10, "block_size": 256, "level0_file_num_compaction_trigger": 2}


class Run:
    def __init__(self, path, seed):
        self.path, self.random = path, random.Random(seed)
        self.model = {name: {} for name in FAMILIES}
        self.snapshots = []  # Each with the model of its time.
        self.open(create_if_missing=True, create_missing_column_families=True)

    def open(self, **options):
        self.db = varve.open(self.path, families={name: SMALL for name in FAMILIES}, **options)
        self.families = {name: self.db.family(name) for name in FAMILIES}

    def key(self):
        return bytes(self.random.choices(b"abc", k=self.random.randrange(5)))

    def value(self):
        return self.random.randbytes(self.random.choice((0, 3, 20, 400)))

    # Each step does the same to the database and to the model, or compares them.

    def put(self, name):
        key, value = self.key(), self.value()
        self.families[name][key] = value
        self.model[name][key] = value

    def delete(self, name):
        key = self.key()
        del self.families[name][key]
        self.model[name].pop(key, None)

    def delete_range(self, name):
        start, stop = sorted((self.key(), self.key()))
        self.families[name].delete_range(start, stop)
        self.remove(name, start, stop)

    def remove(self, name, start, stop):
        for key in [key for key in self.model[name] if start <= key < stop]:
            del self.model[name][key]

    def write(self, _):
        batch = varve.WriteBatch()
        for _ in range(self.random.randrange(30)):
            name, key = self.random.choice(FAMILIES), self.key()
            action = self.random.randrange(5)
            if action == 0:
                batch.delete(key, family=self.families[name])
                self.model[name].pop(key, None)
            elif action == 1:
                batch.delete_range(key, key + b"b", family=self.families[name])
                self.remove(name, key, key + b"b")
            else:
                value = self.value()
                batch.put(key, value, family=self.families[name])
                self.model[name][key] = value
        self.db.write(batch, durability=self.random.choice(("sync", "buffered", "none")))

    def snapshot(self, _):
        if len(self.snapshots) == 3:
            self.snapshots.pop(0)[0].close()
        self.snapshots.append((self.db.snapshot(), {name: dict(of) for name, of in self.model.items()}))

    def flush(self, name):
        self.families[name].flush(wait=self.random.random() < 0.5)

    def compact(self, name):
        self.families[name].compact()

    def reopen(self, _):
        self.snapshots.clear()
        self.db.close()
        self.open()

    def view(self, name):
        """The family, or how it once was, and the model of that."""
        if self.snapshots and self.random.random() < 0.4:
            snapshot, model = self.random.choice(self.snapshots)
            return snapshot.family(name), model[name]
        return self.families[name], self.model[name]

    def get(self, name):
        view, model = self.view(name)
        keys = [self.key() for _ in range(5)]
        same(view.multi_get(keys), [model.get(key) for key in keys])
        same([view.get(key) for key in keys], [model.get(key) for key in keys])
        same([key in view for key in keys], [key in model for key in keys])

    def scan(self, name):
        view, model = self.view(name)
        bounds, reverse = {}, self.random.random() < 0.5
        if self.random.random() < 0.3:
            bounds["prefix"] = self.key()
        else:
            bounds |= {name: self.key() for name in ("start", "stop") if self.random.random() < 0.5}
        wanted = sorted((key, value) for key, value in model.items()
                        if key.startswith(bounds.get("prefix", b"")) and bounds.get("start", b"") <= key
                        and ("stop" not in bounds or key < bounds["stop"]))
        same(list(view.items(reverse=reverse, **bounds)), wanted[::-1] if reverse else wanted)
        same(list(view.keys(**bounds)), [key for key, _ in wanted])
        same(list(view.values(**bounds)), [value for _, value in wanted])

    STEPS = {put: 30, delete: 8, delete_range: 3, write: 10, snapshot: 2, flush: 1, compact: 0.3, reopen: 0.3,
             get: 12, scan: 8}

    def run(self, steps):
        for step in self.random.choices(list(self.STEPS), list(self.STEPS.values()), k=steps):
            step(self, self.random.choice(FAMILIES))
        for name in FAMILIES:
            same(list(self.families[name].items()), sorted(self.model[name].items()))
        self.db.close()


def same(found, wanted):
    if found != wanted:
        raise AssertionError(f"found {found}\nwanted {wanted}")


class ModelTest(unittest.TestCase):
    def test_against_dicts(self):
        for seed in SEEDS:
            home = pathlib.Path(tempfile.mkdtemp(prefix="varve-python-"))
            self.addCleanup(shutil.rmtree, home)
            with self.subTest(replay=f"tests/python/model_test.py --seed={seed} --steps={STEPS}"):
                Run(home / "db", seed).run(STEPS)


if __name__ == "__main__":
    for word in sys.argv[1:]:
        if word.startswith("--seed="):
            SEEDS = [int(word.removeprefix("--seed="))]
        elif word.startswith("--steps="):
            STEPS = int(word.removeprefix("--steps="))
        else:
            sys.exit(__doc__)
    unittest.main(argv=sys.argv[:1])
