#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The API's contract, held against what nobody of the API wrote: python3-jsonschema, the bytes of
the other transports, and golden replies in golden/ that changes are reviewed by.

    contract_test.py --probe BIN --varve BIN --fixtures DIR [--wasm PACKAGE --node BIN] [--update]

Adding a resource: a row of CASES (and of CLI, if a verb prints it), then --update, then read the
diff. Adding a transport: a class with get(paths, target) -> (status, body), named in others()."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import unittest

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "security"))
import served  # noqa: E402  pylint: disable=wrong-import-position
GOLDEN = HERE / "golden"
API = "/api/v1"

CURSOR = "db/rocksdb-7.8.3/cursor"
FAMILIES = "db/rocksdb-7.8.3/multi_cf"
TABLE = "sst/r119_comp_zstd_fv7.sst"
PARTITIONS = "sst/r119_part_filter_fv7_decoupled.sst"
RANGES = "sst/r119_only_range_del.sst"

# name, target, resource below /api/v1/targets/t1 (or from the root, if it begins with "//")
CASES = [
    ("root", CURSOR, "//"),
    ("targets", CURSOR, "//targets"),
    ("openapi", CURSOR, "//openapi.json"),
    ("plugins", CURSOR, "//plugins"),
    ("target_db", CURSOR, ""),
    ("target_sst", TABLE, ""),
    ("cfs", FAMILIES, "/cfs"),
    ("cf", FAMILIES, "/cfs/default"),
    ("files", CURSOR, "/files"),
    ("file", TABLE, "/files/0"),
    ("file_include", CURSOR, "/files/30?include=properties,lineage"),
    ("problem_include", TABLE, "/files/0?include=everything"),
    ("properties", TABLE, "/files/0/properties"),
    ("footer", TABLE, "/files/0/footer"),
    ("entries", TABLE, "/files/0/entries?page_size=5"),
    ("entries_hex", TABLE, "/files/0/entries?page_size=2&bytes=hex"),
    ("range_dels", RANGES, "/files/0/range_dels"),
    ("levels", CURSOR, "/cfs/default/levels"),
    ("version", CURSOR, "/versions/12"),
    ("versions_diff", CURSOR, "/versions:diff?a=8&b=9"),
    ("edits", CURSOR, "/manifest/edits?page_size=5"),
    ("history", CURSOR, "/history"),
    ("options", CURSOR, "/cfs/default/options"),
    ("wal", FAMILIES, "/wal"),
    ("events", CURSOR, "/events?page_size=3"),
    ("get", FAMILIES, "/cfs/default/get?key=nothing"),
    ("get_digest", CURSOR, "/cfs/default/get?key=key000000&digest=true"),
    ("scan", CURSOR, "/cfs/default/scan?page_size=3"),
    ("explain", CURSOR, "/cfs/default/explain?key=key000000"),
    ("explain_absent", FAMILIES, "/cfs/default/explain?key=nothing"),
    ("explain_scan", CURSOR, "/cfs/default/explain/scan?from=key000001&rows=5"),
    ("locate", CURSOR, "/cfs/default/locate?key=key000000"),
    ("layout", TABLE, "/files/0/layout?page_size=5"),
    ("layout_fields", TABLE, "/files/0/layout?depth=fields&from_offset=9000&page_size=40"),
    ("layout_wal", FAMILIES, "/wal/18/layout?depth=fields&page_size=20"),
    ("layout_manifest", CURSOR, "/manifest/layout?depth=fields&page_size=20"),
    ("index", PARTITIONS, "/files/0/index?page_size=3"),
    ("filter", PARTITIONS, "/files/0/filter?ask=1000"),
    ("scan_reads", PARTITIONS, "/files/0/scan_reads?entries=200"),
    ("scan_reads_off", PARTITIONS, "/files/0/scan_reads?readahead=off&entries=20"),
    ("filter_ribbon", "sst/r119_filter_ribbon_bpk10_n1000.sst", "/files/0/filter?ask=1000"),
    ("filter_prefixes", "sst/r78_filter_prefix_only.sst", "/files/0/filter?ask=1000"),
    ("filter_leveldb", "sst/ldb123_bloom.ldb", "/files/0/filter?ask=1000"),
    ("filter_probe_prefix", "sst/r78_filter_prefix_only.sst", "/files/0/filter:probe?key=zebra000"),
    ("filter_probe_legacy", "sst/r78_filter_bloom4_bpk10.sst", "/files/0/filter:probe?key=zebra"),
    ("filter_probe_leveldb", "sst/ldb123_bloom.ldb", "/files/0/filter:probe?key=key000001x"),
    ("blocks_patched", "sst/r78_external_ingested.sst", "/files/0/blocks?kind=properties"),
    ("block_hash_index", "sst/r78_data_hash_index.sst", "/files/0/blocks/0"),
    ("problem_block", TABLE, "/files/0/blocks/1"),
    ("filter_probe", PARTITIONS, "/files/0/filter:probe?key=nothing"),
    ("blocks", PARTITIONS, "/files/0/blocks?page_size=3"),
    ("block", PARTITIONS, "/files/0/blocks/0"),
    ("block_entries", PARTITIONS, "/files/0/blocks/0/entries?page_size=3"),
    ("hex", TABLE, "/files/0/hex?size=32"),
    ("scan_versions", CURSOR, "/cfs/default/scan?versions=true&page_size=3"),
    ("problem_route", CURSOR, "//nothing"),
    ("problem_cf", CURSOR, "/cfs/nothing"),
    ("problem_parameter", CURSOR, "/files?nothing=1"),
    ("problem_key", CURSOR, "/cfs/default/get?key=hex:z"),
    ("problem_method", CURSOR, "POST /files"),
]

