// SPDX-License-Identifier: Apache-2.0
// Query parameters that routes of several resources have.
#pragma once

#include "webview/api/json/bytes_json.h"
#include "webview/api/routing/parameter.h"

namespace varve::api::query {

inline constexpr QueryParameter kOnlyFamily = {"cf", ParameterType::kName,
                                               "of this column family only"};
inline constexpr QueryParameter kEdit = {"edit", ParameterType::kNumber,
                                         "as after this edit; the newest if not given"};
inline constexpr QueryParameter kAtSeq = {"at_seq", ParameterType::kNumber,
                                          "as of this sequence number"};
inline constexpr QueryParameter kBytes = {"bytes", ParameterType::kChoice,
                                          "how keys and values are shown", kBytesChoices};
inline constexpr QueryParameter kKey = {"key", ParameterType::kKey, "the key", {}, true};
inline constexpr QueryParameter kFrom = {"from", ParameterType::kKey, "first key"};
inline constexpr QueryParameter kTo = {"to", ParameterType::kKey, "exclusive end of the range"};
inline constexpr QueryParameter kPrefix = {"prefix", ParameterType::kKey,
                                           "only keys with this prefix"};

}  // namespace varve::api::query
