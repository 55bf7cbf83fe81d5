// SPDX-License-Identifier: Apache-2.0
#include "core/repair/database_repair.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/try.h"
#include "core/repair/destination.h"
#include "core/repair/family_placement.h"
#include "core/repair/ingested_sequences.h"
#include "core/repair/manifest_remains.h"
#include "core/repair/new_manifest.h"
#include "core/repair/repair_job.h"
#include "core/repair/source_copy.h"
#include "core/repair/source_files.h"
#include "core/repair/table_rescue.h"
#include "core/version/blob_reader.h"

namespace varve {
namespace {

// The logs that the new database needs.
std::vector<std::string> LogsToBring(const SourceFiles& files, const ManifestRemains& manifest) {
  std::vector<std::string> names;
  for (const auto& [number, name] : files.logs) {
    if (!manifest.whole || number >= manifest.state.MinLogToReplay()) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Result<RepairReport> RepairDatabase(const Environment& env, const std::string& source,
                                    const std::string& destination, const RepairOptions& options) {
  const RepairJob job{env, source, destination, options.dry_run, options.comparator};
  ASSIGN_OR_RETURN(const SourceFiles files, SurveySource(job.fs(), source));
  if (!files.any) {
    return Status::InvalidArgument(source +
                                   ": it has no file of a database: no CURRENT, "
                                   "MANIFEST, table, blob file or log");
  }
  if (!job.dry_run) RETURN_IF_ERROR(MakeDestination(job.fs(), destination));
  ASSIGN_OR_RETURN(const ManifestRemains manifest,
                   ReadManifestRemains(job.fs(), source, files, job.comparator));
  const BlobReader blobs(job.fs(), source);
  ASSIGN_OR_RETURN(RescuedTables rescued,
                   RescueTables(job, files, manifest, blobs, options.progress));
  if (!manifest.whole) RETURN_IF_ERROR(AssignIngestedSequences(job.fs(), blobs, &rescued));
  const bool keep_levels = manifest.whole && !options.place_anew;
  ASSIGN_OR_RETURN(PlacedFamilies placed, PlaceFamilies(job, files, keep_levels, blobs, &rescued));

  RepairReport report{.manifest_whole = manifest.whole,
                      .manifest = manifest.text + placed.note,
                      .families = {},
                      .tables = rescued.rows,
                      .logs = LogsToBring(files, manifest),
                      .blobs = placed.blobs,
                      .entries = rescued.entries,
                      .last_sequence = placed.state.counters.last_sequence};
  for (const FamilyState& family : placed.state.families.all()) {
    report.families.push_back(family.name);
  }
  RETURN_IF_ERROR(CopyTheRest(job, files, report.blobs, report.logs));
  if (!job.dry_run) RETURN_IF_ERROR(WriteNewManifest(job, rescued, report, std::move(placed)));
  return report;
}

}  // namespace varve
