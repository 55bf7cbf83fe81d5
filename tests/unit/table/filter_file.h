// SPDX-License-Identifier: Apache-2.0
// A file with a filter in it and little else, for the tests of FilterWriter and FilterReader.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/keys/key_order.h"
#include "core/format/table/block_trailer.h"
#include "core/fs/memory_fs.h"
#include "core/table/block/block_fetcher.h"
#include "core/table/filter/filter_reader.h"
#include "core/table/filter/filter_writer.h"

namespace varve {

// The filter of a table whose data blocks have ten keys each.
struct FilterFile {
  static constexpr size_t kKeysOfBlock = 10;

  // `keys` ascend.
  FilterFile(const TableOptions& options, const std::vector<std::string>& keys) {
    const auto file = *fs->Create("000007.sst", false);
    BlockWriter out(file.get(), {});
    IndexBuilder index(options, *BytewiseComparator());
    FilterWriter writer(options);
    enabled = writer.enabled();
    for (size_t i = 0; i < keys.size(); ++i) {
      for (int version = 0; version < 2; ++version) writer.Add(keys[i], version == 0);
      estimated = writer.EstimatedSize();
      if (i + 1 == keys.size()) {
        index.AddLastSeparator(KeyOf(keys[i]));
      } else if (i % kKeysOfBlock == kKeysOfBlock - 1) {
        const bool cut = index.AddSeparator(KeyOf(keys[i]), KeyOf(keys[i + 1]));
        writer.EndBlock(index.separators() - 1, cut);
      }
    }
    const Status finished = writer.Finish(index, &out, &metaindex, &properties);
    REQUIRE_MESSAGE(finished.ok(), finished.ToString());
    encoding = {.user_keys = index.user_keys(), .values = {.delta_encoded = index.delta_values()}};
    REQUIRE(file->Close().ok());
    size = out.offset();
  }

  std::unique_ptr<BlockFetcher> Fetcher(std::shared_ptr<ClockCache> cache = nullptr) const {
    auto fetcher = std::make_unique<BlockFetcher>(*fs->OpenForRead("000007.sst", false), size,
                                                  std::move(cache));
    Footer footer;
    footer.checksum = ChecksumType::kXxh3;
    footer.format_version = 5;
    footer.offset = size;
    fetcher->set_footer(footer);
    return fetcher;
  }
  FilterReader Open(const BlockFetcher& fetcher) const {
    FilterReader reader;
    const std::optional<FilterEntry> entry = FindFilter(metaindex);
    REQUIRE(entry.has_value());
    const Status opened = reader.Open(fetcher, *entry, properties, encoding);
    REQUIRE_MESSAGE(opened.ok(), opened.ToString());
    return reader;
  }

  static InternalKey KeyOf(std::string_view user_key) { return {user_key, 7, ValueType::kValue}; }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
  Metaindex metaindex;
  TableProperties properties;
  IndexEncoding encoding;
  uint64_t size = 0;
  uint64_t estimated = 0;  // Before Finish().
  bool enabled = false;
};

inline bool MayMatch(const FilterReader& reader, const BlockFetcher& fetcher,
                     std::string_view key) {
  Lookup lookup(key, kMaxSequence);
  return reader.MayMatch(BytewiseOrder{}, fetcher, {}, &lookup);
}

}  // namespace varve
