#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every verb on every hostile or damaged input, in every format: the exit code does not depend on the format, and
JSON follows its schema.

usage: formats_test.py VARVE INPUTS DAMAGED SCRATCH [--only NAME] [--verb VERB]

VARVE is the program, INPUTS the folder that fixtures/hostile/unpack.py made, DAMAGED fixtures/db/damaged.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

import jsonschema

import limits_test

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
from harness import strict  # noqa: E402  pylint: disable=wrong-import-position

FORMATS = ("json", "csv")  # JSON lines are what csv is made from.
# What is printed of these is megabytes or gigabytes, of nothing that others do not have.
LONG = ("quad_prefix", "bigkeys", "_20k", "_100k", "120k_options", "many_files", "rdel_nested", "legit64k", "salv_pattern",
        "index_1e")
# Of longer lists only the ends are validated.
ROWS = 20

MORE_TABLE_VERBS = [["sst", "info", "{}", "--properties"], ["sst", "layout", "{}", "--fields"],
                    ["sst", "salvage", "{}", "--dry-run"], ["db", "info", "{}"]]
MORE_READING_VERBS = [["manifest", "layout", "{}", "--fields"], ["lsm", "history", "{}", "--file", "7"],
                      ["lsm", "show", "{}", "--edit", "1"], ["db", "info", "{}", "--digest"],
                      ["db", "options", "{}", "--all"]]


def verbs_of(path):
    """Without formats, so each once."""
    verbs = (limits_test.READING_VERBS + MORE_READING_VERBS + limits_test.WRITING_VERBS if path.is_dir()
             else limits_test.TABLE_VERBS + MORE_TABLE_VERBS)
    plain = [tuple(word for word in verb if word != "--json") for verb in verbs]
    return list(dict.fromkeys(plain))


def shortened(value):
    if isinstance(value, dict):
        return {name: shortened(member) for name, member in value.items()}
    if isinstance(value, list):
        return [shortened(part) for part in (value if len(value) <= 2 * ROWS else value[:ROWS] + value[-ROWS:])]
    return value


class Help:
    """The formats of each verb, and the schemas of its documents."""

    def __init__(self, varve):
        told = json.loads(subprocess.run([varve, "help", "--json"], check=True, capture_output=True).stdout)
        self.verbs = {tuple(command["name"].split()): command for command in told["commands"]}
        self.schemas = {name: jsonschema.Draft202012Validator(strict(schema))
                        for name, schema in told["schemas"].items()}

    def command(self, verb):
        return self.verbs.get(verb[:2]) or self.verbs[verb[:1]]

    def fault(self, text, names):
        """What is wrong with a document, which has one of these names."""
        try:
            document = json.loads(text)
        except ValueError as error:
            return f"no JSON: {error}"
        # A problem is on standard error, and has no name.
        name = document.get("schema", "varve.problem/1")
        if name not in names:
            return f"schema is {name}, not one of {names}"
        for error in self.schemas[name].iter_errors(shortened(document)):
            return f"{name}{error.json_path[1:]}: {error.message[:200]}"
        return None


def run(options, verb, path, place, *more):
    call = limits_test.Call(options, path, [*verb, *more], place)
    place.mkdir(parents=True)
    if "{copy}" in verb:
        shutil.copytree(path, place / "copy")
    done = subprocess.run(call.words, input=limits_test.STANDARD_INPUT.get(verb[0], b""), capture_output=True,
                          timeout=limits_test.WALL_SECONDS, check=False)
    shutil.rmtree(place, ignore_errors=True)
    return done


def faults(options, told, verb, path, number):
    found, command = [], told.command(verb)
    place = options.scratch / str(number)
    text = run(options, verb, path, place)
    for form in FORMATS:
        if form not in command["formats"]:
            continue
        done = run(options, verb, path, place, "-F", form)
        where = f"{' '.join(verb)} -F {form} of {path.name}"
        if done.returncode != text.returncode:
            found.append(f"{where}: exit code {done.returncode}, not {text.returncode} as text: "
                         f"{done.stderr[-200:]} {text.stderr[-200:]}")
        if form == "json" and done.stdout:
            if fault := told.fault(done.stdout, command["schemas"]):
                found.append(f"{where}: {fault}")
        elif form == "json":
            if fault := told.fault(done.stderr.splitlines()[-1] if done.stderr else "", ["varve.problem/1"]):
                found.append(f"{where}: on standard error: {fault}")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("varve")
    parser.add_argument("inputs", type=pathlib.Path)
    parser.add_argument("damaged", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--only")
    parser.add_argument("--verb")
    options = parser.parse_args()
    shutil.rmtree(options.scratch, ignore_errors=True)
    options.scratch.mkdir(parents=True)
    subprocess.run([options.varve, "sst", "build", options.scratch / "table.sst", "-"], input=b"zz\tv\n",
                   check=True, stderr=subprocess.DEVNULL)
    told = Help(options.varve)
    calls = []
    for path in sorted(options.inputs.iterdir()) + sorted(options.damaged.iterdir()):
        if any(name in path.name for name in LONG) or options.only and options.only not in path.name:
            continue
        for verb in verbs_of(path):
            if options.verb and not " ".join(verb).startswith(options.verb):
                continue
            if "{log}" in verb and not any(path.glob("*.log")):
                continue
            calls.append((options, told, verb, path, len(calls)))
    found = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for of_call in pool.map(lambda call: faults(*call), calls):
            for fault in of_call:
                print("FAILED:", fault, flush=True)
            found += len(of_call)
    shutil.rmtree(options.scratch, ignore_errors=True)
    print(f"{len(calls)} verbs on inputs, {found} faults")
    return 1 if found or not calls else 0


if __name__ == "__main__":
    sys.exit(main())
