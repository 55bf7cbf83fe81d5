// SPDX-License-Identifier: Apache-2.0
// Repairs, drawn: tests/snapshot/drawings/repair.txt.
#include <doctest/doctest.h>

#include <string>

#include "core/repair/database_repair.h"
#include "tests/unit/engine/drawing.h"

namespace varve {
namespace {

std::string FateText(const RepairTable& table) {
  switch (table.fate) {
    case RepairTable::Fate::kKept:
      return "kept";
    case RepairTable::Fate::kSalvaged:
      return "salvaged";
    case RepairTable::Fate::kMerged:
      return "merged";
    case RepairTable::Fate::kLost:
      return "lost";
    case RepairTable::Fate::kObsolete:
      return "obsolete";
  }
  return "";
}

// The database goes on in the repaired directory.
std::string Repair(DrawnDatabase& database, const DrawnDatabase::Words&) {
  database.Close();
  const auto report =
      RepairDatabase(database.env(), database.files().directory(), "repaired", RepairOptions());
  if (!report.ok()) return report.status().ToString();
  std::string text = report->manifest_whole ? "whole MANIFEST\n" : "no whole MANIFEST\n";
  for (const RepairTable& table : report->tables) {
    text += table.name + " of " + table.family + ": " + FateText(table) + "\n";
  }
  for (const std::string& log : report->logs) text += log + "\n";
  database.files().MoveTo("repaired");
  return text;
}

TEST_CASE("Drawings: repair") { CheckDrawings("repair", {{"repair", Repair}}); }

}  // namespace
}  // namespace varve
