// SPDX-License-Identifier: Apache-2.0
// Two-phase commits on a simulated disk: a random program writes, prepares, commits and rolls back
// in two families, flushes, and opens the database again. Power is lost as in power_loss_test.cc;
// what is found holds the state after one of the steps that may be the last: what was committed by
// then, once, and what was prepared, with its changes.
//
// Its arguments are those of losing_power.h. What fails prints the line that replays it
// (tests/replay).
#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "tests/mix/model.h"
#include "tests/mix/operation.h"
#include "tests/replay/replay.h"
#include "tests/simulator/found_database.h"
#include "tests/simulator/history.h"
#include "tests/simulator/losing_power.h"
#include "varve/merge_operator.h"

namespace varve::simulator {
namespace {

using mix::Dice;
using mix::Group;
using mix::Operation;
using mix::Trouble;

constexpr char kPath[] = "db";
constexpr uint64_t kKeys = 8;
constexpr std::array<const char*, 2> kFamilies = {"default", "other"};

class Run {
 public:
  Run(uint64_t seed, const LossCommand& command, LossCounts* counts)
      : seed_(seed),
        command_(command),
        world_(&disk_, seed),
        losses_(
            seed, command, kPath, [this](const mix::Moment& moment) { return Judge(moment); },
            [this] { return step_; }, counts) {}

  bool Go() {
    replay::At(ReplayLine(command_.ops));
    DrawOptions();
    disk_.set_after_mutation([&](const std::string& what) { losses_.Lose(disk_, what); });
    const Trouble trouble = RunProgram();
    disk_.set_after_mutation(nullptr);
    const bool lost = !losses_.trouble().empty();
    if (!lost && trouble.empty()) return true;
    std::fprintf(stderr, "%s\n", lost ? losses_.trouble().c_str() : trouble.c_str());
    const std::string at = lost ? " --at=" + std::to_string(losses_.found_at()) : "";
    replay::Print(ReplayLine(command_.ops.Before((lost ? losses_.found_in() : step_) + 1)) + at);
    return false;
  }

 private:
  using Verb = Status (Run::*)(Dice* dice);

  std::string ReplayLine(const replay::Kept& ops) const {
    return "two_phase_loss --seed=" + std::to_string(seed_) + " " + ops.Option();
  }

  Trouble Judge(const mix::Moment& moment) const {
    const Digest found = DigestOf(moment);
    return history_.IsLegal(found) ? "" : "holds " + history_.Describe(found);
  }

  void DrawOptions() {
    Dice dice(seed_);
    options_.env = world_.environment;
    options_.create_if_missing = true;
    options_.allow_2pc = true;
    options_.family.merge_operator = MergeOperatorByName("stringappend");
    options_.family.write_buffer_size = uint64_t{2048} << dice.Pick(6);
    options_.max_total_wal_size = dice.OneIn(2) ? 4096 : 0;
    options_.max_manifest_file_size = dice.OneIn(3) ? 1 : 1 << 20;
  }

  Trouble RunProgram() {
    Status status = Open();
    if (status.ok()) {
      now_[kFamilies[1]];
      history_.Issue(now_);
      status = Durable(db_->CreateColumnFamily(kFamilies[1], options_.family).status());
    }
    for (; status.ok() && step_ < command_.ops.end(); ++step_) {
      if (command_.ops.Has(step_)) status = Step();
      if (!status.ok()) break;
    }
    if (status.ok()) status = Reopen(nullptr);
    return status.ok() ? wrong_ : status.ToString();
  }

  Status Step() {
    struct Choice {
      const char* name;
      uint64_t weight;
      Verb verb;
    };
    static constexpr Choice kChoices[] = {
        {"write", 6, &Run::Write},        {"prepare", 6, &Run::Prepare},
        {"commit", 4, &Run::Commit},      {"rollback", 2, &Run::Rollback},
        {"flush", 3, &Run::Flush},        {"unlogged", 2, &Run::WriteUnlogged},
        {"flush all", 1, &Run::FlushAll}, {"compact", 1, &Run::Compact},
        {"open again", 2, &Run::Reopen},
    };
    Dice dice((seed_ << 20) + step_);  // Of its own: steps may be left out.
    uint64_t total = 0;
    for (const Choice& choice : kChoices) total += choice.weight;
    uint64_t drawn = dice.Pick(total);
    const Choice* choice = kChoices;
    for (; drawn >= choice->weight; ++choice) drawn -= choice->weight;
    if (command_.trace) {
      std::fprintf(stderr, "%llu %s\n", static_cast<unsigned long long>(step_), choice->name);
    }
    return (this->*choice->verb)(&dice);
  }

  // --- what steps do

  Status Write(Dice* dice) {
    const Group group = Draw(dice, AnyFamily(dice));
    Change(group);
    history_.Issue(now_);
    const WriteOptions options = Synced(dice);
    return Durable(db_->Write(options, BatchOf(group)), options);
  }

  // More sequence numbers are used than any log has.
  Status WriteUnlogged(Dice* dice) {
    const std::string family = AnyFamily(dice);
    Group group = Draw(dice, family);
    for (Operation& op : group) op.family = family;
    Change(group);
    history_.Issue(now_);
    const Status written = db_->Write({.durability = Durability::kNone}, BatchOf(group));
    return written.ok() ? db_->Flush({}, Id(family)) : written;
  }

