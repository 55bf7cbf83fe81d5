// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/commands/commands.h"

namespace varve::cli {

std::span<const Command> CommandTable() {
  // In the order of the help: the most used first, related ones together.
  // clang-format off
  static const std::array kTable = {
      kLoad,           kGet,          kMultiGet,        kPut,           kDelete,      kBatch,
      kScan,           kCount,        kDump,            kDiff,          kCompact,     kCompactWorker, kCheckpoint,
      kSnapshot,       kIngest,       kApproxSize,      kFamilyList,    kFamilyCreate, kFamilyDrop,
      kShell,         kLdb,
#ifdef VARVE_HAS_HTTP
      kServe,          kUsersAdd,     kUsersList,       kUsersRemove,
#endif
      kDbInfo,       kDbVerify,        kDbRepair,      kDbSpace,     kDbOptions,
      kDbSetOptions,   kDbEvents,     kLsmShow,         kLsmFiles,      kLsmHistory,  kLocate,
      kExplainGet,     kExplainScan,  kExplainMultiGet, kManifestEdits, kManifestShow,
      kManifestLayout, kWalSegments,  kWalRecords,      kWalLayout,     kSstInfo,     kSstEntries,
      kSstBuild,       kSstVerify,    kSstSalvage,      kSstLayout,     kSstIndex,    kSstFilter,
      kSstProbe,       kSstBlocks,    kSstBlock,        kSstHex,        kSstRecompress,
#ifdef VARVE_HAS_BENCH
      kBenchList,      kBenchRun,     kBenchCompare,    kBenchClaims,
#endif
      kOptions,        kConfig,       kHelp,            kCompletion,    kVersion,
  };
  // clang-format on
  return kTable;
}

}  // namespace varve::cli
