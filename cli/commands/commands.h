// SPDX-License-Identifier: Apache-2.0
// Every command of `varve`, one constant each, defined in the folder that is named;
// command_table.cc lists them.
#pragma once

#include <memory>

#include "cli/command.h"

namespace varve::cli {

template <typename T>
std::unique_ptr<Invocation> MakeInvocation() {
  return std::make_unique<T>();
}

// data: get.cc, write.cc, scan.cc, load.cc, dump.cc, diff.cc, ingest.cc, approximate_size.cc,
// families.cc
extern const Command kGet, kMultiGet, kPut, kDelete, kBatch, kScan, kCount, kLoad, kDump, kDiff,
    kIngest, kApproxSize, kFamilyList, kFamilyCreate, kFamilyDrop;
// inspect: db_info.cc, space.cc, lsm.cc, lsm_history.cc, explain.cc, explain_scan.cc
extern const Command kDbInfo, kDbSpace, kLsmShow, kLsmFiles, kLsmHistory, kExplainGet,
    kExplainMultiGet, kLocate, kExplainScan;
// inspect: manifest.cc, wal.cc, layout.cc
extern const Command kManifestEdits, kManifestShow, kManifestLayout, kWalSegments, kWalRecords,
    kWalLayout;
// inspect: sst.cc, layout.cc, sst_index.cc, sst_blocks.cc, sst_filter.cc, sst_hex.cc
extern const Command kSstInfo, kSstEntries, kSstBuild, kSstLayout, kSstIndex, kSstBlocks, kSstBlock,
    kSstFilter, kSstProbe, kSstHex;
// maintain: compact.cc, checkpoint.cc, verify.cc, repair.cc, salvage.cc, recompress.cc,
// db_options.cc
extern const Command kCompact, kCompactWorker, kCheckpoint, kSnapshot, kDbVerify, kSstVerify,
    kDbRepair, kSstSalvage, kSstRecompress, kDbOptions, kDbSetOptions, kDbEvents;
// program: help.cc, shell.cc, ldb.cc, serve.cc, users.cc, config.cc,
// options_completion_version.cc
extern const Command kHelp, kShell, kLdb, kServe, kUsersAdd, kUsersList, kUsersRemove, kConfig,
    kOptions, kCompletion, kVersion;
// bench: commands.cc, compare.cc, claims_command.cc
extern const Command kBenchList, kBenchRun, kBenchCompare, kBenchClaims;

}  // namespace varve::cli
