// SPDX-License-Identifier: Apache-2.0
// An OPTIONS file: what is read of it is written and read again to the same, also with options that
// are stored into it, and what it sets is valid.
#include "core/format/options/options_file.h"

#include <string>
#include <string_view>

#include "core/format/options/kept_options.h"
#include "core/format/options/options_update.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/options/options_report.h"
#include "tests/fuzz/targets.h"
#include "varve/option_table.h"

namespace varve::fuzz {
namespace {

void Report(std::string_view bytes) {
  const auto fs = NewMemoryFileSystem();
  MustBeOk(fs->CreateDirectory("db"), "db");
  WriteFile(*fs, "db/OPTIONS-000007", bytes);
  const auto report = ReportOptions(*fs, "db");
  if (!report.ok()) return;
  static_cast<void>(report->DatabaseOptions());
  static_cast<void>(report->CountDiffering());
  for (const std::string& family : report->families) {
    Must(report->FamilyOptions(family).has_value(), "a family that is listed has options");
  }
}

void Apply(const OptionsFile& file) {
  Options options;
  static_cast<void>(ApplyOptionsFile(file, &options));
  Options completed;
  static_cast<void>(CompleteDatabaseOptions(file, &completed));
  MustBeOk(ValidateOptions(completed), "options that a file completes");
  const FamilySections sections(file);
  ColumnFamilyOptions family;
  static_cast<void>(CompleteFamilyOptions(sections.Of(kDefaultFamily), {}, &family));
  Options with_family;
  with_family.family = family;
  MustBeOk(ValidateOptions(with_family), "options of a family that a file completes");
}

// Whatever the row takes is kept.
void Store(std::string_view value, OptionsFile file) {
  for (const OptionRow& row : OptionTable()) {
    if (!StoreOption(row, value, kDefaultFamily, &file).ok()) continue;
    const auto again = ParseOptionsFile(FormatOptionsFile(file));
    MustBeOk(again.status(), "a file into which an option was stored");
    Must(*again == file, "a stored option is read as it was stored");
  }
}

void Run(std::string_view bytes) {
  Report(bytes);
  const auto file = ParseOptionsFile(bytes);
  if (!file.ok()) {  // Then they are the value of an option.
    if (bytes.size() > 200) return;
    for (const OptionRow& row : OptionTable()) {
      Options options;
      if (row.set(&options, bytes).ok()) {
        Options again;
        MustBeOk(row.set(&again, row.get(options)), "the value of an option that was set");
        Must(row.get(again) == row.get(options), "a value is read as it was written");
      }
    }
    const FamilyNames names[] = {{"default", "leveldb.BytewiseComparator", ""}};
    return Store(bytes, MakeOptionsFile(names, {}));
  }
  const auto again = ParseOptionsFile(FormatOptionsFile(*file));
  MustBeOk(again.status(), "a file that was written");
  Must(*again == *file, "a file is written as it was read");
  Apply(*file);
}

}  // namespace

const Target options_file = {"options_file", Run};

}  // namespace varve::fuzz
