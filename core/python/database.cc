// SPDX-License-Identifier: Apache-2.0
#include "core/python/database.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "core/python/compaction.h"
#include "core/python/errors.h"
#include "core/python/interruptible.h"
#include "core/python/options.h"
#include "core/python/stats.h"
#include "varve/url.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

// The options of one family, of a dict of their names and values.
ColumnFamilyOptions FamilyOptions(const nb::dict& values) {
  Options options;
  SetOptions(values, &options);
  return options.family;
}

// The path by which the database is read: of a URL, that of its mount.
Result<std::string> PlaceOf(const Path& path, bool read_only,
                            const std::optional<Path>& http_cache) {
  if (!IsUrl(path.text)) {
    if (!http_cache) return path.text;
    return Status::InvalidArgument("http_cache: is about URLs, and the path is none");
  }
  Result<HttpOptions> http = HttpOptions::FromEnvironment();
  if (!http.ok()) return http.status();
  if (http_cache) http->cache_directory = http_cache->text;
  Result<std::string> place = MountUrl(path.text, *http);
  if (!place.ok() || read_only) return place;
  return Status::InvalidArgument(*place + ": what is at a URL is only read: read_only=True");
}

Database Open(const Path& path, bool read_only, const nb::dict& families,
              const std::optional<Path>& http_cache, const nb::object& compaction_service,
              const nb::kwargs& values) {
  const std::string place = Unwrap(PlaceOf(path, read_only, http_cache));
  Options options;
  SetOptions(values, &options);
  for (const auto& [name, of_family] : families) {
    if (!nb::isinstance<nb::str>(name) || !nb::isinstance<nb::dict>(of_family)) {
      throw nb::type_error("families: a dict of names and dicts of options is needed");
    }
    Options one = options;
    SetOptions(nb::borrow<nb::dict>(of_family), &one);
    options.families[ToText(name)] = one.family;
    options.chosen = one.chosen;
  }
  CompactionChoice compactions(compaction_service, &options);
  Result<std::unique_ptr<DB>> opened = UnlockedChange(
      [&] { return read_only ? DB::OpenReadOnly(options, place) : DB::Open(options, place); });
  return Database(
      std::make_shared<OpenDb>(std::move(compactions).Own(Unwrap(std::move(opened))), read_only));
}

void SnapshotOf(const Path& directory, const Path& path) {
  Check(UnlockedChange(
      [&] { return DB::CheckpointOf(NativeEnvironment(), directory.text, path.text); }));
}

}  // namespace

void Database::Write(const Batch& batch, Durability durability, bool no_slowdown) const {
  Family::Write(batch.ChangesFor(open()), {.durability = durability, .no_slowdown = no_slowdown});
}

Family Database::FamilyNamed(const Name& name) const {
  return {open(), FindFamily(*open(), name.text), name.text};
}

std::vector<Name> Database::FamilyNames() const {
  std::vector<Name> names;
  for (FamilyInfo& family : open()->Use()->Families()) names.push_back({std::move(family.name)});
  return names;
}

Family Database::CreateFamily(const Name& name, const nb::kwargs& options) const {
  const std::shared_ptr<DB> db = open()->Use();
  const ColumnFamilyOptions made = FamilyOptions(options);
  const ColumnFamilyId id =
      Unwrap(UnlockedChange([&] { return db->CreateColumnFamily(name.text, made); }));
  return {open(), id, name.text};
}

void Database::DropFamily(const Name& name) const {
  const std::shared_ptr<DB> db = open()->Use();
  const ColumnFamilyId id = FindFamily(*open(), name.text);
  Check(UnlockedChange([&] { return db->DropColumnFamily(id); }));
}

void Database::FlushAll() const {
  const std::shared_ptr<DB> db = open()->Use();
  Check(UnlockedChange([&] { return db->FlushAll(); }));
}

void Database::SyncWal() const {
  const std::shared_ptr<DB> db = open()->Use();
  Check(UnlockedChange([&] { return db->SyncWal(); }));
}

void Database::WaitForBackgroundWork() const {
  const std::shared_ptr<DB> db = open()->Use();
  Check(UnlockedChange([&] { return db->WaitForBackgroundWork(); }));
}

void Database::Checkpoint(const Path& path) const {
  const std::shared_ptr<DB> db = open()->Use();
  Check(UnlockedChange([&] { return db->Checkpoint(path.text); }));
}

void Database::IngestFamilies(const nb::dict& tables, bool move) const {
  const std::shared_ptr<DB> db = open()->Use();
  std::vector<FamilyTables> families;
  for (const auto& [name, paths] : tables) {
    if (!nb::isinstance<nb::str>(name)) {
      throw nb::type_error("tables: a dict of names and lists of paths is needed");
    }
    FamilyTables& family = families.emplace_back();
    family.family = FindFamily(*open(), ToText(name));
    for (const nb::handle path : paths) family.paths.push_back(nb::cast<Path>(path).text);
  }
  RunInterruptible([&](const std::atomic<bool>& cancelled) {
    return db->IngestFamilies({.move_files = move, .cancelled = &cancelled}, families);
  });
}

nb::dict Database::Stats() const { return ToDict(open()->Use()->Stats()); }

nb::dict Database::Recovery() const { return ToDict(open()->Use()->recovery()); }

