// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/commands/commands.h"

namespace varve::cli {

std::span<const Command> CommandTable() {
  static const std::array kTable = {
      kLoad,           kGet,        kMultiGet,        kPut,           kDelete,       kScan,
      kCount,          kDump,       kBatch,           kCompact,       kCheckpoint,   kDiff,
      kLsmShow,        kLsmFiles,   kLsmHistory,      kManifestEdits, kManifestShow, kWalSegments,
      kWalRecords,     kDbOptions,  kDbSetOptions, kDbEvents,        kDbInfo,        kDbVerify,     kSstInfo,
      kSstEntries,     kSstBuild,   kSstVerify,       kBenchList,     kBenchRun,     kBenchCompare,
      kBenchClaims,    kServe,      kOptions,         kCompletion,    kVersion,      kSstSalvage,
      kDbSpace,        kExplainGet, kExplainMultiGet, kExplainScan,   kSstLayout,    kSstIndex,
      kSstFilter,      kSstProbe,   kSstBlocks,       kSstBlock,      kSstHex,       kWalLayout,
      kManifestLayout, kLocate,     kDbRepair,        kShell,         kFamilyList,   kFamilyCreate,
      kFamilyDrop,     kIngest,     kApproxSize,      kSstRecompress, kConfig,
  };
  return kTable;
}

}  // namespace varve::cli
