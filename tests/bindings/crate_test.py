#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A program of rust-rocksdb builds Varve from its sources (core/c/rust), and RocksDB reads what it wrote.

    crate_test.py FOLDER LDB"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def output_of(*command, **more):
    return subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, text=True, timeout=1200,
                          env={**os.environ, **more}).stdout


def main(folder, ldb):
    folder = pathlib.Path(folder) / "crate"
    database = folder / "db"
    shutil.rmtree(database, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    assert "ROCKSDB_LIB_DIR" not in os.environ, "it has another library linked"
    said = output_of("cargo", "run", "--quiet", "--offline", "--locked", "--release", "--manifest-path",
                     HERE / "crate/Cargo.toml", "--", database, CARGO_TARGET_DIR=str(folder / "target"))
    assert said == "10 records\n", said
    libraries = output_of("ldd", folder / "target/release/count")
    assert "librocksdb" not in libraries, libraries
    scanned = output_of(ldb, f"--db={database}", "scan").splitlines()
    assert scanned == [f"key{number} : value{number}" for number in range(10)], scanned
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
