// SPDX-License-Identifier: Apache-2.0
#include "core/python/family.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "core/python/errors.h"
#include "core/python/interruptible.h"
#include "core/python/load.h"
#include "core/python/options.h"
#include "core/python/stats.h"
#include "varve/option_table.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

std::optional<std::string_view> ViewOf(const std::optional<Bytes>& bytes) {
  return bytes ? std::optional(bytes->view()) : std::nullopt;
}

}  // namespace

void Family::Write(WriteBatch changes, const WriteOptions& options) const {
  const std::shared_ptr<DB> db = open()->Use();
  Check(UnlockedChange([&] { return db->Write(options, std::move(changes)); }));
}

void Family::Put(const Bytes& key, const Bytes& value, Durability durability) const {
  Batch batch;
  batch.Put(key, value, this);
  Write(std::move(batch).Take(), {.durability = durability});
}

void Family::Delete(const Bytes& key, Durability durability) const {
  Batch batch;
  batch.Delete(key, this);
  Write(std::move(batch).Take(), {.durability = durability});
}

void Family::DeleteRange(const Bytes& start, const Bytes& stop, Durability durability) const {
  Batch batch;
  batch.DeleteRange(start, stop, this);
  Write(std::move(batch).Take(), {.durability = durability});
}

void Family::Merge(const Bytes& key, const Bytes& operand, Durability durability) const {
  Batch batch;
  batch.Merge(key, operand, this);
  Write(std::move(batch).Take(), {.durability = durability});
}

void Family::Flush(bool wait) const {
  const std::shared_ptr<DB> db = open()->Use();
  Check(UnlockedChange([&] { return db->Flush({.wait = wait}, id()); }));
}

void Family::Compact(const std::optional<Bytes>& begin, const std::optional<Bytes>& end,
                     bool force_bottommost) const {
  const std::shared_ptr<DB> db = open()->Use();
  RunInterruptible([&](const std::atomic<bool>& cancelled) {
    const CompactRangeOptions options = {.force_bottommost = force_bottommost,
                                         .cancelled = &cancelled};
    return db->CompactRange(options, ViewOf(begin), ViewOf(end), id());
  });
}

void Family::Ingest(const std::vector<Path>& paths, bool move) const {
  const std::shared_ptr<DB> db = open()->Use();
  std::vector<std::string> names;
  for (const Path& path : paths) names.push_back(path.text);
  RunInterruptible([&](const std::atomic<bool>& cancelled) {
    return db->Ingest({.move_files = move, .cancelled = &cancelled}, names, id());
  });
}

nb::dict Family::Options() const {
  const std::shared_ptr<DB> db = open()->Use();
  varve::Options options;
  options.family = Unwrap(db->OptionsOf(id()));
  return TextOf(options, /*of_database=*/false);
}

void Family::SetOptions(const nb::kwargs& changes) const {
  const std::shared_ptr<DB> db = open()->Use();
  const auto texts = OptionTexts(changes);
  Check(UnlockedChange([&] { return db->SetOptions(texts, id()); }));
}

nb::dict Family::Stats() const {
  const std::shared_ptr<DB> db = open()->Use();
  for (const FamilyStats& stats : db->StatsOfFamilies()) {
    if (stats.id == id()) return ToDict(stats);
  }
  Raise(Status::InvalidArgument("there is no column family \"" + name() + "\""));
}

nb::list Family::Levels() const {
  const std::shared_ptr<DB> db = open()->Use();
  const std::vector<LevelInfo> levels = db->Levels(id());
  if (levels.empty()) {
    Raise(Status::InvalidArgument("there is no column family " + std::to_string(id())));
  }
  return ToList(levels);
}

nb::list Family::Files() const {
  const std::shared_ptr<DB> db = open()->Use();
  return ToList(Unwrap(Unlocked([&] { return db->LiveFiles(id()); })));
}

uint64_t Family::ApproximateSize(const std::optional<Bytes>& start,
                                 const std::optional<Bytes>& stop) const {
  const std::shared_ptr<DB> db = open()->Use();
  return Unwrap(Unlocked([&] { return db->ApproximateSize(ViewOf(start), ViewOf(stop), id()); }));
}

