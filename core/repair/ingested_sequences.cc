// SPDX-License-Identifier: Apache-2.0
#include "core/repair/ingested_sequences.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"
#include "core/base/try.h"

namespace varve {
namespace {

// Of an ingested table whose sequence is known, all entries have it. A damaged one may have some of
// its own: no MANIFEST can say them, since what it says counts for all entries.
bool HasSequence(const FileDescription& ingested) {
  return ingested.largest_sequence != 0 && ingested.smallest_sequence == ingested.largest_sequence;
}

}  // namespace

Status AssignIngestedSequences(FileSystem& fs, const BlobReader& blobs, RescuedTables* rescued) {
  Sequence before = 0;
  FileNumber older = 0;
  for (RescuedTable& table : rescued->tables) {
    CHECK_OP(table.number, >=, older, "tables come in the ascending order of their numbers");
    older = table.number;
    CHECK_OP(table.row, <, rescued->rows.size());
    const TableProperties& p = table.survey.reader->properties();
    if (p.external_version.value_or(0) == 2 && !HasSequence(table.survey.description)) {
      const Sequence sequence = before + 1;
      ASSIGN_OR_RETURN(
          table.survey,
          SurveyTable(fs, table.path, {.smallest_sequence = sequence, .largest_sequence = sequence},
                      blobs));
      table.survey.description.number = table.number;
      rescued->rows[table.row].why += "ingested: taken to have sequence " +
                                      std::to_string(sequence) +
                                      ", after the tables that are older by number";
    }
    before = std::max(before, table.survey.description.largest_sequence);
  }
  return Status::Ok();
}

}  // namespace varve
