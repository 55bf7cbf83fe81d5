// SPDX-License-Identifier: Apache-2.0
#include "core/python/table_writer.h"

#include <nanobind/stl/optional.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "core/python/errors.h"
#include "core/python/open_db.h"
#include "core/python/options.h"
#include "core/python/pickling.h"
#include "varve/environment.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT: "name"_a

namespace varve::python {
namespace {

Duplicates DuplicatesOf(const Name& word) {
  if (word.text == "refuse") return Duplicates::kRefuse;
  if (word.text == "last") return Duplicates::kLast;
  throw nb::value_error("duplicates: 'refuse' or 'last' is needed");
}

nb::object BytesOrNone(const std::optional<std::string>& bytes) {
  return bytes ? nb::object(ToBytes(*bytes)) : nb::none();
}

nb::list KeysOf(const nb::object& table, const std::optional<Name>& key,
                const std::optional<Name>& key_schema) {
  arrow::RecordShape shape = ShapeOfColumns(key, {}, key_schema, {});
  shape.has_values = false;
  RecordStream stream(table);
  Check(Unlocked([&] { return stream.Begin(std::move(shape)); }));
  nb::list keys;
  while (const auto rows = Unwrap(Unlocked([&] { return stream.Next(); }))) {
    for (int64_t row = 0; row < *rows; ++row) {
      const Result<std::string_view> made = stream.KeyAt(row);
      Check(stream.InBatch(made.status()));
      keys.append(ToBytes(*made));
    }
  }
  return keys;
}

}  // namespace

TableWriter::TableWriter(const Path& path, arrow::RecordShape shape, Duplicates duplicates,
                         const nb::kwargs& options)
    : path_(path.text), shape_(std::move(shape)), duplicates_(duplicates), process_(getpid()) {
  Options chosen;
  SetOptions(options, &chosen);
  Result<SstFileWriter> created =
      Unlocked([&] { return SstFileWriter::Create(NativeEnvironment(), chosen.family, path_); });
  writer_ = std::make_unique<SstFileWriter>(Unwrap(std::move(created)));
}

TableWriter::~TableWriter() {
  if (forked()) {
    writer_.release();  // NOLINT: its destructor would remove the parent's file.
  } else if (writer_ != nullptr) {
    Unlocked([&] { writer_.reset(); });
  }
}

bool TableWriter::forked() const { return getpid() != process_; }

uint64_t TableWriter::Write(const nb::object& table) {
  RecordStream stream(table);
  Run([&](SstFileWriter&) { return stream.Begin(shape_); });
  uint64_t added = 0;
  for (bool more = true; more;) {
    Run([&](SstFileWriter& writer) {
      const Result<std::optional<int64_t>> rows = stream.Next();
      if (!rows.ok()) return rows.status();
      more = rows->has_value();
      if (!more) return Status::Ok();
      added += static_cast<uint64_t>(**rows);
      return stream.InBatch(AddRows(writer, stream, **rows));
    });
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return added;
}

void TableWriter::Put(const Bytes& key, const Bytes& value) {
  Run([&](SstFileWriter& writer) {
    Status added = Add(writer, key.view(), value.view());
    if (added.ok()) largest_ = key.view();
    return added;
  });
}

void TableWriter::Finish() {
  Run([&](SstFileWriter& writer) {
    if (Status added = AddKept(writer); !added.ok()) return added;
    return writer.Finish();
  });
  Close();
}

void TableWriter::Close() {
  if (busy_) throw std::runtime_error("another thread is using this writer");
  if (forked() || writer_ == nullptr) return;
  Unlocked([writer = std::move(writer_)]() mutable { writer.reset(); });
}

void TableWriter::Run(const std::function<Status(SstFileWriter&)>& work) {
  if (busy_) throw std::runtime_error("another thread is using this writer");
  if (forked()) {
    Raise(Status::NotSupported(path_ + ": the table was begun before this process was forked"));
  }
  if (writer_ == nullptr) Raise(Status::Shutdown(path_ + ": the table is closed"));
  // Gone after an error: a part of a table is of no use, and the engine's writer cannot go on.
  std::unique_ptr<SstFileWriter> writer = std::move(writer_);
  Status done = Status::Ok();
  {
    const Raised busy(&busy_);
    done = Unlocked([&] {
      Status status = work(*writer);
      size_ = writer->file_size();
      if (!status.ok()) writer.reset();
      return status;
    });
  }
  writer_ = std::move(writer);
  Check(done);
}

Status TableWriter::Add(SstFileWriter& writer, std::string_view key, std::string_view value) {
  if (duplicates_ == Duplicates::kLast) {
    if (!has_kept_ || kept_key_ != key) {
      if (Status added = AddKept(writer); !added.ok()) return added;
    }
    kept_key_ = key;
    kept_value_ = value;
    has_kept_ = true;
  } else {
    if (Status added = writer.Put(key, value); !added.ok()) return added;
    ++records_;
  }
  if (!smallest_) smallest_ = key;
  return Status::Ok();
}

Status TableWriter::AddKept(SstFileWriter& writer) {
  if (!has_kept_) return Status::Ok();
  has_kept_ = false;
  ++records_;
  return writer.Put(kept_key_, kept_value_);
}

Status TableWriter::AddRows(SstFileWriter& writer, RecordStream& stream, int64_t rows) {
  for (int64_t row = 0; row < rows; ++row) {
    const Result<RecordStream::Record> record = stream.At(row);
    if (!record.ok()) return record.status();
    if (Status added = Add(writer, record->key, record->value); !added.ok()) {
      return added.At("row " + std::to_string(row));
    }
    if (row + 1 == rows) largest_ = record->key;
  }
  return Status::Ok();
}

void BindTableWriter(nb::module_& module) {
  nb::class_<TableWriter>(
      module, "TableWriter",
      "Writes a table (an SST file) outside any database, for ingest(). Records come in the order of "
      "their keys.\nUse it with `with`: what is not finished at its end, or after an error, is removed. "
      "`options` are those of\nopen(), such as compression=\"zstd\". `key`, `value` and the schemas are "
      "as for load(). Of records with one key,\none behind the other, duplicates=\"last\" keeps the "
      "last; otherwise they are an error.")
      .def(
          "__init__",
          [](TableWriter* self, const Path& path, const std::optional<Name>& key,
             const std::optional<Name>& value, const std::optional<Name>& key_schema,
             const std::optional<Name>& value_schema, const Name& duplicates,
             const nb::kwargs& options) {
            new (self) TableWriter(path, ShapeOfColumns(key, value, key_schema, value_schema),
                                   DuplicatesOf(duplicates), options);
          },
          "path"_a, nb::kw_only(), "key"_a = nb::none(), "value"_a = nb::none(),
          "key_schema"_a = nb::none(), "value_schema"_a = nb::none(), "duplicates"_a = "refuse",
          "options"_a,
          nb::sig(
              "def __init__(self, path: _typeshed.StrOrBytesPath, *, key: str | None = None, "
              "value: str | None = None, key_schema: str | None = None, value_schema: str | None "
              "= None, duplicates: typing.Literal['refuse', 'last'] = 'refuse', **options: bool | "
              "int | float | str) -> None"))
      .def("write", &TableWriter::Write, "table"_a,
           "Adds the records of an object with __arrow_c_stream__, and returns how many it had.")
      .def("put", &TableWriter::Put, "key"_a, "value"_a, "Adds one record.")
      .def("finish", &TableWriter::Finish,
           "Completes the file and syncs it. It must have a record.")
      .def("close", &TableWriter::Close, "Removes the file unless it is finished.")
      .def(
          "__enter__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __enter__(self) -> TableWriter"))
      .def(
          "__exit__", [](TableWriter& self, const nb::args&) { self.Close(); },
          nb::sig("def __exit__(self, *args: object) -> None"))
      .def_prop_ro("size", &TableWriter::file_size, "Bytes written so far.")
      .def_prop_ro("records", &TableWriter::records, "How many it has, once it is finished.")
      .def_prop_ro(
          "smallest_key", [](const TableWriter& self) { return BytesOrNone(self.smallest_key()); },
          nb::sig("def smallest_key(self) -> bytes | None"), "None before the first record.")
      .def_prop_ro(
          "largest_key", [](const TableWriter& self) { return BytesOrNone(self.largest_key()); },
          nb::sig("def largest_key(self) -> bytes | None"), "None before the first record.")
      .def("__reduce__", &RefusePickling, nb::sig("def __reduce__(self) -> typing.NoReturn"));
  module.def(
      "keys_of", &KeysOf, "table"_a, nb::kw_only(), "key"_a = nb::none(),
      "key_schema"_a = nb::none(),
      nb::sig("def keys_of(table: object, *, key: str | None = None, key_schema: str | None = "
              "None) -> list[bytes]"),
      "The keys that load() would make of the columns of an object with __arrow_c_stream__. "
      "Of the first parts\nof a schema they are prefixes of keys.");
}

}  // namespace varve::python
