// SPDX-License-Identifier: Apache-2.0
// Every command of `varve`, one constant each, defined in this folder; command_table.cc lists them.
#pragma once

#include <memory>

#include "cli/command.h"

namespace varve::cli {

template <typename T>
std::unique_ptr<Invocation> MakeInvocation() {
  return std::make_unique<T>();
}

// get.cc
extern const Command kGet, kMultiGet;
// write.cc
extern const Command kPut, kDelete, kBatch;
// scan.cc
extern const Command kScan, kCount;
// dump.cc, load.cc, diff.cc
extern const Command kDump, kLoad, kDiff;
// families.cc, ingest.cc, approximate_size.cc, recompress.cc
extern const Command kFamilyList, kFamilyCreate, kFamilyDrop, kIngest, kApproxSize, kSstRecompress;
// configuration.cc
extern const Command kConfig;
// help.cc
extern const Command kHelp;
// maintain.cc
extern const Command kCompact, kCheckpoint;
// db.cc
extern const Command kDbInfo;
// verify.cc
extern const Command kDbVerify, kSstVerify;
// lsm.cc, lsm_history.cc
extern const Command kLsmShow, kLsmFiles, kLsmHistory;
// manifest.cc, wal.cc, db_options.cc
extern const Command kManifestEdits, kManifestShow, kWalSegments, kWalRecords, kDbOptions,
    kDbSetOptions, kDbEvents;
// space.cc
extern const Command kExplainGet, kExplainMultiGet, kExplainScan, kLocate, kSstLayout, kSstIndex,
    kSstFilter, kSstProbe, kSstBlocks, kSstBlock, kSstHex, kWalLayout, kManifestLayout;
extern const Command kDbSpace;
// repair.cc, shell.cc
extern const Command kDbRepair, kShell;
// salvage.cc
extern const Command kSstSalvage;
// sst.cc
extern const Command kSstInfo, kSstEntries, kSstBuild;
// bench/commands.cc, bench/compare.cc
extern const Command kBenchList, kBenchRun, kBenchCompare, kBenchClaims;
// serve.cc
extern const Command kServe;
// about.cc
extern const Command kOptions, kCompletion, kVersion;

}  // namespace varve::cli
