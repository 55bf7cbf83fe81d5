// SPDX-License-Identifier: Apache-2.0
// varve put, varve delete, varve batch.
#include <iostream>

#include "cli/arguments/literal.h"
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/standard_input.h"
#include "cli/output/api_output.h"
#include "cli/output/command_documents.h"
#include "cli/output/counted.h"
#include "cli/output/human_numbers.h"
#include "cli/process/leftovers.h"
#include "core/base/text/literal.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {

struct PutDone {
  std::string_view family, key;
  uint64_t value_bytes;
  Sequence sequence;
};
struct DeleteDone {
  std::string_view family;
  bool range;
  uint64_t changes;
  Sequence sequence;
};
struct BatchesDone {
  uint64_t commits, changes;
  bool complete;
  Sequence sequence;
};

namespace {

struct WriteFlags {
  std::string target;
  std::string family = "default";
  std::string key_encoding = "utf8";
  std::string value_encoding = "utf8";
  std::string durability = "sync";
  bool create = false;
  EngineFlags engine;

  void Declare(Parameters& parameters) {
    DeclareValues(parameters);
    DeclareKeys(parameters);
  }
  // For commands that only delete: no values, and no new database.
  void DeclareKeys(Parameters& parameters) {
    DeclareFamily(parameters, &family);
    DeclareKeyEncoding(parameters, &key_encoding);
    parameters.Option("durability", &durability, "durability of the write when the command returns",
                      {"sync", "buffered", "none"});
    DeclareEngine(parameters, &engine);
    DeclareConsent(parameters, &engine);
  }
  void DeclareValues(Parameters& parameters) {
    parameters.Option("create", &create, "create the database if it does not exist");
    parameters.Option("value-in", &value_encoding, "how values without a prefix are written",
                      kEncodingNames);
  }
  WriteOptions Options() const {
    return {.durability = durability == "sync"       ? Durability::kSync
                          : durability == "buffered" ? Durability::kBuffered
                                                     : Durability::kNone};
  }
  Result<std::string> Key(std::string_view text, std::string_view parameter = "key") const {
    return ParseLiteral(parameter, text, EncodingByName(key_encoding));
  }
  Result<std::string> Value(std::string_view text) const {
    return ParseLiteral("value", text, EncodingByName(value_encoding));
  }
};

// Null: unknown.
const Comparator* OrderOf(const DB& db, ColumnFamilyId id) {
  for (const FamilyInfo& family : db.Families()) {
    if (family.id == id) return ComparatorByName(family.comparator);
  }
  return nullptr;
}

// A range whose begin is behind its end deletes nothing, so it must be a mistake.
Status CheckRange(const Comparator* order, std::string_view from, std::string_view to) {
  if (order == nullptr || order->Compare(from, to) <= 0) return Status::Ok();
  return Status::InvalidArgument("the range ends before it begins: " + EscapeForDisplay(to) +
                                 " sorts before " + EscapeForDisplay(from));
}

class Put : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &flags_.target, "database directory");
    parameters.Positional("key", &key_, "the key");
    parameters.Positional("value", &value_, "the value; - reads standard input, @file a file");
    flags_.Declare(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::string key, flags_.Key(key_));
    ASSIGN_OR_RETURN(const std::string value, flags_.Value(value_));
    if (flags_.create && IsNew(flags_.target)) RETURN_IF_ERROR(CheckNewFamily(flags_.family));
    ASSIGN_OR_RETURN(const auto db,
                     OpenForWriting(console, flags_.target, flags_.engine, flags_.create));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, flags_.family));
    WriteBatch batch;
    batch.Put(key, value, family);
    RETURN_IF_ERROR(db->Write(flags_.Options(), std::move(batch)));
    const Sequence sequence = db->Stats().last_sequence;
    RETURN_IF_ERROR(db->Close());
    if (WantsDocument(console)) {
      PrintReport(console, kPutDocument, {flags_.family, key, value.size(), sequence});
    }
    console.Note("put " + EscapeForDisplay(key) + " (" + HumanBytes(value.size()) + ")");
    return kDone;
  }

 private:
  WriteFlags flags_;
  std::string key_, value_;
};

