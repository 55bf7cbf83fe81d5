#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of README.md, made from functions.tsv and functions_eleven.tsv.

    functions.py            writes it into README.md
    functions.py --check    fails if it is another (test c_functions)"""
import collections
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))
import readme_part  # noqa: E402

TREATMENTS = ("works", "hint", "refused")
REMOVED = "removed"  # In functions_eleven.tsv: 11.8.1 does not have it.


def rows_of(file, treatments):
    for number, line in enumerate((HERE / file).read_text().splitlines(), 1):
        if line.startswith("#"):
            continue
        fields = (*line.split("\t"), "")[:4]
        if len(fields) != 4 or fields[2] not in treatments or not fields[0].startswith("rocksdb_"):
            raise ValueError(f"{file}:{number}: {line!r}")
        yield fields


def rows():
    """(name, group, treatment, note) of each function of 7.8.3."""
    return rows_of("functions.tsv", TREATMENTS)


def changes_of_eleven():
    """The same of what 11.8.1 has more, or has removed."""
    return rows_of("functions_eleven.tsv", (*TREATMENTS, REMOVED))


def rows_of_eleven():
    """The same of all functions of 11.8.1."""
    changes = list(changes_of_eleven())
    removed = {name for name, _, treatment, _ in changes if treatment == REMOVED}
    return [row for row in rows() if row[0] not in removed] + [row for row in changes if row[2] != REMOVED]


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
    text, all_rows = "", list(all_rows)
    for treatment, title in (("refused", "Refused"), ("hint", "Hints"), ("works", "With a difference")):
        text += f"\n#### {title}\n\n"
        by_note = collections.defaultdict(list)
        for name, group, of, note in all_rows:
            if of == treatment and (note or treatment != "works"):
                by_note[group, note].append(short(name))
        for (group, note), names in by_note.items():
            text += f"- {group}{f' ({note})' if note else ''}: " + ", ".join(f"`{n}`" for n in names) + "\n"
    return text


def groups_together(all_rows):
    order = list(dict.fromkeys(group for _, group, _, _ in all_rows))
    return sorted(all_rows, key=lambda row: order.index(row[1]))


def main():
    seven, eleven, more = list(rows()), groups_together(rows_of_eleven()), list(changes_of_eleven())
    removed = ", ".join(f"`{short(name)}`" for name, _, treatment, _ in more if treatment == REMOVED)
    text = "### Of 7.8.3\n\n" + table(seven) + lists(seven)
    text += f"\n### Of 11.8.1\n\n{table(eleven)}\nRemoved since 7.8.3: {removed}.\n\nBeside what is listed above:\n"
    text += lists(row for row in more if row[2] != REMOVED)
    readme_part.keep(__file__, "functions.tsv", text)


if __name__ == "__main__":
    main()