void BindFamily(nb::module_& module) {
  const auto durability = [] { return nb::arg("durability") = Durability::kBuffered; };
  nb::class_<Family, View>(
      module, "Family",
      "A column family, to be used like a dict from bytes to bytes.\n\n"
      "`del` does not look whether the key is there, so that it raises no KeyError. `durability` says "
      "how far a\nwrite has got when a function returns: \"sync\" is on stable storage, \"buffered\" is "
      "with the system and\nsurvives a crash of this process, \"none\" is in memory only until it is "
      "flushed.")
      .def(
          "__setitem__",
          [](const Family& self, const Bytes& key, const Bytes& value) {
            self.Put(key, value, Durability::kBuffered);
          },
          "key"_a, "value"_a,
          nb::sig("def __setitem__(self, key: _typeshed.ReadableBuffer, "
                  "value: _typeshed.ReadableBuffer, /) -> None"))
      .def(
          "__delitem__",
          [](const Family& self, const Bytes& key) { self.Delete(key, Durability::kBuffered); },
          "key"_a, nb::sig("def __delitem__(self, key: _typeshed.ReadableBuffer, /) -> None"))
      .def("put", &Family::Put, "key"_a, "value"_a, nb::kw_only(), durability(),
           "Sets the value of a key.")
      .def("delete", &Family::Delete, "key"_a, nb::kw_only(), durability(),
           "Deletes a key, whether it is there or not.")
      .def("delete_range", &Family::DeleteRange, "start"_a, "stop"_a, nb::kw_only(), durability(),
           "Deletes the keys from `start`, inclusive, to `stop`, exclusive.")
      .def("merge", &Family::Merge, "key"_a, "operand"_a, nb::kw_only(), durability(),
           "Adds an operand for the family's merge operator (option merge_operator).")
      .def("flush", &Family::Flush, nb::kw_only(), "wait"_a = true,
           "Writes what is in memory into a table. Without `wait` it is only scheduled.")
      .def(
          "compact", &Family::Compact, "begin"_a = nb::none(), "end"_a = nb::none(), nb::kw_only(),
          "force_bottommost"_a = false,
          "Flushes, and compacts the keys from `begin` to `end`, both inclusive; None is unbounded.")
      .def(
          "ingest", &Family::Ingest, "paths"_a, nb::kw_only(), "move"_a = false,
          "Adds finished tables (SST files), all or none. Their records are newer than all others.")
      .def(
          "load", &Load, "table"_a, nb::kw_only(), "key"_a = nb::none(), "value"_a = nb::none(),
          "key_schema"_a = nb::none(), "value_schema"_a = nb::none(), durability(),
          "Writes the records of a table of Arrow, of any object with __arrow_c_stream__, and "
          "returns how many\nthere are. `key` and `value`, or what these arguments name, are columns "
          "of bytes or strings without nulls; or\nkeys and values are made of the columns of a "
          "schema, as scan() splits them. They are written in batches: if it\nraises, some may have "
          "been.")
      .def("options", &Family::Options, nb::sig("def options(self) -> dict[str, str]"),
           "The current options, by RocksDB's names, as in an OPTIONS file.")
      .def("set_options", &Family::SetOptions,
           nb::sig("def set_options(self, **changes: bool | int | float | str) -> None"),
           "Changes options while the database is open, and stores them.")
      .def("family_stats", &Family::Stats,
           nb::sig("def family_stats(self) -> dict[str, typing.Any]"),
           "Statistics of this family since the database was opened.")
      .def("levels", &Family::Levels, nb::sig("def levels(self) -> list[dict[str, int]]"),
           "Files and bytes of each level.")
      .def("files", &Family::Files, nb::sig("def files(self) -> list[dict[str, typing.Any]]"),
           "The tables, level by level.")
      .def(
          "_repr_html_",
          [](nb::handle self) { return nb::module_::import_("varve._map").attr("html")(self); },
          nb::sig("def _repr_html_(self) -> str | None"),
          "For notebooks: the levels with their tables, by their keys.")
      .def(
          "approximate_size", &Family::ApproximateSize, "start"_a = nb::none(),
          "stop"_a = nb::none(),
          "Roughly how many bytes of files the keys from `start`, inclusive, to `stop`, exclusive, "
          "take.");
}

}  // namespace varve::python
