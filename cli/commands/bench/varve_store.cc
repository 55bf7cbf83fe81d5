// SPDX-License-Identifier: Apache-2.0
// The engine itself. (The peers' executables define these functions of their own and do not take
// this file out of the library.)
#include "cli/commands/bench/store.h"
#include "core/base/try.h"
#include "core/engine/open/open_graded.h"
#include "varve/version.h"

namespace varve::cli::bench {
namespace {

class VarveScan final : public StoreScan {
 public:
  explicit VarveScan(Iterator it) : it_(std::move(it)) {}
  void SeekToFirst() override { it_.SeekToFirst(), Expose(); }
  void SeekToLast() override { it_.SeekToLast(), Expose(); }
  void Seek(std::string_view key) override { it_.Seek(key), Expose(); }
  void Next() override { it_.Next(), Expose(); }
  void Prev() override { it_.Prev(), Expose(); }
  Status status() const override { return it_.status(); }
  void Take(size_t most, ReadCount* count) override {
    while (most > 0 && it_.Valid()) {
      const std::span<const Record> batch = it_.NextBatch(most);
      for (const Record& record : batch) count->AddRecord(record.key, record.value);
      most -= batch.size();
    }
    Expose();
  }

 private:
  void Expose() {
    if (it_.Valid()) return Show(true, it_.key(), it_.value());
    Show(false, {}, {});
  }
  Iterator it_;
};

class VarveStore final : public Store {
 public:
  VarveStore(std::unique_ptr<DB> db, const Settings& settings)
      : db_(std::move(db)),
        read_only_(settings.read_only),
        writing_{.durability = settings.durability} {}

  Status Put(std::string_view key, std::string_view value) override {
    return db_->Put(writing_, key, value);
  }
  Status PutMany(std::span<const Record> records) override {
    WriteBatch batch;
    for (const auto& [key, value] : records) batch.Put(key, value);
    return db_->Write(writing_, std::move(batch));
  }
  Status Delete(std::string_view key) override { return db_->Delete(writing_, key); }
  Status Get(std::string_view key, ReadCount* count) override {
    ASSIGN_OR_RETURN(const auto value, db_->Get({}, key));
    if (value) count->Add(key, value->view());
    return Status::Ok();
  }
  Status MultiGet(std::span<const std::string_view> keys, ReadCount* count) override {
    const auto values = db_->MultiGet({}, keys);
    for (size_t i = 0; i < keys.size(); ++i) {
      RETURN_IF_ERROR(values[i].status());
      if (const auto& value = *values[i]) count->Add(keys[i], value->view());
    }
    return Status::Ok();
  }
  Result<std::unique_ptr<StoreScan>> NewScan() override {
    ASSIGN_OR_RETURN(Iterator it, db_->NewIterator({}));
    return std::unique_ptr<StoreScan>(std::make_unique<VarveScan>(std::move(it)));
  }
  Status Flush() override { return db_->FlushAll(); }
  Status Compact() override { return db_->CompactRange({}, {}, {}); }
  Status WaitForBackgroundWork() override { return db_->WaitForBackgroundWork(); }
  bool empty() const override { return db_->Stats().last_sequence == 0; }
  TreeState State() const override { return {.levels = db_->Levels(), .stats = db_->Stats()}; }
  DB* database() override { return db_.get(); }
  Status Close() override { return read_only_ ? Status::Ok() : db_->Close(); }

 private:
  const std::unique_ptr<DB> db_;
  const bool read_only_;
  const WriteOptions writing_;
};

}  // namespace

std::string StoreName() { return "varve " VARVE_VERSION; }
bool HasOwnOptions() { return false; }

Result<std::unique_ptr<Store>> OpenStore(const Settings& settings) {
  ASSIGN_OR_RETURN(auto db,
                   settings.read_only
                       ? OpenGradedReadOnly(settings.options, settings.grades, settings.directory)
                       : OpenGraded(settings.options, settings.grades, settings.directory));
  return std::unique_ptr<Store>(std::make_unique<VarveStore>(std::move(db), settings));
}

}  // namespace varve::cli::bench
