// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "core/base/options/grades.h"
#include "tests/mix/database.h"
#include "varve/db.h"
#include "varve/file_system.h"
#include "varve/options.h"

namespace varve::mix {

class VarveKind : public EngineKind {
 public:
  // Members of `environment` that are null are the native ones. `newest_tables`: in formats, too,
  // that only later releases of RocksDB read than the one that the tests have.
  explicit VarveKind(const Environment& environment, bool newest_tables);

  // Some calls of the file system failed: a log may end with a torn record, and families may be
  // there whose creation or dropping failed.
  void AllowTracesOfFailures() { may_have_traces_of_failures_ = true; }

  // Some writes are prepared first and then committed. Others than this engine may refuse its logs.
  void WriteInTwoPhases() { in_two_phases_ = true; }

  std::string_view name() const override { return "varve"; }
  std::string DrawOptions(Dice* dice) override;
  Trouble Open(const std::string& path, const std::set<std::string>& families,
               std::unique_ptr<Database>* database) override;
  Trouble OpenReadOnly(const std::string& path, const std::set<std::string>& families,
                       std::unique_ptr<Database>* database) override;
  void Remove(const std::string& path) override;

 private:
  void DrawDatabaseOptions(Dice* dice);
  void DrawFamilyOptions(Dice* dice);
  void DrawTableOptions(Dice* dice);
  void DrawBlobOptions(Dice dice);
  void DrawUniversalOptions(Dice dice);
  // OpenGraded or OpenGradedReadOnly.
  using OpenFn = Result<std::unique_ptr<DB>> (*)(const Options&, const Grades&, const std::string&,
                                                 RecoveryReport*);
  Trouble OpenBy(OpenFn open, const std::string& path, const std::set<std::string>& families,
                 bool may_have_strays, std::unique_ptr<Database>* database);
  Options OptionsFor(const std::set<std::string>& families) const;

  const Environment environment_;
  FileSystem& file_system_;
  const bool newest_tables_;
  bool may_have_traces_of_failures_ = false;
  bool in_two_phases_ = false;
  Options options_;
  Grades grades_;
};

}  // namespace varve::mix
