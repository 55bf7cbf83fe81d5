// SPDX-License-Identifier: Apache-2.0
#include "core/repair/ingested_sequences.h"

#include <algorithm>
#include <string>

#include "core/base/try.h"

namespace varve {

Status AssignIngestedSequences(FileSystem& fs, const BlobReader& blobs, RescuedTables* rescued) {
  Sequence before = 0;
  for (RescuedTable& table : rescued->tables) {  // Ascending by number.
    const TableProperties& p = table.survey.reader->properties();
    if (p.external_version.value_or(0) == 2 && table.survey.description.largest_sequence == 0) {
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
