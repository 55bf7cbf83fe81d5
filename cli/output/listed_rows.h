// SPDX-License-Identifier: Apache-2.0
// Descriptions of rows that only the command line lists, not the API (webview/api/schema/fields.h).
// Each is defined beside its command.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/inspect/lsm/lsm_report.h"
#include "core/repair/recompress.h"
#include "varve/option_table.h"
#include "webview/api/schema/fields.h"

namespace varve::cli {
struct Default;
namespace bench {
struct Workload;
}

const api::Fields<FamilyReport>& ListedFamilyFields();  // cf list
const api::Fields<Default>& SettingFields();            // config
const api::Fields<OptionRow>& ListedOptionFields();     // options
const api::Fields<bench::Workload>& WorkloadFields();   // bench list

struct CompressionTrial {
  std::string_view codec;
  uint64_t block_size = 0;
  RecompressedSize size;
};
const api::Fields<CompressionTrial>& CompressionTrialFields();  // sst recompress

}  // namespace varve::cli
