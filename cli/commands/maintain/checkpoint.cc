// SPDX-License-Identifier: Apache-2.0
// varve checkpoint, varve snapshot.
#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/help/help.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/process/leftovers.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {

struct CheckpointDone {
  std::string_view of, directory;
  Sequence sequence;
};

struct SnapshotDone {
  std::string_view of, directory;
};

namespace {

class CheckpointCommand : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory");
    parameters.Positional("directory", &directory_, "the new directory, on the same file system");
    DeclareEngine(parameters, &engine_);
    DeclareConsent(parameters, &engine_);
  }

  Result<ExitCode> Run(Console& console) override {
    if (directory_.empty()) return Status::InvalidArgument("a checkpoint needs a name");
    const LeftoverWatch watch;  // Before the database starts its threads.
    auto db = OpenForWriting(console, target_, engine_, false);
    const bool order_is_known = db.ok() || !HasUnknownOrder(console);
    if (!order_is_known) db = OpenForReading(console, target_, engine_);
    RETURN_IF_ERROR(db.status());
    TemporaryPath unfinished(directory_ + ".checkpoint");  // What it is called until it is whole.
    const Status made = order_is_known ? (*db)->Checkpoint(directory_)
                                       : DB::CheckpointOf(NativeEnvironment(), target_, directory_);
    if (made.code() == Code::kInvalidArgument) return Taken(console, std::string(made.message()));
    RETURN_IF_ERROR(made);
    const Sequence sequence = (*db)->Stats().last_sequence;
    RETURN_IF_ERROR((*db)->Close());
    if (WantsDocument(console)) {
      PrintReport(console, kCheckpointDocument, {target_, directory_, sequence});
    }
    console.Note("checkpoint of " + target_ + " in " + directory_);
    return kDone;
  }

 private:
  // Whether that is why the database cannot be opened for writing: a checkpoint needs no order.
  bool HasUnknownOrder(Console& console) const {
    const auto db = OpenForReading(console, target_, engine_);
    if (!db.ok()) return false;
    const std::vector<FamilyInfo> families = (*db)->Families();
    return std::any_of(families.begin(), families.end(), [](const FamilyInfo& family) {
      return !family.comparator.empty() && ComparatorByName(family.comparator) == nullptr;
    });
  }

  static ExitCode Taken(Console& console, const std::string& why) {
    return Refuse(console, "varve checkpoint", "already_exists", why);
  }

  std::string target_, directory_;
  EngineFlags engine_;
};

// What `varve checkpoint` makes, from the files alone: the process that has the database open is
// not asked.
class SnapshotCommand : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &target_, "database directory, which may be in use");
    parameters.Positional("directory", &directory_, "the new directory, on the same file system");
  }

  Result<ExitCode> Run(Console& console) override {
    if (directory_.empty()) return Status::InvalidArgument("a snapshot needs a name");
    const LeftoverWatch watch;
    RETURN_IF_ERROR(RequireDatabase(*NativeEnvironment().file_system, target_));
    TemporaryPath unfinished(directory_ + ".checkpoint");
    const Status made = DB::CheckpointOf(NativeEnvironment(), target_, directory_);
    if (made.code() == Code::kInvalidArgument) {
      return Refuse(console, "varve snapshot", "already_exists", std::string(made.message()));
    }
    RETURN_IF_ERROR(made);
    if (WantsDocument(console)) PrintReport(console, kSnapshotDocument, {target_, directory_});
    console.Note("snapshot of " + target_ + " in " + directory_);
    return kDone;
  }

 private:
  std::string target_, directory_;
};

const api::Fields<CheckpointDone>& CheckpointFields() {
  static const auto fields =
      api::Fields<CheckpointDone>()
          .Text("of", &CheckpointDone::of, "the database")
          .Text("directory", &CheckpointDone::directory, "that was made")
          .Id("seq", &CheckpointDone::sequence, "newest sequence number of the database");
  return fields;
}

const api::Fields<SnapshotDone>& SnapshotFields() {
  static const auto fields = api::Fields<SnapshotDone>()
                                 .Text("of", &SnapshotDone::of, "the database")
                                 .Text("directory", &SnapshotDone::directory, "that was made");
  return fields;
}

}  // namespace

const CommandDocument<SnapshotDone> kSnapshotDocument = {"varve.snapshot/1", SnapshotFields};

const CommandDocument<CheckpointDone> kCheckpointDocument = {"varve.checkpoint/1",
                                                             CheckpointFields};

const Command kCheckpoint = {
    "checkpoint", "a consistent copy made of hard links", "varve checkpoint ./db ./db-monday",
    "0 done, 5 a process has the database open: varve snapshot, 8 the new directory exists",
    [] { return MakeInvocation<CheckpointCommand>(); }};

const Command kSnapshot = {
    "snapshot", "a consistent copy of a database that is in use, made of hard links",
    "varve snapshot /var/lib/app/db ./moment       # RocksDB's or Varve's, while it is written to\n"
    "varve scan ./moment -F arrow -o records.arrows",
    "0 done, 5 its files change faster than they can be linked, 8 the new directory exists",
    [] { return MakeInvocation<SnapshotCommand>(); }};

}  // namespace varve::cli
