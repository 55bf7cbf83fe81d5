// SPDX-License-Identifier: Apache-2.0
// One run of a verb: its words, its output, and the database once it is open. One thread.
//
// A verb returns the Status that ends it. Its message is what ldb prints behind "Failed: ", and the
// exit code is 1; InRocksDbWords() makes it of an error of the engine.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/ldb/command_line.h"
#include "cli/output/console.h"
#include "varve/db.h"
#include "varve/environment.h"

namespace varve::cli::ldb {

enum class Access : uint8_t { kRead, kWrite };

class Call {
 public:
  Call(const CommandLine& words, Console& console) : line(words), console_(console) {}

  // Reads the options that all verbs have.
  Status Begin();

  // Opens --db, with its family --column_family.
  Status Open(Access access);
  Status Close();
  DB& db() { return *db_; }
  ColumnFamilyId family() const { return family_; }

  // With --hex or --key_hex, --value_hex: words begin with 0x.
  Result<std::string> KeyOf(const std::string& word) const;
  Result<std::string> ValueOf(const std::string& word) const;
  // Of --from and --to, in the same form.
  Result<std::optional<std::string>> KeyOption(std::string_view name) const;
  // As they are printed.
  std::string ShownKey(std::string_view key) const;
  std::string ShownValue(std::string_view value) const;

  // With --ttl, values end with the time at which they were written (TimeToLive).
  std::string Stored(std::string value) const;
  // The user's part, and the time.
  struct Unstamped {
    std::string_view value;
    int seconds = 0;
  };
  static Result<Unstamped> Unstamp(std::string_view stored);

  void Print(std::string_view text) { console_.out().WriteData(text); }
  void Say(std::string_view text);  // A line on standard error.
  FileSystem& file_system() const { return *NativeEnvironment().file_system; }

  const CommandLine& line;
  std::string path;  // --db
  bool key_hex = false, value_hex = false;
  bool ttl = false;

 private:
  Result<Options> EngineOptions(bool creates) const;

  Console& console_;
  std::unique_ptr<DB> db_;
  ColumnFamilyId family_ = kDefaultColumnFamilyId;
};

}  // namespace varve::cli::ldb