void BindDatabase(nb::module_& module) {
  nb::class_<Database, Family>(
      module, "DB",
      "An open database, and its family \"default\". Any number of threads may use it: the GIL is "
      "released while\nthe engine works. Use it with `with`, or close() it. After that, it and all that "
      "was made of it, families,\nsnapshots and iterators, raise Shutdown. If it is not closed, it is "
      "when the last of them is gone.")
      .def("close", &Database::Close,
           "Syncs what was written, and closes. A second call does nothing.")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> DB"))
      .def(
          "__exit__", [](const Database& self, const nb::args&) { self.Close(); },
          nb::sig("def __exit__(self, *args: object) -> None"))
      .def("write", &Database::Write, "batch"_a, nb::kw_only(),
           "durability"_a = Durability::kBuffered, "no_slowdown"_a = false,
           "Applies all changes of a batch together or not at all, in all families. With "
           "`no_slowdown` it raises\nBusy instead of waiting for flushes and compactions.")
      .def("snapshot", &Database::TakeSnapshot, "The current state of the whole database.")
      .def("family", &Database::FamilyNamed, "name"_a, "The column family of that name.")
      .def("families", &Database::FamilyNames, "The names of all column families.")
      .def("create_family", &Database::CreateFamily,
           nb::sig("def create_family(self, name: str, /, **options: bool | int | float | str) -> "
                   "Family"),
           "Makes a column family.")
      .def("drop_family", &Database::DropFamily, "name"_a,
           "Removes a column family and all that is in it.")
      .def(
          "ingest_families", &Database::IngestFamilies, "tables"_a, nb::kw_only(), "move"_a = false,
          nb::sig("def ingest_families(self, tables: collections.abc.Mapping[str, "
                  "collections.abc.Sequence[_typeshed.StrOrBytesPath]], *, move: bool = False) -> "
                  "None"),
          "ingest() into several families, by their names, in one step: a reader, or whoever opens "
          "the database\nafter a crash, sees the tables of all of them or of none.")
      .def("flush_all", &Database::FlushAll, "flush() of every family.")
      .def("sync_wal", &Database::SyncWal, "Makes all earlier writes durable.")
      .def("wait_for_background_work", &Database::WaitForBackgroundWork,
           "Waits until no flush or compaction is running or due.")
      .def(
          "checkpoint", &Database::Checkpoint, "path"_a,
          "Makes a complete copy in a new directory; tables are hard links where that is possible.")
      .def("stats", &Database::Stats, nb::sig("def stats(self) -> dict[str, typing.Any]"),
           "Statistics since the database was opened.")
      .def("recovery", &Database::Recovery, nb::sig("def recovery(self) -> dict[str, typing.Any]"),
           "What opening replayed from the logs, and what it left out.")
      .def_prop_ro(
          "path", [](const Database& self) { return ToStr(self.open()->path()); },
          nb::sig("def path(self) -> str"), "The directory.")
      .def_prop_ro(
          "closed", [](const Database& self) { return self.open()->closed(); },
          "Whether close() was called.")
      .def_prop_ro(
          "read_only", [](const Database& self) { return self.open()->read_only(); },
          "Whether it was opened for reading only.")
      .def("__repr__", [](const Database& self) {
        return nb::str("<varve.DB {!r}{}>")
            .format(ToStr(self.open()->path()), self.open()->closed() ? ", closed" : "");
      });
  module.def(
      "open", &Open, "path"_a, nb::kw_only(), "read_only"_a = false, "families"_a = nb::dict(),
      "http_cache"_a = nb::none(), "compaction_service"_a = nb::none(), "options"_a,
      nb::sig(
          "def open(path: _typeshed.StrOrBytesPath, *, read_only: bool = False, families: "
          "dict[str, dict[str, typing.Any]] = {}, http_cache: _typeshed.StrOrBytesPath | None = "
          "None, compaction_service: str | collections.abc.Callable[[CompactionJob], bytes | None] "
          "| None = None, **options: bool | int | float | str) -> DB"),
      "Opens the database in a directory, or with `read_only` at an http, https or s3 URL.\n\n"
      "`options` are those of the engine, by RocksDB's names: create_if_missing=True, "
      "compression=\"zstd\", ...\n(`varve options` lists them). A name with a dot is given as "
      "**{\"compression_opts.level\": 3}. `families` are\noptions of column families, by their names. "
      "With `read_only` nothing is written or locked, and databases\nwith damaged logs are opened, too: "
      "see DB.recovery(). `http_cache` is a directory for\nwhat is read from a URL, for later runs.\n\n"
      "`compaction_service` is who compacts: a str as for the option of that name, "
      "\"folder:DIRECTORY\",\n\"command:COMMAND\" or \"http://HOST:PORT#token-file=FILE\"; or a "
      "function that is called with a CompactionJob in\na thread of its own, several at once. It "
      "returns the bytes of a result (run_sent_compaction_job()), or None\nif a worker has written it "
      "into the folder of the job. What it raises, or a result that is refused, is counted\n"
      "(DB.stats()), and the database compacts itself unless compaction_service_fallback is False. "
      "The function must\nnot use the database. close() and the end of the interpreter do not wait "
      "for it.");
  module.def(
      "snapshot", &SnapshotOf, "directory"_a, "path"_a,
      "Makes a copy of the database in `directory`, as of one moment, in the new directory "
      "`path`. Another process\nmay have it open and write to it: no lock is taken. Tables are "
      "hard links where that is possible.");
}

}  // namespace varve::python
