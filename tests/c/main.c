// SPDX-License-Identifier: Apache-2.0
// c_program STEP DIRECTORY. "all" runs every step below the directory, "write" and "read" exchange
// a database between libraries, "grow:N" and "show:N" one of keys with timestamps in N rounds.
#include "exchange.h"
#include "steps.h"
#include "timestamps.h"

static const struct Step kSteps[] = {
    {"basic", BasicStep},
    {"errors", ErrorsStep},
    {"read_only", ReadOnlyStep},
    {"reads", ReadsStep},
    {"batches", BatchesStep},
    {"save_points", SavePointsStep},
    {"iterators", IteratorsStep},
    {"prefix", PrefixStep},
    {"tailing", TailingStep},
    {"families", FamiliesStep},
    {"callbacks", CallbacksStep},
    {"tables", TablesStep},
    {"maintenance", MaintenanceStep},
    {"metadata", MetadataStep},
    {"options", OptionsStep},
    {"option_text", OptionTextStep},
    {"read_options", ReadOptionsStep},
    {"ranges", RangesStep},
    {"batch_merge", BatchMergeStep},
    {"batch_ranges", BatchRangesStep},
    {"paths", PathsStep},
    {"format", FormatStep},
    {"locale", LocaleStep},
    {"dropped", DroppedStep},
    {"indexed", IndexedStep},
    {"indexed_merge", IndexedMergeStep},
    {"updates", UpdatesStep},
    {"placed", PlacedStep},
    {"transactions", TransactionsStep},
    {"optimistic", OptimisticStep},
    {"backups", BackupsStep},
    {"filters", FiltersStep},
    {"recovery", RecoveryStep},
    {"secondary", SecondaryStep},
    {"ttl", TtlStep},
    {"two_phase", TwoPhaseStep},
    {"kept_files", KeptFilesStep},
    {"figures", FiguresStep},
    {"pinned", PinnedStep},
    {"timestamps", TimestampsStep},
    {"db_paths", DbPathsStep},
    {"perf", PerfStep},
    {"in_place", InPlaceStep},
};

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  if (strcmp(argv[1], "write") == 0) {
    WriteForOthers(argv[2]);
    return 0;
  }
  if (strcmp(argv[1], "read") == 0) {
    ReadOfOthers(argv[2]);
    return 0;
  }
  if (strncmp(argv[1], "grow:", 5) == 0) {
    GrowTimestamps(argv[2], strtoull(argv[1] + 5, NULL, 10));
    return 0;
  }
  if (strncmp(argv[1], "show:", 5) == 0) {
    ShowTimestamps(argv[2], strtoull(argv[1] + 5, NULL, 10));
    return 0;
  }
  int runs = 0;
  for (size_t i = 0; i < sizeof(kSteps) / sizeof(kSteps[0]); ++i) {
    if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], kSteps[i].name) != 0) continue;
    char directory[500];
    snprintf(directory, sizeof(directory), "%s/%s", argv[2], kSteps[i].name);
    printf("=== %s\n", kSteps[i].name);
    kSteps[i].run(directory);
    fflush(stdout);
    ++runs;
  }
  return runs == 0 ? 2 : 0;
}
