#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs of grocksdb link Varve by an import and a tag (core/c/go), and RocksDB reads what one wrote.

    go_test.py BUILD GROCKSDB-7 GROCKSDB-11 HEADERS-11 FOLDER LDB"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parents[1] / "core/c/go"
GO_MOD = """module count

go 1.17

require (
	github.com/linxGnu/grocksdb v0.0.0
	varve/rocksdb v0.0.0
)

replace github.com/linxGnu/grocksdb => {grocksdb}

replace varve/rocksdb => {module}
"""


def output_of(*command, at=None, **more):
    return subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, text=True, timeout=600, cwd=at,
                          env={**os.environ, **more}).stdout


def count(folder, version, component, name, grocksdb, build, headers=None):
    """The program's folder, with its database."""
    place = folder / version
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    output_of("/usr/bin/cmake", "--install", build, "--component", component, "--prefix", place / "prefix")
    packages = next((place / "prefix").rglob(f"{name}/pkgconfig"))
    (place / "go.mod").write_text(GO_MOD.format(grocksdb=grocksdb, module=MODULE))
    (place / "main.go").write_text((HERE / "go/main.go").read_text().replace("VERSION", version))
    flags = {"PKG_CONFIG_PATH": str(packages), "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOSUMDB": "off",
             "CGO_CFLAGS": "-O1" + (f" -I{headers}" if headers else "")}
    output_of("go", "build", "-tags", "grocksdb_no_link", "-o", "count", ".", at=place, **flags)
    environment = {"LD_LIBRARY_PATH": ""}
    records, library = output_of(place / "count", place / "db", **environment).split()
    assert records == "10", records
    assert pathlib.Path(library).is_relative_to(place.resolve() / "prefix"), library
    return place


def main(build, seven, eleven, headers, folder, ldb):
    folder = pathlib.Path(folder) / "go"
    place = count(folder, "seven", "rocksdb", "varve-rocksdb", seven, build)
    scanned = output_of(ldb, f"--db={place / 'db'}", "scan").splitlines()
    assert scanned == [f"key{number} : value{number}" for number in range(10)], scanned
    count(folder, "eleven", "rocksdb11", "varve-rocksdb-11", eleven, build, headers)
    print("ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
