// SPDX-License-Identifier: Apache-2.0
// A program of C against rocksdb/c.h. Its steps print what they see; both libraries have to print
// the same (program_test.py). Each step gets a directory of its own, which does not exist yet.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rocksdb/c.h"

typedef void (*StepFn)(const char* directory);
struct Step {
  const char* name;
  StepFn run;
};

void BasicStep(const char* directory);
void ErrorsStep(const char* directory);
void ReadsStep(const char* directory);
void BatchesStep(const char* directory);
void SavePointsStep(const char* directory);
void IteratorsStep(const char* directory);
void PrefixStep(const char* directory);
void TailingStep(const char* directory);
void FamiliesStep(const char* directory);
void CallbacksStep(const char* directory);
void TablesStep(const char* directory);
void MaintenanceStep(const char* directory);
void MetadataStep(const char* directory);
void OptionsStep(const char* directory);
void OptionTextStep(const char* directory);
void ReadOnlyStep(const char* directory);
void ReadOptionsStep(const char* directory);
void RangesStep(const char* directory);
void BatchMergeStep(const char* directory);
void BatchRangesStep(const char* directory);
void PathsStep(const char* directory);
void FormatStep(const char* directory);
void LocaleStep(const char* directory);
void DroppedStep(const char* directory);
void IndexedStep(const char* directory);
void IndexedMergeStep(const char* directory);
void UpdatesStep(const char* directory);
void PlacedStep(const char* directory);
void TransactionsStep(const char* directory);
void OptimisticStep(const char* directory);
void BackupsStep(const char* directory);
void FiltersStep(const char* directory);
void RecoveryStep(const char* directory);
void SecondaryStep(const char* directory);
void TtlStep(const char* directory);
void TwoPhaseStep(const char* directory);
void KeptFilesStep(const char* directory);
void FiguresStep(const char* directory);
void PinnedStep(const char* directory);
void TimestampsStep(const char* directory);
void DbPathsStep(const char* directory);
void PerfStep(const char* directory);
void InPlaceStep(const char* directory);

// A database with the options that every step begins with.
typedef struct {
  rocksdb_options_t* options;
  rocksdb_readoptions_t* read;
  rocksdb_writeoptions_t* write;
  rocksdb_t* db;
  char* error;
} Fixture;

Fixture Opened(const char* directory);
void Reopen(Fixture* fixture, const char* directory);
void Closed(Fixture* fixture);

// Prints "WHAT: ok", or the part of the error before its second colon, and takes the error.
void Outcome(const char* what, char** error);
// Ends the program if there is an error.
void MustBeOk(const char* what, char* error);
void Put(Fixture* fixture, const char* key, const char* value);
// Prints "KEY=VALUE", or "KEY is absent".
void PrintValue(Fixture* fixture, const char* key);
void PrintBytes(const char* bytes, size_t size);
// Prints what a function that gets a value answered: its Outcome() under the name of the key, and
// the value, if there is one. Takes both.
void PrintAnswer(const char* key, char* value, size_t size, char** error);
// Prints all records that the iterator shows from where it stands.
void PrintForward(rocksdb_iterator_t* iterator);
void PrintAll(Fixture* fixture);
