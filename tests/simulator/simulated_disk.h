// SPDX-License-Identifier: Apache-2.0
// A disk that knows what a loss of power may leave of it.
//
//   file      bytes appended  |----- synced -----|-- not yet --|
//   names     as they are now  =  durable names  +  changes whose directories were not synced since
//
// AfterPowerLoss() makes the disk that is found afterwards, in one of five ways; between them they
// hold what real file systems have left: names without data, data without names, renames that came
// early, sectors that were torn, came out of order or hold what was there before.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/fs/file_tree.h"
#include "tests/mix/dice.h"
#include "varve/file_system.h"

namespace varve::simulator {

enum class Loss : uint8_t {
  kUnsynced,  // All that was not synced is gone, bytes and names.
  kNothing,   // Everything made it: the process was killed, not the machine.
  kSectors,   // Of unsynced bytes each sector is there, or zeros, or old, or the file ends before;
              // of unsynced changes of names each was made or not.
  kNames,     // Bytes are there, unsynced names are not.
  kBytes,     // Names are there, unsynced bytes are not: files end before, or have zeros there.
};
inline constexpr Loss kLosses[] = {Loss::kUnsynced, Loss::kNothing, Loss::kSectors, Loss::kNames,
                                   Loss::kBytes};
std::string_view NameOf(Loss loss);

// What becomes of a call.
enum class Fault : uint8_t {
  kNone,
  kRefused,   // It fails and does nothing.
  kHalfDone,  // An append of half the bytes, then a failure; others are refused.
  kDone,      // It does everything, and then fails.
};

class DiskFile;

// Thread-safe, but for the functions that set something.
class SimulatedDisk {
 public:
  SimulatedDisk();
  ~SimulatedDisk();
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;

  FileSystem& file_system() { return *file_system_; }

  // Called after each change of bytes or names, and after each sync, with words for it, by the
  // thread that made it. The disk must not be used in it but for AfterPowerLoss().
  using Hook = std::function<void(const std::string& mutation)>;
  void set_after_mutation(Hook hook) { after_mutation_ = std::move(hook); }

  // Asked before each call that is not about locks; `call` is its name and its path.
  using FaultPlan = std::function<Fault(const std::string& call)>;
  void set_fault_plan(FaultPlan plan) { fault_plan_ = std::move(plan); }

  // A new disk, all of which is durable.
  std::unique_ptr<SimulatedDisk> AfterPowerLoss(Loss loss, mix::Dice* dice) const;

 private:
  friend class DiskFile;
  class Lock {
   public:
    explicit Lock(const SimulatedDisk& disk) : lock_(disk.mu_) {}

   private:
    const std::lock_guard<std::recursive_mutex> lock_;
  };
  class Store;
  class Files;
  // What one call did to the names.
  struct NameChange {
    std::vector<std::string> directories;  // That must be synced; one of them is enough.
    FileNames removed, added;              // Of removed files only the names count.
  };
  using Copies = std::map<const FileContents*, std::shared_ptr<FileContents>>;

  void NamesChanged(const FileNames& names);
  void SyncDirectory(const std::string& directory);
  void Mutated(const std::string& what) const {
    if (after_mutation_) after_mutation_(what);
  }
  Fault Draw(const std::string& call) const {
    return fault_plan_ ? fault_plan_(call) : Fault::kNone;
  }
  std::string PathOf(const FileContents& file) const;  // One of its names; empty if it has none.
  static void Apply(const NameChange& change, FileNames* names);
  std::string BytesAfter(const DiskFile& file, Loss loss, mix::Dice* dice) const;

  mutable std::recursive_mutex mu_;  // A hook may call AfterPowerLoss(), a call may make another.
  FileNames now_, durable_;
  std::vector<NameChange> pending_;
  // The last tables, for old bytes in new files. Not logs: in this format a log cannot tell an old
  // block of another one from its own (decision 20).
  std::vector<std::shared_ptr<FileContents>> removed_;
  Hook after_mutation_;
  FaultPlan fault_plan_;
  std::unique_ptr<FileSystem> file_system_;
};

}  // namespace varve::simulator
