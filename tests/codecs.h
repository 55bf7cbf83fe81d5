// SPDX-License-Identifier: Apache-2.0
// Lists of the codecs that blocks are compressed with.
#pragma once

#include <span>

#include "varve/options.h"

namespace varve {

inline constexpr CompressionType kCompressionTypes[] = {
    CompressionType::kNone,  CompressionType::kSnappy, CompressionType::kZlib,
    CompressionType::kBzip2, CompressionType::kLz4,    CompressionType::kLz4hc,
    CompressionType::kZstd};
// All but kNone.
inline constexpr std::span<const CompressionType> kCodecs =
    std::span(kCompressionTypes).subspan<1>();
// Those that take a dictionary.
inline constexpr CompressionType kDictionaryCodecs[] = {
    CompressionType::kZlib, CompressionType::kLz4, CompressionType::kLz4hc, CompressionType::kZstd};

}  // namespace varve