class Delete : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &flags_.target, "database directory");
    parameters.OptionalPositional("key", &keys_, "the keys");
    parameters.Option("from", &from_, "delete a range: its first key");
    parameters.Option("to", &to_, "its exclusive end");
    flags_.DeclareKeys(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    if (from_.has_value() != to_.has_value() || keys_.empty() != from_.has_value()) {
      return Status::InvalidArgument("give keys, or a range with both --from and --to");
    }
    ASSIGN_OR_RETURN(const auto db, OpenForWriting(console, flags_.target, flags_.engine, false));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, flags_.family));
    WriteBatch batch;
    for (const std::string& text : keys_) {
      ASSIGN_OR_RETURN(const std::string key, flags_.Key(text));
      batch.Delete(key, family);
    }
    if (from_) {
      ASSIGN_OR_RETURN(const std::string from, flags_.Key(*from_, "--from"));
      ASSIGN_OR_RETURN(const std::string to, flags_.Key(*to_, "--to"));
      RETURN_IF_ERROR(CheckRange(OrderOf(*db, family), from, to).At("--from, --to"));
      batch.DeleteRange(from, to, family);
    }
    const uint32_t changes = batch.count();
    RETURN_IF_ERROR(db->Write(flags_.Options(), std::move(batch)));
    const Sequence sequence = db->Stats().last_sequence;
    RETURN_IF_ERROR(db->Close());
    if (WantsDocument(console)) {
      PrintReport(console, kDeleteDocument, {flags_.family, from_.has_value(), changes, sequence});
    }
    // Whether a key was there is not known: nothing is read.
    console.Note("wrote " + Counted(changes, from_ ? "range deletion" : "deletion"));
    return kDone;
  }

 private:
  WriteFlags flags_;
  std::vector<std::string> keys_;
  std::optional<std::string> from_, to_;
};

// Operands without a known merge operator would make the keys unreadable.
Status CheckMerges(const ColumnFamilyOptions& options, const std::string& name) {
  if (options.merge_operator != nullptr) return Status::Ok();
  return Status::NotSupported("column family '" + EscapeForDisplay(name) +
                              "' has no merge operator that is known here");
}

std::vector<std::string_view> SplitAtTabs(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t tab = line.find('\t');
    fields.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return fields;
    line.remove_prefix(tab + 1);
  }
}

// One atomic batch per group of lines; an empty line or "commit" ends a group. Each commit is
// acknowledged on standard output, so that callers know what is durable. A new database is created
// by the first commit, so refused changes leave nothing behind.
class Batch : public Invocation {
 public:
  Batch() { flags_.key_encoding = flags_.value_encoding = "esc"; }

  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &flags_.target, "database directory");
    flags_.Declare(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(options_, MakeOptions(flags_.engine));
    if (!flags_.create || !IsNew(flags_.target)) RETURN_IF_ERROR(Open(console));
    Status ended = CommitAll(console);
    const Sequence sequence = db_ == nullptr ? 0 : db_->Stats().last_sequence;
    if (ended.ok()) ended = db_->Close();
    // What was committed before an error stays, and is acknowledged.
    if (WantsDocument(console) && (ended.ok() || commits_ > 0)) {
      PrintReport(console, kBatchRunDocument, {commits_, changes_, ended.ok(), sequence});
    }
    RETURN_IF_ERROR(ended);
    return kDone;
  }

 private:
  // All groups of standard input, up to the first that is refused. If Ok, the database is open.
  Status CommitAll(Console& console) {
    WriteBatch batch;
    std::string line;
    for (uint64_t number = 1; std::getline(std::cin, line); ++number) {
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty() || line == "commit") {
        RETURN_IF_ERROR(Commit(console, &batch));
        continue;
      }
      RETURN_IF_ERROR(Add(line, &batch).At("line " + std::to_string(number)));
    }
    RETURN_IF_ERROR(CheckStandardInput());
    EndIfSignalled();
    RETURN_IF_ERROR(Commit(console, &batch));
    return Open(console);
  }

  Status Commit(Console& console, WriteBatch* batch) {
    if (batch->empty()) return Status::Ok();
    const uint32_t changes = batch->count();
    RETURN_IF_ERROR(Open(console));
    RETURN_IF_ERROR(db_->Write(flags_.Options(), std::exchange(*batch, WriteBatch())));
    ++commits_;
    changes_ += changes;
    if (WantsDocument(console)) return Status::Ok();
    console.out().Write("committed\t" + std::to_string(commits_) + "\t" + std::to_string(changes) +
                        "\n");
    console.out().Flush();
    return Status::Ok();
  }

  Status Open(Console& console) {
    if (db_ != nullptr) return Status::Ok();
    ASSIGN_OR_RETURN(db_, OpenForWriting(console, flags_.target, flags_.engine, flags_.create));
    return Status::Ok();
  }

  // The id of a family, or the one it will have in a new database.
  Result<ColumnFamilyId> FamilyOf(const std::string& name) const {
    if (db_ != nullptr) return FamilyNamed(*db_, name);
    RETURN_IF_ERROR(CheckNewFamily(name));
    return kDefaultColumnFamilyId;
  }
  const Comparator* Order(ColumnFamilyId family) const {
    if (db_ != nullptr) return OrderOf(*db_, family);
    const Comparator* const chosen = options_.family.comparator;
    return chosen == nullptr ? BytewiseComparator() : chosen;
  }
  Result<ColumnFamilyOptions> OptionsOf(ColumnFamilyId family) const {
    if (db_ != nullptr) return db_->OptionsOf(family);
    return options_.family;
  }

  Status Add(std::string_view line, WriteBatch* batch) {
    std::vector<std::string_view> fields = SplitAtTabs(line);
    std::string family_name = flags_.family;
    if (fields[0].starts_with("cf=")) {
      ASSIGN_OR_RETURN(family_name, Unescape(fields[0].substr(3)));
      fields.erase(fields.begin());
    }
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyOf(family_name));
    const std::string_view verb = fields.empty() ? std::string_view() : fields[0];
    std::vector<std::string> arguments;
    for (size_t i = 1; i < fields.size(); ++i) {
      const bool value = i == 2 && verb != "delete-range";
      const std::string& bare = value ? flags_.value_encoding : flags_.key_encoding;
      ASSIGN_OR_RETURN(std::string argument, DecodeLiteral(fields[i], EncodingByName(bare)));
      arguments.push_back(std::move(argument));
    }
    const size_t count = arguments.size();
    if (verb == "put" && count == 2) {
      batch->Put(arguments[0], arguments[1], family);
    } else if (verb == "delete" && count == 1) {
      batch->Delete(arguments[0], family);
    } else if (verb == "single-delete" && count == 1) {
      batch->SingleDelete(arguments[0], family);
    } else if (verb == "delete-range" && count == 2) {
      RETURN_IF_ERROR(CheckRange(Order(family), arguments[0], arguments[1]));
      batch->DeleteRange(arguments[0], arguments[1], family);
    } else if (verb == "merge" && count == 2) {
      ASSIGN_OR_RETURN(const ColumnFamilyOptions options, OptionsOf(family));
      RETURN_IF_ERROR(CheckMerges(options, family_name));
      batch->Merge(arguments[0], arguments[1], family);
    } else {
      return Status::InvalidArgument(
          "expected put<TAB>key<TAB>value, delete<TAB>key, single-delete<TAB>key, "
          "delete-range<TAB>from<TAB>to or merge<TAB>key<TAB>operand");
    }
    return Status::Ok();
  }

  WriteFlags flags_;
  Options options_;
  std::unique_ptr<DB> db_;
  uint64_t commits_ = 0, changes_ = 0;
};

