// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/found_database.h"

#include <string>
#include <string_view>
#include <utility>

#include "core/inspect/verify/verify.h"
#include "varve/merge_operator.h"

namespace varve::simulator {

using mix::Trouble;

namespace {

Options OptionsOf(const World& world) {
  Options options;
  options.env = world.environment;
  options.create_if_missing = true;
  options.allow_2pc = true;
  options.family.merge_operator = MergeOperatorByName("stringappend");
  return options;
}

}  // namespace

std::string TextOfPrepared(const WriteBatch& changes) {
  return changes.bytes().substr(sizeof(Sequence));  // Which it has none of yet.
}

Result<mix::Moment> ReadAll(DB* db) {
  mix::Moment moment;
  for (const PreparedTransaction& prepared : db->PreparedTransactions()) {
    moment[std::string(kPreparedTransactions)][prepared.name] = TextOfPrepared(prepared.changes);
  }
  for (const FamilyInfo& family : db->Families()) {
    mix::Contents contents(mix::Order{mix::RunsBackwards(family.name)});
    auto it = db->NewIterator({}, family.id);
    if (!it.ok()) return it.status();
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      contents.emplace(it->key(), it->value());
    }
    if (!it->status().ok()) return it->status();
    moment.emplace(family.name, std::move(contents));
  }
  return moment;
}

// Damage in a log that power loss may have left (decision 20: a hole in what was never synced, with
// records behind it) has to be consented to. The same goes for the last record of the MANIFEST, for
// which there is no consent.
Result<Examination::Opened> Examination::Open(const World& world) const {
  Options options = OptionsOf(world);
  RecoveryReport report;
  auto db = DB::Open(options, path_, &report);
  if (db.ok()) return Opened{*std::move(db), false};
  if (!report.damaged()) {
    const bool manifest = db.status().message().find("/MANIFEST-") != std::string_view::npos;
    if (db.status().code() != Code::kCorruption || !manifest) return db.status();
    return Opened{nullptr, true};
  }
  options.accept_loss = true;
  db = DB::Open(options, path_, &report);
  if (!db.ok()) return db.status();
  return Opened{*std::move(db), true};
}

Trouble Examination::Examine(SimulatedDisk* disk, Loss loss, bool cut_short) {
  ++counts_.states;
  Disks cuts;
  if (cut_short) KeepCuts(disk, &cuts);
  std::optional<mix::Moment> recovered;
  Trouble trouble = Recover(disk, loss, &recovered);
  if (trouble.empty() && recovered) trouble = Reopen(disk, *recovered);
  for (size_t i = 0; trouble.empty() && recovered && i < cuts.size(); ++i) {
    ++counts_.recoveries_cut_short;
    trouble = RecoverAgain(cuts[i].get(), DigestOf(*recovered));
  }
  return trouble;
}

void Examination::KeepCuts(SimulatedDisk* disk, Disks* cuts) const {
  disk->set_after_mutation([disk, cuts, dice = mix::Dice(seed_)](const std::string&) mutable {
    for (const Loss again : kLosses) {
      if (dice.OneIn(3)) cuts->push_back(disk->AfterPowerLoss(again, &dice));
    }
  });
}

// Nothing recovered: the database was refused, as it may be.
Trouble Examination::Recover(SimulatedDisk* disk, Loss loss,
                             std::optional<mix::Moment>* recovered) {
  World world(disk, seed_);
  auto opened = Open(world);
  disk->set_after_mutation(nullptr);
  if (!opened.ok()) return "does not open: " + opened.status().ToString();
  counts_.refused += opened->refused;
  if (opened->refused && loss != Loss::kSectors) return "is called damaged";
  if (opened->db == nullptr) return {};
  auto moment = ReadAll(opened->db.get());
  if (!moment.ok()) return "does not read: " + moment.status().ToString();
  *recovered = *moment;
  if (Trouble trouble = judge_(*moment); !trouble.empty()) return trouble;
  const Status put = opened->db->Put({.durability = Durability::kSync}, "after", "the loss");
  if (!put.ok()) return "takes no write: " + put.ToString();
  const Status closed = opened->db->Close();
  return closed.ok() ? "" : "does not close: " + closed.ToString();
}

// It is sound, and what was written to it is there.
Trouble Examination::Reopen(SimulatedDisk* disk, mix::Moment recovered) const {
  auto report = VerifyDatabase(disk->file_system(), path_, nullptr);
  if (!report.ok()) return "cannot be verified: " + report.status().ToString();
  for (const Finding& finding : report->findings) {
    if (finding.severity == Finding::Severity::kError) {
      return "verifies with " + finding.file + ": " + finding.what;
    }
  }
  World world(disk, seed_ + 1);
  auto opened = Open(world);
  if (!opened.ok()) return "does not open again: " + opened.status().ToString();
  if (opened->refused) return "is called damaged when opened again";
  auto moment = ReadAll(opened->db.get());
  if (!moment.ok()) return "does not read again: " + moment.status().ToString();
  recovered["default"]["after"] = "the loss";
  return DigestOf(*moment) == DigestOf(recovered)
             ? ""
             : "holds something else after a synced write and an opening";
}

Trouble Examination::RecoverAgain(SimulatedDisk* disk, Digest recovered) const {
  World world(disk, seed_ + 2);
  auto opened = Open(world);
  if (!opened.ok()) return "does not open: " + opened.status().ToString();
  // Of what recovery writes, too, the last record of a MANIFEST may be torn.
  if (opened->db == nullptr) return {};
  auto moment = ReadAll(opened->db.get());
  if (!moment.ok()) return "does not read: " + moment.status().ToString();
  if (DigestOf(*moment) == recovered) return {};
  const Trouble trouble = judge_(*moment);
  return "holds something else if its recovery is cut short" +
         (trouble.empty() ? "" : ": " + trouble);
}

}  // namespace varve::simulator
