// SPDX-License-Identifier: Apache-2.0
// The lossless dump: text, one record a line, any bytes.
//
//   #varve-dump 1
//   #cf<TAB>default<TAB>leveldb.BytewiseComparator
//   key<TAB>value                 escaped as everywhere; a key's leading '#' is \x23
//   #cf<TAB>users<TAB>leveldb.BytewiseComparator
//   …
//   #end count=3 xxh3=0123456789abcdef
//
// The digest covers the records, not the text, so `varve db info --digest` gives the same.
#pragma once

#include <string>
#include <string_view>

#include "cli/output/console.h"
#include "core/base/hash/content_digest.h"

namespace varve::cli {

inline constexpr std::string_view kDumpMagic = "#varve-dump 1";

void WriteDumpRecord(Sink& out, std::string_view key, std::string_view value);
std::string DumpFamily(std::string_view name, std::string_view comparator);
std::string DumpTrailer(const ContentDigest& digest);

}  // namespace varve::cli