const api::Fields<PutDone>& PutFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<PutDone>()
          .Name("cf", &PutDone::family, "name of the column family")
          .WholeBytes("key", &PutDone::key, "that was put")
          .Number("value_bytes", Unit::kBytes, &PutDone::value_bytes, "of its value")
          .Id("seq", &PutDone::sequence, "newest sequence number of the database");
  return fields;
}

const api::Fields<DeleteDone>& DeleteFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<DeleteDone>()
          .Name("cf", &DeleteDone::family, "name of the column family")
          .Choice(
              "deleted", {"keys", "range"},
              [](const DeleteDone& deleted) -> std::string_view {
                return deleted.range ? "range" : "keys";
              },
              "what was given")
          .Number("changes", Unit::kCount, &DeleteDone::changes, "written")
          .Id("seq", &DeleteDone::sequence, "newest sequence number of the database");
  return fields;
}

const api::Fields<BatchesDone>& BatchRunFields() {
  using api::Unit;
  static const auto fields =
      api::Fields<BatchesDone>()
          .Number("commits", Unit::kCount, &BatchesDone::commits, "batches written, each whole")
          .Number("changes", Unit::kCount, &BatchesDone::changes, "in these")
          .Flag("complete", &BatchesDone::complete, "the input was read to its end")
          .Id("seq", &BatchesDone::sequence, "newest sequence number of the database");
  return fields;
}

}  // namespace

const CommandDocument<PutDone> kPutDocument = {"varve.put/1", PutFields};
const CommandDocument<DeleteDone> kDeleteDocument = {"varve.delete/1", DeleteFields};
const CommandDocument<BatchesDone> kBatchRunDocument = {"varve.batch_run/1", BatchRunFields};

const Command kPut = {"put", "set the value of a key",
                      "varve put ./db greeting hello\nvarve put ./db --create k @value.bin",
                      "0 written", [] { return MakeInvocation<Put>(); }};

const Command kDelete = {"delete", "delete keys, or a range of keys",
                         "varve delete ./db old-key\nvarve delete ./db --from a --to b",
                         "0 the deletions are written, whether or not the keys exist",
                         [] { return MakeInvocation<Delete>(); }};

const Command kBatch = {
    "batch", "apply changes from standard input, each group atomically",
    "printf 'put\\ta\\t1\\ndelete\\tb\\n' | varve batch ./db\n"
    "# lines: [cf=NAME<TAB>]put|delete|single-delete|delete-range|merge, arguments after tabs:\n"
    "# escaped text (\\t \\n \\\\ \\xNN) unless --key-in, --value-in or hex: b64: esc: u64be: "
    "utf8: say otherwise;\n"
    "# an empty line commits the group; lines may end in CR LF",
    "0 all committed; each commit prints a line when it is acknowledged (with --json: one "
    "document, \"complete\":false if an error ended it)",
    [] { return MakeInvocation<Batch>(); }};

}  // namespace varve::cli