# These list all routes: what is in them is checked by tests of their own.
NOT_GOLDEN = {"root", "openapi"}

# The words of a verb ("{}": the target), and the resource whose bytes it must print.
WHOLE = "bytes=full&page_size=10000"
CLI = [
    (CURSOR, ["db", "info", "{}"], ""),
    (FAMILIES, ["db", "info", "{}"], ""),
    (TABLE, ["sst", "info", "{}"], "/files/0"),
    (TABLE, ["sst", "info", "{}", "--properties"], "/files/0/properties?bytes=full"),
    (TABLE, ["sst", "entries", "{}", "--limit", "20"], "/files/0/entries?limit=20&" + WHOLE),
    (RANGES, ["sst", "entries", "{}"], "/files/0/entries?" + WHOLE),
    (CURSOR, ["scan", "{}", "--limit", "7"], "/cfs/default/scan?limit=7&" + WHOLE),
    (CURSOR, ["scan", "{}", "--limit", "7", "--reverse"],
     "/cfs/default/scan?limit=7&reverse=true&" + WHOLE),
    (CURSOR, ["scan", "{}", "--limit", "7", "--versions"],
     "/cfs/default/scan?limit=7&versions=true&" + WHOLE),
    (CURSOR, ["explain", "get", "{}", "key000000"], "/cfs/default/explain?key=key000000"),
    (CURSOR, ["explain", "get", "{}", "nothing"], "/cfs/default/explain?key=nothing"),
    (CURSOR, ["explain", "scan", "{}", "--from", "key000001", "--limit", "5"],
     "/cfs/default/explain/scan?from=key000001&rows=5"),
    (TABLE, ["sst", "layout", "{}"], "/files/0/layout?" + WHOLE),
    (PARTITIONS, ["sst", "index", "{}"], "/files/0/index?" + WHOLE),
    (PARTITIONS, ["sst", "filter", "{}", "--ask", "500"], "/files/0/filter?ask=500"),
    (PARTITIONS, ["sst", "probe", "{}", "nothing"], "/files/0/filter:probe?key=nothing&bytes=full"),
    (PARTITIONS, ["sst", "blocks", "{}"], "/files/0/blocks?" + WHOLE),
    (PARTITIONS, ["sst", "block", "{}", "0"], "/files/0/blocks/0/entries?" + WHOLE),
    (TABLE, ["sst", "hex", "{}", "--size", "64"], "/files/0/hex?size=64"),
    (CURSOR, ["manifest", "layout", "{}"], "/manifest/layout?depth=fields&" + WHOLE),
    (CURSOR, ["locate", "{}", "key000000"], "/cfs/default/locate?key=key000000"),
    (CURSOR, ["get", "{}", "nothing"], "/cfs/default/get?key=nothing&bytes=full"),
    (CURSOR, ["get", "{}", "x", "--cf", "gone"], "/cfs/gone/get?key=x&bytes=full"),
]
JOBS = [
    (CURSOR, ["db", "verify", "{}"], {"kind": "verify"}),
    (TABLE, ["sst", "verify", "{}"], {"kind": "verify"}),
    (FAMILIES, ["db", "info", "{}", "--digest"], {"kind": "digest"}),
    ("db/rocksdb-7.8.3/multi_cf", ["db", "space", "{}"], {"kind": "analysis", "analysis": "space"}),
    ("db/rocksdb-7.8.3/cursor", ["db", "space", "{}", "--analysis", "tombstones"],
     {"kind": "analysis", "analysis": "tombstones"}),
    ("db/rocksdb-7.8.3/cursor", ["db", "space", "{}", "--analysis", "keyspace"],
     {"kind": "analysis", "analysis": "keyspace"}),
    ("db/rocksdb-11.9/archive", ["db", "space", "{}", "--analysis", "filters"],
     {"kind": "analysis", "analysis": "filters"}),
    ("db/rocksdb-7.8.3/blob", ["db", "space", "{}", "--analysis", "compression"],
     {"kind": "analysis", "analysis": "compression"}),
    ("db/rocksdb-7.8.3/cursor", ["db", "space", "{}", "--estimate", "--samples", "3", "--seed", "7"],
     {"kind": "analysis", "analysis": "space", "estimate": True, "samples": 3, "seed": 7}),
    ("sst/r78_tiny.sst", ["sst", "salvage", "{}", "--dry-run"], {"kind": "salvage"}),
]


