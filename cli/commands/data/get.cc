// SPDX-License-Identifier: Apache-2.0
// varve get, varve multiget.
#include <iostream>

#include "cli/arguments/literal.h"
#include "cli/arguments/range.h"
#include "cli/commands/commands.h"
#include "cli/database.h"
#include "cli/input/standard_input.h"
#include "cli/output/api_output.h"
#include "cli/output/record_writer.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "webview/api/json/json.h"

namespace varve::cli {
namespace {

struct ReadFlags {
  std::string target;
  std::string family = "default";
  std::string key_encoding = "utf8";
  std::optional<uint64_t> at_sequence;
  EngineFlags engine;

  void Declare(Parameters& parameters) {
    DeclareFamily(parameters, &family);
    DeclareKeyEncoding(parameters, &key_encoding);
    parameters.Option("at-seq", &at_sequence, "as of this sequence number");
    DeclareEngine(parameters, &engine);
  }
};

// Reads one key per line, for "-" instead of keys. Values or keys with several lines must be
// escaped.
Status ReadKeys(Encoding encoding, std::vector<std::string>* keys) {
  std::string line;
  for (uint64_t number = 1; std::getline(std::cin, line); ++number) {
    if (line.ends_with('\r')) line.pop_back();
    auto key = DecodeLiteral(line, encoding);
    if (!key.ok()) return key.status().At("standard input, line " + std::to_string(number));
    keys->push_back(*std::move(key));
  }
  return CheckStandardInput();
}

Result<ExitCode> PrintMultiGet(Console& console, const ReadFlags& flags,
                               const std::vector<std::string>& keys, bool keys_only) {
  api::Json body = {{"keys", api::Json::array()}};
  for (const std::string& key : keys) body["keys"].push_back("hex:" + HexBytes(key));
  ASSIGN_OR_RETURN(const Options options, MakeOptions(flags.engine));
  RETURN_IF_ERROR(RequireDatabase(*options.env.file_system, flags.target));
  ApiSession session(options);
  RETURN_IF_ERROR(session.Open(flags.target));
  return session.Post(
      console,
      FamilyResource(flags.family, ":multiget") +
          ApiQuery().Flag("keys_only", keys_only).Number("at_seq", flags.at_sequence).str(),
      body);
}

class Get : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &flags_.target, "database directory");
    parameters.Positional("key", &key_,
                          "the key; hex:… b64:… esc:… u64be:… @file are understood; - reads keys "
                          "from standard input, one a line");
    flags_.Declare(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    if (key_ == "-") return GetEach(console);
    ASSIGN_OR_RETURN(const std::string key,
                     ParseLiteral("key", key_, EncodingByName(flags_.key_encoding)));
    if (IsJson(console.format(Format::kText))) {
      ASSIGN_OR_RETURN(const Options options, MakeOptions(flags_.engine));
      RETURN_IF_ERROR(RequireDatabase(*options.env.file_system, flags_.target));
      return PrintResource(
          console, flags_.target,
          FamilyResource(flags_.family, "/get") +
              ApiQuery().Key("key", key).Number("at_seq", flags_.at_sequence).str(),
          options);
    }
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, flags_.target, flags_.engine));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, flags_.family));
    ASSIGN_OR_RETURN(const Snapshot snapshot, SnapshotFor(*db, flags_.at_sequence));
    ASSIGN_OR_RETURN(const std::optional<Value> value,
                     db->Get({.snapshot = &snapshot}, key, family));
    const Format format = console.format(Format::kText);
    if (value && (format == Format::kCsv || format == Format::kTsv)) {
      RecordWriter row(console, format, "varve.get/1", {});
      row.Write(flags_.family, key, value->view());
      row.Finish(/*complete=*/true);
    } else {
      PrintValue(console, value);
    }
    return value ? kDone : kNegative;
  }

 private:
  static void PrintValue(Console& console, const std::optional<Value>& value) {
    if (value && console.format(Format::kText) == Format::kRaw) {
      console.out().WriteData(value->view());
    } else if (value) {
      console.out().WriteEscaped(value->view());
      console.out().WriteData("\n");
    }
  }

  // Prints the values in the order of the keys on standard input; for an absent key a note instead
  // of a line, as in multiget.
  Result<ExitCode> GetEach(Console& console) {
    std::vector<std::string> keys;
    RETURN_IF_ERROR(ReadKeys(EncodingByName(flags_.key_encoding), &keys));
    if (console.format(Format::kText) == Format::kJson) {
      return PrintMultiGet(console, flags_, keys, /*keys_only=*/false);
    }
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, flags_.target, flags_.engine));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, flags_.family));
    ASSIGN_OR_RETURN(const Snapshot snapshot, SnapshotFor(*db, flags_.at_sequence));
    const Format format = console.format(Format::kText);
    RecordWriter records(console, format, "varve.multiget/1", {});
    ExitCode code = kDone;
    for (const std::string& key : keys) {
      ASSIGN_OR_RETURN(const std::optional<Value> value,
                       db->Get({.snapshot = &snapshot}, key, family));
      if (!value) {
        code = kNegative;
        console.Note("absent: " + EscapeForDisplay(key));
      } else if (format == Format::kText || format == Format::kRaw) {
        PrintValue(console, value);
      } else {
        records.Write(flags_.family, key, value->view());
      }
    }
    if (format != Format::kText && format != Format::kRaw) records.Finish(/*complete=*/true);
    return code;
  }

  ReadFlags flags_;
  std::string key_;
};

