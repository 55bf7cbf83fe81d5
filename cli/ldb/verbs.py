#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of README.md, made from verbs.tsv, whose rows tests/cli/ldb_test.py holds against RocksDB's ldb.

    verbs.py            writes it into README.md
    verbs.py --check    fails if it is another (test cli_ldb)"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
import readme_part  # noqa: E402

TREATMENTS = ("works", "refused")


def rows():
    """(verb, group, treatment, note) of each verb."""
    for number, line in enumerate((HERE / "verbs.tsv").read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        fields = (*line.split("\t"), "")[:4]
        if len(fields) != 4 or fields[2] not in TREATMENTS:
            raise ValueError(f"verbs.tsv:{number}: {line!r}")
        yield fields


def table():
    text = "| verb | | |\n|---|---|---|\n"
    for verb, _, treatment, note in rows():
        text += f"| `{verb}` | {treatment} | {note} |\n"
    return text


def main():
    readme_part.keep(__file__, "verbs.tsv", table())


if __name__ == "__main__":
    main()
