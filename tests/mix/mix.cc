// SPDX-License-Identifier: Apache-2.0
#include "tests/mix/mix.h"

#include <cstdio>
#include <utility>

#include "core/base/text/text.h"

namespace varve::mix {
namespace {

constexpr size_t kMostSnapshots = 4;
constexpr size_t kMostCursors = 4;
constexpr size_t kMostFamilies = 4;

#define TRY(expression)                                                   \
  do {                                                                    \
    if (Trouble trouble = (expression); !trouble.empty()) return trouble; \
  } while (false)

std::string Words(const Operation& op) {
  static constexpr std::array<const char*, 5> kNames = {"put", "delete", "single delete",
                                                        "delete range", "merge"};
  return std::string(kNames[static_cast<size_t>(op.kind)]) + " " + op.family + " " +
         EscapeForDisplay(op.key) + " " + EscapeForDisplay(op.value.substr(0, 40));
}

Trouble Judge(const Contents& contents, const std::string& key,
              const std::optional<std::string>& answer, const std::string& where) {
  const auto right = contents.find(key);
  const std::string about = where + ": " + EscapeForDisplay(key);
  if (right == contents.end()) return answer.has_value() ? about + " should be absent" : "";
  if (!answer.has_value()) return about + " is missing";
  if (*answer == right->second) return {};
  return about + " is " + EscapeForDisplay(*answer) + ", not " + EscapeForDisplay(right->second);
}

}  // namespace

const std::vector<Mix::Verb>& Mix::Verbs() {
  static const std::vector<Verb> verbs = {
      {"write", 440, &Mix::Write, true},
      {"ingest", 14, &Mix::Ingest, true},
      {"create family", 5, &Mix::CreateFamily, true},
      {"drop family", 5, &Mix::DropFamily, true},
      {"flush", 14, &Mix::Flush},
      {"flush all", 5, &Mix::FlushAll},
      {"compact", 12, &Mix::Compact},
      {"set options", 4, &Mix::SetOptions},
      {"get", 26, &Mix::Get},
      {"changed since", 4, &Mix::ChangedSince},
      {"multiget", 16, &Mix::MultiGet},
      {"scan", 6, &Mix::Scan},
      {"snapshot", 14, &Mix::TakeSnapshot},
      {"new cursor", 18, &Mix::NewCursor},
      {"move cursor", 40, &Mix::MoveCursor},
      {"refresh cursor", 5, &Mix::RefreshCursor},
      {"reopen", 8, &Mix::Reopen},
      {"open read-only", 3, &Mix::OpenReadOnly},
      {"checkpoint", 3, &Mix::Checkpoint},
  };
  return verbs;
}

Mix::Mix(uint64_t seed, Plan plan)
    : seed_(seed),
      plan_(std::move(plan)),
      dice_(seed),
      model_(&dice_, plan_.single_deletes),
      counts_(Verbs().size()) {}

Trouble Mix::Run() {
  const bool has_engine = !plan_.engines.empty();
  Trouble trouble = has_engine ? OpenNext() : "";
  for (; trouble.empty() && step_ < plan_.steps.end(); ++step_) {
    if (!plan_.steps.Has(step_)) continue;
    if (plan_.before_step) plan_.before_step(step_);
    if (trouble = Step(); !trouble.empty()) break;
  }
  if (trouble.empty() && has_engine) trouble = Finish();
  if (trouble.empty()) return {};
  return "step " + std::to_string(step_) + ": " + trouble + "\n  with " + session_;
}

Trouble Mix::Step() {
  constexpr uint64_t kStride = 0x9E3779B97F4A7C15;  // Seeds of steps and of runs do not meet.
  dice_ = Dice(seed_ + kStride * (step_ + 1));
  uint64_t total = 0;
  for (const Verb& verb : Verbs()) total += verb.weight;
  uint64_t drawn = dice_.Pick(total);
  size_t i = 0;
  for (; drawn >= Verbs()[i].weight; ++i) drawn -= Verbs()[i].weight;
  const Verb& verb = Verbs()[i];
  if (plan_.engines.empty() && !verb.changes_model) return {};
  TRY(Tell(std::string(verb.name)));
  ++counts_[i];
  const Trouble trouble = (this->*verb.run)();
  return trouble.empty() ? trouble : std::string(verb.name) + ": " + trouble;
}

std::string Mix::Counts() const {
  std::string words;
  for (size_t i = 0; i < counts_.size(); ++i) {
    words += (i == 0 ? "" : ", ") + std::string(Verbs()[i].name) + " " + std::to_string(counts_[i]);
  }
  return words;
}

Trouble Mix::Tell(const std::string& what) {
  if (plan_.trace)
    std::fprintf(stderr, "%llu %s\n", static_cast<unsigned long long>(step_), what.c_str());
  return {};
}

// --- The database

std::set<std::string> Mix::Families() const {
  std::set<std::string> names;
  for (const auto& [name, contents] : model_.now()) names.insert(name);
  return names;
}

void Mix::AtWork(const EngineKind* engine) {
  turn_.at_work = engine;
  if (plan_.on_turn != nullptr) plan_.on_turn(turn_);
}

void Mix::TakenOverBy(const EngineKind* engine) {
  turn_.writer = engine;
  AtWork(engine);
}

Trouble Mix::BetweenEngines() {
  AtWork(nullptr);
  return plan_.between_engines == nullptr ? "" : plan_.between_engines(*this);
}

EngineKind* Mix::NextEngine() {
  EngineKind* engine = plan_.engines[dice_.Pick(plan_.engines.size())];
  Dice options(dice_.Pick(uint64_t{1} << 32));  // Engines draw as much as they like.
  session_ = std::string(engine->name()) + ": " + engine->DrawOptions(&options);
  return engine;
}

Trouble Mix::OpenNext() {
  engine_ = NextEngine();
  TRY(Tell(session_));
  AtWork(engine_);
  TRY(engine_->Open(plan_.path, Families(), &database_));
  TRY(Check(database_.get(), "after opening"));
  TakenOverBy(engine_);
  return {};
}

Trouble Mix::Reopen() {
  orphans_.clear();
  cursors_.clear();
  snapshots_.clear();
  if (dice_.OneIn(2)) TRY(database_->Close());
  database_.reset();
  unlogged_ = false;
  TRY(BetweenEngines());
  return OpenNext();
}

// Every engine has the last word.
Trouble Mix::Finish() {
  for (auto* held : {&cursors_, &orphans_}) {
    for (const auto& cursor : *held) TRY(Move(cursor.get(), 8));
    held->clear();
  }
  snapshots_.clear();
  TRY(database_->Close());
  database_.reset();
  TRY(BetweenEngines());
  for (EngineKind* engine : plan_.engines) {
    AtWork(engine);
    Dice options(dice_.Pick(uint64_t{1} << 32));
    session_ = std::string(engine->name()) + ": " + engine->DrawOptions(&options);
    std::unique_ptr<Database> database;
    TRY(engine->OpenReadOnly(plan_.path, Families(), &database));
    TRY(Check(database.get(), "in the end, read-only"));
    database.reset();
    TRY(engine->Open(plan_.path, Families(), &database));
    TRY(Check(database.get(), "in the end"));
    TakenOverBy(engine);
    TRY(database->Close());
    database.reset();
    TRY(BetweenEngines());
  }
  return {};
}

Trouble Mix::FlushUnlogged() {
  if (!unlogged_) return {};
  TRY(database_->FlushAll());
  unlogged_ = false;
  return {};
}

Trouble Mix::OpenReadOnly() {
  const std::string writing = session_;
  EngineKind* reader = NextEngine();
  TRY(FlushUnlogged());
  // Of another engine a reader in the same process does not see the lock.
  const bool settle = reader != engine_ || !reader->reads_beside_writers();
  if (settle) TRY(database_->Settle());
  AtWork(reader);
  std::unique_ptr<Database> database;
  TRY(reader->OpenReadOnly(plan_.path, Families(), &database));
  TRY(Check(database.get(), std::string(reader->name()) + " read-only"));
  database.reset();
  session_ = writing;
  AtWork(engine_);
  return settle ? database_->Unsettle() : "";
}

Trouble Mix::Checkpoint() {
  const std::string writing = session_;
  EngineKind* reader = NextEngine();
  const bool read_only = dice_.OneIn(2);
  const std::string copy = plan_.path + ".copy";
  TRY(FlushUnlogged());
  TRY(database_->Checkpoint(copy));
  AtWork(reader);
  std::unique_ptr<Database> database;
  TRY(read_only ? reader->OpenReadOnly(copy, Families(), &database)
                : reader->Open(copy, Families(), &database));
  TRY(Check(database.get(), "checkpoint read by " + std::string(reader->name())));
  database.reset();
  reader->Remove(copy);
  session_ = writing;
  AtWork(engine_);
  return {};
}

// --- Changes

Trouble Mix::Write() {
  const Group group = model_.NextGroup();
  WriteForm form = dice_.OneIn(20)   ? WriteForm::kSynced
                   : dice_.OneIn(20) ? WriteForm::kUnlogged
                                     : WriteForm::kBuffered;
  if (form == WriteForm::kUnlogged && !plan_.unlogged_writes) form = WriteForm::kBuffered;
  for (const Operation& op : group) TRY(Tell("  " + Words(op)));
  if (form == WriteForm::kUnlogged) unlogged_groups_.push_back({step_, group});
  if (database_ == nullptr) return {};
  if (form == WriteForm::kUnlogged) unlogged_ = true;
  if (plan_.forgetful == engine_ && dice_.OneIn(20)) return {};
  return database_->Write(group, form);
}

Trouble Mix::Ingest() {
  std::vector<TablesOf> families;
  bool may_overlap = false;
  std::set<std::string> names = {model_.AnyFamily()};
  if (dice_.OneIn(3)) names.insert(model_.AnyFamily());
  for (const std::string& name : names) {
    std::vector<Group> tables = model_.NextTables(name);
    if (dice_.OneIn(3)) {
      for (Group& table : model_.NextTables(name)) tables.push_back(std::move(table));
      may_overlap = true;
    }
    families.push_back({name, std::move(tables)});
  }
  for (const TablesOf& of_family : families) {
    for (const Group& table : of_family.tables) {
      TRY(Tell("  table of " + of_family.family));
      for (const Operation& op : table) TRY(Tell("  " + Words(op)));
    }
  }
  if (database_ == nullptr) return {};
  return database_->Ingest(families, {.move = dice_.OneIn(2), .may_overlap = may_overlap});
}

Trouble Mix::CreateFamily() {
  if (model_.now().size() == kMostFamilies) return {};
  const std::string family = model_.UnusedFamilyName();
  model_.Create(family);
  TRY(Tell("  " + family));
  return database_ == nullptr ? "" : database_->CreateFamily(family);
}

Trouble Mix::DropFamily() {
  const std::string family = model_.AnyFamily();
  if (family == "default") return {};
  model_.Drop(family);
  TRY(Tell("  " + family));
  for (HeldSnapshot& held : snapshots_) held.moment.erase(family);
  for (auto at = cursors_.begin(); at != cursors_.end();) {
    if ((*at)->family() != family) {
      ++at;
      continue;
    }
    orphans_.push_back(std::move(*at));
    at = cursors_.erase(at);
  }
  return database_ == nullptr ? "" : database_->DropFamily(family);
}

// --- Maintenance

Trouble Mix::Flush() { return database_->Flush(model_.AnyFamily(), /*wait=*/dice_.OneIn(2)); }

Trouble Mix::FlushAll() {
  TRY(database_->FlushAll());
  unlogged_ = false;
  return {};
}

Trouble Mix::Compact() {
  const std::string family = model_.AnyFamily();
  const auto [begin, end] = model_.KeyRange(family);
  Range range;
  if (dice_.OneIn(2)) range.lower = begin;
  if (dice_.OneIn(2)) range.upper = end;
  TRY(Tell("  " + family));
  return database_->Compact(family, range, /*bottommost=*/dice_.OneIn(3));
}

Trouble Mix::SetOptions() {
  const uint64_t table_size = uint64_t{512} << dice_.Pick(6);
  return database_->SetOptions(
      model_.AnyFamily(),
      {{"level0_file_num_compaction_trigger", std::to_string(1 + dice_.Pick(4))},
       {"disable_auto_compactions", dice_.OneIn(3) ? "true" : "false"},
       {"write_buffer_size", std::to_string(uint64_t{1024} << dice_.Pick(6))},
       {"target_file_size_base", std::to_string(table_size)}});
}

// --- Reads

// Now, or at a snapshot that knows the family.
Mix::View Mix::AnyView(const std::string& family) {
  if (!snapshots_.empty() && dice_.OneIn(2)) {
    const HeldSnapshot& held = snapshots_[dice_.Pick(snapshots_.size())];
    const auto found = held.moment.find(family);
    if (found != held.moment.end()) return {held.snapshot, &found->second};
  }
  return {nullptr, &model_.of(family)};
}

Range Mix::AnyRange(const std::string& family) {
  const auto [lower, upper] = model_.KeyRange(family);
  const std::string prefix = lower.substr(0, dice_.Pick(6));
  switch (dice_.Pick(6)) {
    case 0:
      if (!engine_->has_prefix_cursors()) return {};
      return {.prefix = prefix};
    case 1:
      return {.lower = lower};
    case 2:
      return {.upper = upper};
    case 3:
      return {.lower = lower, .upper = upper};
    default:
      return {};
  }
}

Trouble Mix::Get() {
  const std::string family = model_.AnyFamily(), key = model_.Key();
  const View view = AnyView(family);
  std::optional<std::string> answer;
  TRY(database_->Get(family, key, view.at.get(), &answer));
  return Judge(*view.contents, key, answer, family + (view.at != nullptr ? " at a snapshot" : ""));
}

// A change that is gone without a trace may be forgotten; one that shows may not. (Transactions ask
// this to find conflicts.)
Trouble Mix::ChangedSince() {
  const std::string family = model_.AnyFamily(), key = model_.Key();
  const View view = AnyView(family);
  std::optional<bool> changed;
  if (view.at != nullptr) {
    TRY(database_->ChangedSince(family, key, view.at.get(), &changed));
    const Contents& now = model_.of(family);
    const auto before = view.contents->find(key), after = now.find(key);
    const bool was = before != view.contents->end(), is = after != now.end();
    const bool differs = was != is || (was && before->second != after->second);
    if (differs && changed == false) return family + ": a change is missed of " + key;
  }
  const std::unique_ptr<Snapshot> latest = database_->TakeSnapshot();
  TRY(database_->ChangedSince(family, key, latest.get(), &changed));
  return changed == true ? family + ": nobody changed " + key : "";
}

Trouble Mix::MultiGet() {
  const std::string family = model_.AnyFamily();
  const View view = AnyView(family);
  std::vector<std::string> keys(dice_.Pick(40));
  for (std::string& key : keys) key = model_.Key();
  std::vector<std::optional<std::string>> answers;
  TRY(database_->MultiGet(family, keys, view.at.get(), &answers));
  for (size_t i = 0; i < keys.size(); ++i) {
    TRY(Judge(*view.contents, keys[i], answers.at(i),
              family + (view.at != nullptr ? " at a snapshot" : "")));
  }
  return {};
}

Trouble Mix::Scan() {
  const std::string family = model_.AnyFamily();
  const View view = AnyView(family);
  std::unique_ptr<Cursor> cursor;
  TRY(database_->NewCursor(family, {}, view.at.get(), &cursor));
  HeldCursor held(std::move(cursor), family, {}, view.at, *view.contents);
  TRY(held.ScanForwards());
  return held.ScanBackwards();
}

Trouble Mix::TakeSnapshot() {
  if (snapshots_.size() == kMostSnapshots) {
    snapshots_.erase(snapshots_.begin() + static_cast<ptrdiff_t>(dice_.Pick(kMostSnapshots)));
  }
  snapshots_.push_back({database_->TakeSnapshot(), model_.now()});
  return {};
}

Trouble Mix::NewCursor() {
  if (cursors_.size() == kMostCursors) {
    cursors_.erase(cursors_.begin() + static_cast<ptrdiff_t>(dice_.Pick(kMostCursors)));
  }
  const std::string family = model_.AnyFamily();
  const View view = AnyView(family);
  const Range range = AnyRange(family);
  std::unique_ptr<Cursor> cursor;
  TRY(database_->NewCursor(family, range, view.at.get(), &cursor));
  const bool keep = !engine_->has_cursors_that_outlive_snapshots() || dice_.OneIn(2);
  cursors_.push_back(
      std::make_unique<HeldCursor>(std::move(cursor), family, range, view.at, *view.contents));
  if (!keep) cursors_.back()->LetGoOfSnapshot();
  return Move(cursors_.back().get(), 10);
}

Trouble Mix::MoveCursor() {
  auto& held = !orphans_.empty() && dice_.OneIn(4) ? orphans_ : cursors_;
  return held.empty() ? "" : Move(held[dice_.Pick(held.size())].get(), 6);
}

Trouble Mix::RefreshCursor() {
  if (cursors_.empty()) return {};
  HeldCursor* cursor = cursors_[dice_.Pick(cursors_.size())].get();
  if (cursor->at_snapshot() && !engine_->refreshes_cursors_of_snapshots()) return {};
  TRY(cursor->Refresh(model_.of(cursor->family())));
  return Move(cursor, 10);
}

Trouble Mix::Move(HeldCursor* cursor, int moves) {
  for (; moves > 0; --moves) TRY(cursor->Move(&model_, &dice_));
  return {};
}

Trouble Mix::Check(Database* database, const std::string& where) {
  for (const auto& [family, contents] : model_.now()) {
    const Trouble trouble = CheckFamily(database, family);
    if (!trouble.empty()) return where + ": " + trouble;
  }
  return {};
}

Trouble Mix::CheckFamily(Database* database, const std::string& family) {
  const Contents& contents = model_.of(family);
  std::unique_ptr<Cursor> cursor;
  TRY(database->NewCursor(family, {}, nullptr, &cursor));
  HeldCursor held(std::move(cursor), family, {}, nullptr, contents);
  TRY(held.ScanForwards());
  TRY(held.ScanBackwards());
  std::vector<std::string> keys;
  for (const auto& [key, value] : contents) keys.push_back(key);
  for (int i = 0; i < 20; ++i) keys.push_back(model_.Key());
  std::vector<std::optional<std::string>> answers;
  TRY(database->MultiGet(family, keys, nullptr, &answers));
  for (size_t i = 0; i < keys.size(); ++i) {
    std::optional<std::string> answer;
    TRY(database->Get(family, keys[i], nullptr, &answer));
    TRY(Judge(contents, keys[i], answer, "get of " + family));
    TRY(Judge(contents, keys[i], answers.at(i), "multiget of " + family));
  }
  return {};
}

}  // namespace varve::mix