class Probe:
    """The router itself, over api_probe."""

    def __init__(self, paths):
        self.process = subprocess.Popen([*self.program(), *paths], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    @staticmethod
    def program():
        return [OPTIONS.probe]

    def ask(self, **line):
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if "body" in reply:
            reply["body"] = bytes.fromhex(reply["body"])
        return reply

    def get(self, target, method="GET", **more):
        return self.ask(method=method, target=target, **more)

    def job(self, body):
        started = self.get(API + "/targets/t1/jobs", "POST", body=json.dumps(body),
                           headers={"Content-Type": "application/json"})
        self.ask(step=True)
        return self.get(json.loads(started["body"])["job"]["href"] + "/result")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class Http:
    """`varve serve`, over a socket."""

    def __init__(self, paths):
        self.server = served.Server(OPTIONS.varve, paths)

    def get(self, target, method="GET", headers=(), body=None):
        answer = self.server.get(target, method, body, headers)
        return {"status": answer.status, "headers": answer.headers, "body": answer.body}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()


class Wasm(Probe):
    """The router compiled to WebAssembly, in node."""

    @staticmethod
    def program():
        return [OPTIONS.node, HERE.parent / "wasm/module_probe.mjs", OPTIONS.wasm]


def others():
    """The transports held against Probe; more join here: each takes paths and answers get()."""
    return [Http, Wasm] if OPTIONS.wasm else [Http]


def fixture(name):
    return str(OPTIONS.fixtures / name)


def full(resource):
    """("POST", "/api/v1/…") of a resource of CASES."""
    method, _, rest = resource.rpartition(" ")
    rest = API + rest[1:] if rest.startswith("//") else API + "/targets/t1" + rest
    return method or "GET", rest


def strict(schema):
    """The same schema, refusing members that it does not describe."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        closed["properties"] = {k: strict(v) for k, v in schema["properties"].items()}
        closed.setdefault("additionalProperties", False)
    return closed


def shared(body):
    """Without what a transport can do of its own: the root says so."""
    return re.sub(rb'"capabilities":{.*?}', b"", body, count=1)


class Contract(unittest.TestCase):
    maxDiff = None

    def schema(self, probe, name):
        reply = probe.get(f"{API}/schema/{name}")
        self.assertEqual(reply["status"], 200, name)
        schema = json.loads(reply["body"])
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(strict(schema))

    def check_schema_of(self, probe, reply):
        kind = reply["headers"]["Content-Type"]
        document = json.loads(reply["body"])
        if kind == "application/problem+json":
            self.schema(probe, "varve.problem/1").validate(document)
            self.assertEqual(document["status"], reply["status"])
            self.assertEqual(document["exit_code"], reply["exit_code"])
        elif "schema" in document:
            self.schema(probe, document["schema"]).validate(document)

    def test_replies_are_the_golden_ones_and_fit_their_schemas(self):
        for name, target, resource in CASES:
            with self.subTest(name), Probe([fixture(target)]) as probe:
                method, path = full(resource)
                reply = probe.get(path, method)
                self.check_schema_of(probe, reply)
                if name in NOT_GOLDEN:
                    continue
                shown = json.dumps(json.loads(reply["body"]), indent=1, ensure_ascii=False) + "\n"
                golden = GOLDEN / f"{name}.json"
                if OPTIONS.update:
                    golden.write_text(shown)
                self.assertEqual(shown, golden.read_text())

    def test_all_transports_answer_with_the_same_bytes(self):
        for name, target, resource in CASES:
            method, path = full(resource)
            with Probe([fixture(target)]) as probe:
                expected = probe.get(path, method)
            for transport in others():
                with self.subTest(name, transport=transport.__name__):
                    with transport([fixture(target)]) as other:
                        # A change must come with a body, or the door refuses it.
                        reply = other.get(path, method, **({"body": {}} if method == "POST" else {}))
                    self.assertEqual((reply["status"], shared(reply["body"])),
                                     (expected["status"], shared(expected["body"])))

    def test_over_http_head_returns_the_headers_of_get(self):
        with Http([fixture(TABLE)]) as http:
            for rest in ("/files/0", "/files/0/entries?page_size=3", "/files/0/bytes", "/nothing"):
                with self.subTest(rest):
                    path = API + "/targets/t1" + rest
                    whole, head = http.get(path), http.get(path, "HEAD")
                    self.assertEqual(head["status"], whole["status"])
                    self.assertEqual(head["body"], b"")
                    self.assertEqual(head["headers"], whole["headers"])

    def test_over_http_a_table_is_not_sent_twice_and_may_be_had_in_parts(self):
        bytes_of = (OPTIONS.fixtures / TABLE).read_bytes()
        with Http([fixture(TABLE)]) as http:
            path = API + "/targets/t1/files/0/properties"
            first = http.get(path)
            again = http.get(path, headers=["If-None-Match: " + first["headers"]["etag"]])
            self.assertEqual((again["status"], again["body"]), (304, b""))
            self.assertEqual(again["headers"]["etag"], first["headers"]["etag"])
            other = http.get(path, headers=['If-None-Match: W/"another"'])
            self.assertEqual(other["body"], first["body"])
            path = API + "/targets/t1/files/0/bytes"
            self.assertEqual(http.get(path)["body"], bytes_of)
            size = len(bytes_of)
            for asked, begin, end in (("0-0", 0, 1), ("10-19", 10, 20), ("-7", size - 7, size),
                                      (f"{size - 3}-", size - 3, size), (f"5-{size * 2}", 5, size)):
                part = http.get(path, headers=["Range: bytes=" + asked])
                self.assertEqual((part["status"], part["body"]), (206, bytes_of[begin:end]), asked)
                self.assertEqual(part["headers"]["content-range"], f"bytes {begin}-{end - 1}/{size}")
            self.assertEqual(http.get(path, headers=[f"Range: bytes={size}-"])["status"], 416)

    def run_cli(self, target, words):
        words = [fixture(target) if word == "{}" else word for word in words]
        return subprocess.run([OPTIONS.varve, *words, "--json"], capture_output=True, timeout=60)

    def check_cli(self, done, reply):
        self.assertEqual(done.returncode, reply["exit_code"])
        printed = done.stdout if reply["status"] < 400 else done.stderr
        self.assertEqual(printed, reply["body"])

    def test_the_command_line_prints_the_bytes_of_the_resource(self):
        for target, words, resource in CLI:
            with self.subTest(words), Probe([fixture(target)]) as probe:
                reply = probe.get(full(resource)[1])
                self.check_schema_of(probe, reply)
                self.check_cli(self.run_cli(target, words), reply)

    def test_the_command_line_prints_the_results_of_jobs(self):
        for target, words, body in JOBS:
            with self.subTest(words), Probe([fixture(target)]) as probe:
                reply = probe.job(body)
                self.check_schema_of(probe, reply)
                self.check_cli(self.run_cli(target, words), reply)
                if OPTIONS.wasm:
                    with Wasm([fixture(target)]) as wasm:
                        self.assertEqual(wasm.job(body)["body"], reply["body"])

    def test_every_table_of_the_fixtures_fits_the_schemas(self):
        paths = sorted((OPTIONS.fixtures / "sst").glob("*.sst"))
        paths += sorted((OPTIONS.fixtures / "sst").glob("*.ldb"))
        with Probe([str(path) for path in paths]) as probe:
            schemas = {name: self.schema(probe, name) for name in
                       ("varve.file/1", "varve.properties/1", "varve.footer/1", "varve.entries/1",
                        "varve.range_dels/1", "varve.problem/1")}
            for i, path in enumerate(paths):
                for rest in ("", "/properties", "/footer", "/entries?page_size=3", "/range_dels"):
                    with self.subTest(path.name, rest=rest):
                        reply = probe.get(f"{API}/targets/t{i + 1}/files/0{rest}")
                        document = json.loads(reply["body"])
                        name = document.get("schema", "varve.problem/1")
                        schemas[name].validate(document)
                        self.assertIn(reply["status"], (200, 422, 501), document)

    def test_every_database_of_the_fixtures_fits_the_schemas(self):
        for current in sorted((OPTIONS.fixtures / "db").rglob("CURRENT")):
            with Probe([str(current.parent)]) as probe:
                for rest in ("", "/cfs", "/files?page_size=5", "/wal", "/options", "/history",
                             "/cfs/default/levels", "/cfs/default/scan?page_size=3"):
                    with self.subTest(str(current), rest=rest):
                        self.check_schema_of(probe, probe.get(API + "/targets/t1" + rest))

    def test_every_route_and_problem_is_in_openapi(self):
        with Probe([]) as probe:
            api = json.loads(probe.get(API + "/openapi.json")["body"])
            root = json.loads(probe.get(API + "/")["body"])
            self.assertEqual(api["openapi"], "3.1.0")
            ids = []
            for path, item in api["paths"].items():
                for operation in item.values():
                    ids.append(operation["operationId"])
                    parts = [p["name"] for p in operation["parameters"] if p["in"] == "path"]
                    for part in parts:
                        self.assertIn("{" + part + "}", path)
            self.assertEqual(len(ids), len(set(ids)))
            components = api["components"]["schemas"]
            for name, schema in components.items():
                jsonschema.Draft202012Validator.check_schema(schema)
                self.assertRegex(name, "^[A-Z][A-Za-z0-9]*$")
            places = {f"#/components/schemas/{name}" for name in components}
            self.assertEqual(set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(api))), places)
            titles = {self.schema(probe, name).schema["title"] for name in root["schemas"]}
            self.assertLessEqual(titles, set(components))

    def test_a_read_leaves_the_directory_as_it_was(self):
        def stamp(folder):
            return sorted((str(p), p.stat().st_mtime_ns, p.read_bytes()) for p in
                          pathlib.Path(folder).rglob("*") if p.is_file())
        before = stamp(fixture(CURSOR))
        with Probe([fixture(CURSOR)]) as probe:
            for _, target, resource in CASES:
                method, path = full(resource)
                probe.get(path, method)
            probe.job({"kind": "verify"})
            probe.job({"kind": "digest"})
        self.assertEqual(before, stamp(fixture(CURSOR)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", required=True)
    parser.add_argument("--varve", required=True)
    parser.add_argument("--fixtures", required=True, type=pathlib.Path)
    parser.add_argument("--wasm", help="the package of the module, to be asked too")
    parser.add_argument("--node", default="node")
    parser.add_argument("--update", action="store_true")
    OPTIONS, rest = parser.parse_known_args()
    print("transports: Probe,", ", ".join(other.__name__ for other in others()))
    unittest.main(argv=[sys.argv[0], *rest])
