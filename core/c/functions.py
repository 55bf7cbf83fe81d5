#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of README.md, made from functions.tsv.

    functions.py            writes it into README.md
    functions.py --check    fails if it is another (test c_functions)"""
import collections
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
import readme_part  # noqa: E402

TREATMENTS = ("works", "hint", "refused")


def rows():
    """(name, group, treatment, note) of each function."""
    for number, line in enumerate((HERE / "functions.tsv").read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        fields = (*line.split("\t"), "")[:4]
        if len(fields) != 4 or fields[2] not in TREATMENTS or not fields[0].startswith("rocksdb_"):
            raise ValueError(f"functions.tsv:{number}: {line!r}")
        yield fields


def short(name):
    return name.removeprefix("rocksdb_")


def table(all_rows):
    count = collections.Counter((group, treatment) for _, group, treatment, _ in all_rows)
    total = collections.Counter(treatment for _, _, treatment, _ in all_rows)
    text = "| group | works | hint | refused |\n|---|---|---|---|\n"
    for group in dict.fromkeys(group for _, group, _, _ in all_rows):
        text += f"| {group} | " + " | ".join(str(count[group, t] or "") for t in TREATMENTS) + " |\n"
    text += f"| all {len(all_rows)} | " + " | ".join(str(total[t]) for t in TREATMENTS) + " |\n"
    return text


def lists(all_rows):
    """The functions of each note, without `rocksdb_`: all that do not simply work."""
    text = ""
    for treatment, title in (("refused", "Refused"), ("hint", "Hints"), ("works", "With a difference")):
        text += f"\n### {title}\n\n"
        by_note = collections.defaultdict(list)
        for name, group, of, note in all_rows:
            if of == treatment and (note or treatment != "works"):
                by_note[group, note].append(short(name))
        for (group, note), names in by_note.items():
            text += f"- {group}{f' ({note})' if note else ''}: " + ", ".join(f"`{n}`" for n in names) + "\n"
    return text


def main():
    all_rows = list(rows())
    readme_part.keep(__file__, "functions.tsv", table(all_rows) + lists(all_rows))


if __name__ == "__main__":
    main()
