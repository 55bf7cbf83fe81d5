// SPDX-License-Identifier: Apache-2.0
#include "webview/api/engine/engine_records.h"

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "varve/db.h"

namespace varve::api {
namespace {

class EngineCursor : public RecordCursor {
 public:
  EngineCursor(std::shared_ptr<DB> db, RecordRange range)
      : db_(std::move(db)), range_(std::move(range)) {}

  Status Open(ColumnFamilyId family, std::optional<Sequence> at) {
    ReadOptions options{.fill_cache = range_.fill_cache};
    if (range_.from) options.lower_bound = *range_.from;
    if (range_.to) options.upper_bound = *range_.to;
    if (range_.prefix) options.prefix = *range_.prefix;
    if (at) {
      ASSIGN_OR_RETURN(snapshot_, db_->GetSnapshotAt(*at));
      options.snapshot = &*snapshot_;
    }
    ASSIGN_OR_RETURN(it_, db_->NewIterator(options, family));
    return Status::Ok();
  }

  bool Next(std::string_view* key, std::string_view* value) override {
    if (!started_) {
      started_ = true;
      Start();
    } else if (it_->Valid()) {
      range_.reverse ? it_->Prev() : it_->Next();
    }
    if (!it_->Valid()) return false;
    *key = it_->key();
    *value = it_->value();
    return true;
  }
  const Status& status() const override { return it_->status(); }

 private:
  void Start() {
    if (range_.start) {
      range_.reverse ? it_->SeekForPrev(*range_.start) : it_->Seek(*range_.start);
    } else {
      range_.reverse ? it_->SeekToLast() : it_->SeekToFirst();
    }
  }

  // Destroyed in reverse order: the iterator before what it reads from.
  const std::shared_ptr<DB> db_;
  const RecordRange range_;
  std::optional<Snapshot> snapshot_;
  std::optional<Iterator> it_;
  bool started_ = false;
};

class EngineReader : public RecordReader {
 public:
  explicit EngineReader(std::shared_ptr<DB> db) : db_(std::move(db)) {}

  Sequence sequence() const override { return db_->Stats().last_sequence; }

  Result<std::optional<Value>> Get(const std::string& family, std::string_view key,
                                   std::optional<Sequence> at) override {
    ASSIGN_OR_RETURN(const ColumnFamilyId id, Find(family));
    ASSIGN_OR_RETURN(const std::optional<Snapshot> snapshot, SnapshotAt(at));
    return db_->Get({.snapshot = snapshot ? &*snapshot : nullptr}, key, id);
  }

  std::vector<Result<std::optional<Value>>> MultiGet(const std::string& family,
                                                     const std::vector<std::string>& keys,
                                                     std::optional<Sequence> at) override {
    const Result<ColumnFamilyId> id = Find(family);
    const Result<std::optional<Snapshot>> snapshot = SnapshotAt(at);
    if (!id.ok()) return {keys.size(), id.status()};
    if (!snapshot.ok()) return {keys.size(), snapshot.status()};
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    return db_->MultiGet({.snapshot = *snapshot ? &**snapshot : nullptr}, views, *id);
  }

  Result<std::unique_ptr<RecordCursor>> Scan(const std::string& family, const RecordRange& range,
                                             std::optional<Sequence> at) override {
    ASSIGN_OR_RETURN(const ColumnFamilyId id, Find(family));
    auto cursor = std::make_unique<EngineCursor>(db_, range);
    RETURN_IF_ERROR(cursor->Open(id, at));
    return std::unique_ptr<RecordCursor>(std::move(cursor));
  }

 private:
  Result<ColumnFamilyId> Find(const std::string& family) const {
    if (const auto id = db_->FindFamily(family)) return *id;
    return Status::InvalidArgument("there is no column family '" + EscapeForDisplay(family) + "'");
  }
  Result<std::optional<Snapshot>> SnapshotAt(std::optional<Sequence> at) const {
    if (!at) return std::optional<Snapshot>();
    ASSIGN_OR_RETURN(Snapshot snapshot, db_->GetSnapshotAt(*at));
    return std::optional<Snapshot>(std::move(snapshot));
  }

  const std::shared_ptr<DB> db_;
};

}  // namespace

std::shared_ptr<RecordReader> RecordsOf(DB& db) {
  // A non-owning pointer: the caller owns it.
  return std::make_shared<EngineReader>(std::shared_ptr<DB>(std::shared_ptr<DB>(), &db));
}

RecordOpener EngineRecords(const Options& options) {
  return
      [options](FileSystem& fs, const std::string& path) -> Result<std::shared_ptr<RecordReader>> {
        Options here = options;
        here.env.file_system = &fs;
        ASSIGN_OR_RETURN(std::unique_ptr<DB> db, DB::OpenReadOnly(here, path));
        return std::shared_ptr<RecordReader>(std::make_shared<EngineReader>(std::move(db)));
      };
}

RecordOpener EngineRecords(const Environment& environment) {
  Options options;
  options.env = environment;
  return EngineRecords(options);
}

}  // namespace varve::api
