// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/recording_kind.h"

#include <utility>

namespace varve::simulator {
namespace {

using mix::Group;
using mix::Range;
using mix::Trouble;

class RecordingDatabase final : public mix::Database {
 public:
  RecordingDatabase(std::unique_ptr<mix::Database> base, History& history,
                    const std::function<const mix::Moment&()>& now)
      : base_(std::move(base)), history_(history), now_(now) {}

  // --- Changes
  Trouble Write(const Group& group, mix::WriteForm form) override {
    history_.Issue(now_());
    Trouble trouble = base_->Write(group, form);
    return form == mix::WriteForm::kSynced ? Durable(std::move(trouble)) : trouble;
  }
  Trouble Ingest(const std::vector<mix::TablesOf>& families, const mix::IngestForm& form) override {
    history_.Issue(now_());
    return Durable(base_->Ingest(families, form));
  }
  Trouble CreateFamily(const std::string& family) override {
    history_.Issue(now_());
    return Durable(base_->CreateFamily(family));
  }
  Trouble DropFamily(const std::string& family) override {
    history_.Issue(now_());
    return Durable(base_->DropFamily(family));
  }
  Trouble FlushAll() override { return Durable(base_->FlushAll()); }
  Trouble Close() override { return Durable(base_->Close()); }

  // --- The rest
  Trouble Get(const std::string& family, const std::string& key, const mix::Snapshot* at,
              std::optional<std::string>* value) override {
    return base_->Get(family, key, at, value);
  }
  Trouble MultiGet(const std::string& family, const std::vector<std::string>& keys,
                   const mix::Snapshot* at,
                   std::vector<std::optional<std::string>>* values) override {
    return base_->MultiGet(family, keys, at, values);
  }
  Trouble NewCursor(const std::string& family, const Range& range, const mix::Snapshot* at,
                    std::unique_ptr<mix::Cursor>* cursor) override {
    return base_->NewCursor(family, range, at, cursor);
  }
  std::unique_ptr<mix::Snapshot> TakeSnapshot() override { return base_->TakeSnapshot(); }
  Trouble ChangedSince(const std::string& family, const std::string& key, const mix::Snapshot* at,
                       std::optional<bool>* changed) override {
    return base_->ChangedSince(family, key, at, changed);
  }
  Trouble Flush(const std::string& family, bool wait) override {
    return base_->Flush(family, wait);
  }
  Trouble Compact(const std::string& family, const Range& range, bool bottommost) override {
    return base_->Compact(family, range, bottommost);
  }
  Trouble Checkpoint(const std::string& path) override { return base_->Checkpoint(path); }
  Trouble SetOptions(const std::string& family,
                     const std::vector<std::pair<std::string, std::string>>& changes) override {
    return base_->SetOptions(family, changes);
  }
  Trouble Settle() override { return base_->Settle(); }
  Trouble Unsettle() override { return base_->Unsettle(); }

 private:
  Trouble Durable(Trouble trouble) {
    if (trouble.empty()) history_.AllDurable();
    return trouble;
  }

  const std::unique_ptr<mix::Database> base_;
  History& history_;
  const std::function<const mix::Moment&()>& now_;
};

}  // namespace

Trouble RecordingKind::Open(const std::string& path, const std::set<std::string>& families,
                            std::unique_ptr<mix::Database>* database) {
  std::unique_ptr<mix::Database> opened;
  Trouble trouble = engine_.Open(path, families, &opened);
  if (trouble.empty()) {
    *database = std::make_unique<RecordingDatabase>(std::move(opened), history_, now_);
  }
  return trouble;
}

}  // namespace varve::simulator
