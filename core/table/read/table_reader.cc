// SPDX-License-Identifier: Apache-2.0
#include "core/table/read/table_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/keys/key_order.h"
#include "core/base/keys/unknown_order.h"
#include "core/base/text/text.h"
#include "core/table/read/table_opener.h"
#include "core/table/read/table_search.h"
#include "core/table/read/table_state.h"

namespace varve {
TableReader::TableReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TableReader::~TableReader() = default;

Result<std::unique_ptr<TableReader>> TableReader::Open(std::unique_ptr<RandomAccessFile> file,
                                                       const TableReaderOptions& options) {
  Result<std::unique_ptr<Impl>> impl = OpenTable(std::move(file), options);
  if (!impl.ok()) return impl.status();
  return std::unique_ptr<TableReader>(new TableReader(*std::move(impl)));
}

bool TableReader::Get(const ReadOptions& options, Lookup* lookup, FilterVerdict filter) const {
  const Impl& table = *impl_;
  if (table.comparator == nullptr) {
    lookup->Fail(UnknownOrder("the table", table.comparator_name).At(table.fetcher.Where(0)));
    return true;
  }
  if (table.tombstones != nullptr) {
    lookup->CoverBy(table.tombstones->NewestCovering(lookup->user_key, lookup->snapshot));
  }
  if (filter == FilterVerdict::kNo) return lookup->done();
  WithKeyOrder(*table.comparator, [&](auto order) {
    SearchEntries(order, table, ToFetchOptions(options), filter, lookup);
  });
  return lookup->done();
}

std::unique_ptr<InternalIterator> TableReader::NewIterator(
    const TableIteratorOptions& options) const {
  return NewTableIterator(*impl_, options);
}

std::shared_ptr<const FragmentedTombstones> TableReader::Tombstones() const {
  return impl_->tombstones;
}
bool TableReader::has_tombstones() const { return impl_->tombstones != nullptr; }
const std::vector<RangeTombstone>& TableReader::RawTombstones() const {
  return impl_->raw_tombstones;
}
const TableProperties& TableReader::properties() const { return impl_->properties; }
const Comparator* TableReader::comparator() const { return impl_->comparator; }
const std::string& TableReader::comparator_name() const { return impl_->comparator_name; }
uint32_t TableReader::format_version() const { return impl_->fetcher.footer().format_version; }
bool TableReader::is_leveldb() const {
  return impl_->fetcher.footer().legacy_magic && !impl_->has_properties;
}
ChecksumType TableReader::checksum_type() const { return impl_->fetcher.footer().checksum; }
uint64_t TableReader::file_size() const { return impl_->fetcher.file_size(); }
const Status& TableReader::filter_status() const { return impl_->filter_status; }
const Status& TableReader::point_status() const { return impl_->point_status; }

uint64_t TableReader::MemoryUsage() const {
  const Impl& table = *impl_;
  uint64_t bytes = sizeof(Impl) + table.index.top->memory_bytes() +
                   table.index.heads.memory_bytes() + table.filter.memory_bytes();
  if (table.index.partitions != nullptr) bytes += table.index.partitions->memory_bytes();
  if (table.point != nullptr) bytes += table.point->memory_bytes();
  if (table.fetcher.dictionary() != nullptr) bytes += table.fetcher.dictionary()->memory_bytes();
  for (const RangeTombstone& tombstone : table.raw_tombstones) {
    bytes += sizeof(tombstone) + tombstone.begin.size() + tombstone.end.size();
  }
  if (table.tombstones != nullptr) bytes += table.tombstones->memory_bytes();
  for (const auto& [name, value] : table.properties.raw) bytes += name.size() + value.size();
  return bytes;
}

uint64_t TableReader::DataBytes() const {
  const uint64_t bytes = impl_->properties.data_size;
  const Footer& footer = impl_->fetcher.footer();
  return bytes == 0 || bytes > footer.offset ? footer.metaindex.offset : bytes;
}

uint64_t TableReader::ApproximateOffset(const InternalKey& key) const {
  const Impl& table = *impl_;
  const uint64_t offset = DataBytes();  // Of a key past the last block.
  if (table.comparator == nullptr) return offset;
  IndexCursor index(table.index, table.fetcher, FetchOptions{});
  const bool found =
      WithKeyOrder(*table.comparator, [&](auto order) { return index.Seek(order, key); });
  return found ? std::min(offset, index.handle().offset) : offset;
}

std::vector<std::string> TableReader::SampleUserKeys(size_t count) const {
  CHECK(count > 0);
  const Impl& table = *impl_;
  // Count first: the decoded keys of an index may be many times its size.
  const auto walk = [&](const auto& use) {
    IndexCursor index(table.index, table.fetcher, FetchOptions{});
    for (bool found = index.SeekToFirst(); found; found = index.Next()) {
      std::string_view key = index.key();
      if (!table.index.encoding.user_keys) {
        if (key.size() < kPackedSize) continue;
        key.remove_suffix(kPackedSize);
      }
      use(key);
    }
  };
  size_t total = 0;
  walk([&](std::string_view) { ++total; });
  std::vector<std::string> keys;
  const size_t wanted = std::min(count, total);
  size_t at = 0;
  walk([&](std::string_view key) {
    const size_t next = total <= count ? at : (keys.size() + 1) * total / count - 1;
    if (at++ == next && keys.size() < wanted) keys.emplace_back(key);
  });
  return keys;
}

}  // namespace varve
