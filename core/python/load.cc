// SPDX-License-Identifier: Apache-2.0
#include "core/python/load.h"

#include <memory>
#include <utility>

#include "core/python/errors.h"
#include "core/python/record_stream.h"

namespace nb = nanobind;

namespace varve::python {
namespace {

constexpr size_t kBytesOfWrite = 1 << 20;  // At least, of a batch of the engine.

// Works without the GIL, like what it calls.
class Loader {
 public:
  Loader(const Family& family, RecordStream& stream, Durability durability)
      : family_(family), stream_(stream), durability_(durability) {}

  // False behind the last batch.
  Result<bool> LoadBatch(DB& db) {
    const Result<std::optional<int64_t>> rows = stream_.Next();
    if (!rows.ok()) return rows.status();
    if (!*rows) return false;
    if (Status written = Write(db, **rows); !written.ok()) {
      return stream_.InBatch(std::move(written));
    }
    return true;
  }

  uint64_t records() const { return records_; }

 private:
  Status Write(DB& db, int64_t rows) {
    WriteBatch changes;
    for (int64_t row = 0; row < rows; ++row) {
      const Result<RecordStream::Record> record = stream_.At(row);
      if (!record.ok()) return record.status();
      changes.Put(record->key, record->value, family_.id());
      if (changes.bytes().size() < kBytesOfWrite && row + 1 < rows) continue;
      if (Status written = WriteChanges(db, &changes); !written.ok()) return written;
    }
    return Status::Ok();
  }

  Status WriteChanges(DB& db, WriteBatch* changes) {
    const uint32_t count = changes->count();
    const WriteOptions options = {.durability = durability_};
    Status written = OrEnd([&] { return db.Write(options, std::move(*changes)); });
    if (written.ok()) records_ += count;
    return written;
  }

  const Family& family_;
  RecordStream& stream_;
  const Durability durability_;
  uint64_t records_ = 0;
};

}  // namespace

uint64_t Load(const Family& family, const nb::object& table, const std::optional<Name>& key,
              const std::optional<Name>& value, const std::optional<Name>& key_schema,
              const std::optional<Name>& value_schema, Durability durability) {
  arrow::RecordShape shape = ShapeOfColumns(key, value, key_schema, value_schema);
  family.open()->CheckOpen();
  RecordStream stream(table);
  Check(Unlocked([&] { return stream.Begin(std::move(shape)); }));
  Loader loader(family, stream, durability);
  for (bool more = true; more;) {
    const std::shared_ptr<DB> db = family.open()->Use();
    more = Unwrap(Unlocked([&] { return loader.LoadBatch(*db); }));
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }
  return loader.records();
}

}  // namespace varve::python