  Status Prepare(Dice* dice) {
    const std::string name = "transaction " + std::to_string(step_);
    const Group group = Draw(dice, AnyFamily(dice));
    const WriteBatch batch = BatchOf(group);
    prepared_[name] = group;
    now_[std::string(kPreparedTransactions)][name] = TextOfPrepared(batch);
    history_.Issue(now_);
    const WriteOptions options = Synced(dice);
    return Durable(db_->Prepare(options, name, batch), options);
  }

  Status Commit(Dice* dice) {
    if (prepared_.empty()) return Status::Ok();
    const std::string name = AnyPrepared(dice);
    Change(prepared_.at(name));
    const Group more = dice->OneIn(3) ? Draw(dice, AnyFamily(dice)) : Group();
    Change(more);
    Forget(name);
    history_.Issue(now_);
    const WriteOptions options = Synced(dice);
    return Durable(db_->CommitPrepared(options, name, BatchOf(more)), options);
  }

  Status Rollback(Dice* dice) {
    if (prepared_.empty()) return Status::Ok();
    const std::string name = AnyPrepared(dice);
    Forget(name);
    history_.Issue(now_);
    const WriteOptions options = Synced(dice);
    return Durable(db_->RollbackPrepared(options, name), options);
  }

  Status Flush(Dice* dice) { return db_->Flush({}, Id(AnyFamily(dice))); }
  Status FlushAll(Dice*) { return Durable(db_->FlushAll()); }
  Status Compact(Dice* dice) { return db_->CompactRange({}, {}, {}, Id(AnyFamily(dice))); }

  Status Reopen(Dice*) {
    Status status = Durable(db_->Close());
    db_.reset();
    if (status.ok()) status = Open();
    if (!status.ok()) return status;
    const auto found = ReadAll(db_.get());
    if (!found.ok()) return found.status();
    if (DigestOf(*found) != DigestOf(now_)) wrong_ = "an opening finds something else";
    return Status::Ok();
  }

  // --- what they have in common

  Status Open() {
    auto opened = DB::Open(options_, kPath);
    if (!opened.ok()) return opened.status();
    db_ = *std::move(opened);
    return Status::Ok();
  }
  Status Durable(Status status) {
    if (status.ok()) history_.AllDurable();
    return status;
  }
  Status Durable(Status status, const WriteOptions& options) {
    return options.durability == Durability::kSync ? Durable(std::move(status)) : status;
  }
  static WriteOptions Synced(Dice* dice) {
    WriteOptions options;
    if (dice->OneIn(3)) options.durability = Durability::kSync;
    return options;
  }

  static std::string AnyFamily(Dice* dice) { return kFamilies[dice->Pick(kFamilies.size())]; }
  std::string AnyPrepared(Dice* dice) const {
    const auto drawn = static_cast<std::ptrdiff_t>(dice->Pick(prepared_.size()));
    return std::next(prepared_.begin(), drawn)->first;
  }
  ColumnFamilyId Id(const std::string& family) const { return *db_->FindFamily(family); }

  // The first one in this family. Operands: they show how often they were applied.
  static Group Draw(Dice* dice, std::string family) {
    using Kind = Operation::Kind;
    Group group;
    for (uint64_t i = 1 + dice->Pick(3); i > 0; --i) {
      const Kind kind = dice->Of({Kind::kPut, Kind::kDelete, Kind::kMerge, Kind::kMerge});
      group.push_back({kind, family, "k" + std::to_string(dice->Pick(kKeys)), {}});
      if (kind != Kind::kDelete) {
        group.back().value.assign(dice->Pick(dice->OneIn(4) ? 900 : 20), 'v');
        group.back().value += std::to_string(dice->Pick(1000));
      }
      family = AnyFamily(dice);
    }
    return group;
  }
  WriteBatch BatchOf(const Group& group) const {
    WriteBatch batch;
    for (const Operation& op : group) mix::AddTo<mix::FamilyLast>(op, Id(op.family), &batch);
    return batch;
  }

  void Change(const Group& group) {
    for (const Operation& op : group) mix::Apply(op, &now_);
  }
  void Forget(const std::string& name) {
    prepared_.erase(name);
    const auto all = now_.find(std::string(kPreparedTransactions));
    all->second.erase(name);
    if (all->second.empty()) now_.erase(all);
  }

  const uint64_t seed_;
  const LossCommand& command_;
  SimulatedDisk disk_;
  World world_;
  History history_;
  LosingPower losses_;
  Options options_;
  std::unique_ptr<DB> db_;
  uint64_t step_ = 0;
  mix::Moment now_ = {{kFamilies[0], {}}};  // As ReadAll() has it.
  std::map<std::string, Group> prepared_;
  Trouble wrong_;
};

}  // namespace
}  // namespace varve::simulator

int main(int argc, char** argv) {
  using namespace varve::simulator;
  return GoThroughSeeds<Run>(argc, argv, /*ops=*/60);
}