class MultiGet : public Invocation {
 public:
  void Declare(Parameters& parameters) override {
    parameters.Positional("target", &flags_.target, "database directory");
    parameters.Positional("key", &keys_, "the keys; - reads more from standard input, one a line");
    parameters.Option("keys-only", &keys_only_, "print which keys exist, without values");
    flags_.Declare(parameters);
  }

  Result<ExitCode> Run(Console& console) override {
    const Encoding bare = EncodingByName(flags_.key_encoding);
    std::vector<std::string> keys;
    for (const std::string& text : keys_) {
      if (text == "-") {
        RETURN_IF_ERROR(ReadKeys(bare, &keys));
        continue;
      }
      ASSIGN_OR_RETURN(std::string key, ParseLiteral("key", text, bare));
      keys.push_back(std::move(key));
    }
    if (console.format(Format::kText) == Format::kJson) {
      return PrintMultiGet(console, flags_, keys, keys_only_);
    }
    ASSIGN_OR_RETURN(const auto db, OpenForReading(console, flags_.target, flags_.engine));
    ASSIGN_OR_RETURN(const ColumnFamilyId family, FamilyNamed(*db, flags_.family));
    ASSIGN_OR_RETURN(const Snapshot snapshot, SnapshotFor(*db, flags_.at_sequence));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const auto values = db->MultiGet({.snapshot = &snapshot}, views, family);

    RecordWriter out(console, console.format(Format::kText), "varve.multiget/1",
                     {.keys_only = keys_only_});
    ExitCode code = kDone;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!values[i].ok()) return values[i].status();
      const std::optional<Value>& value = *values[i];
      if (value) {
        out.Write(flags_.family, keys[i], value->view());
      } else {
        code = kNegative;
        console.Note("absent: " + EscapeForDisplay(keys[i]));
      }
    }
    out.Finish(/*complete=*/true);
    return code;
  }

 private:
  ReadFlags flags_;
  std::vector<std::string> keys_;
  bool keys_only_ = false;
};

}  // namespace

const Command kGet = {"get", "print the value of a key",
                      "varve get ./db user:42\n"
                      "printf 'a\\nb\\n' | varve get ./db -\n"
                      "varve get ./db hex:0001ff -F raw > value.bin\n"
                      "varve get ./db k --json",
                      "0 found, 1 absent, 7 partial: a damaged log hides records",
                      [] { return MakeInvocation<Get>(); }};

const Command kMultiGet = {
    "multiget", "print the values of several keys, read together",
    "varve multiget ./db a b c\nvarve multiget ./db --keys-only a b c\n"
    "cut -f1 wanted.tsv | varve multiget ./db -",
    "0 all found, 1 some absent (named on standard error), 7 partial: a damaged log hides records",
    [] { return MakeInvocation<MultiGet>(); }};

}  // namespace varve::cli
