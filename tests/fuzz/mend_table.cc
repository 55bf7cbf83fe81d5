// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mend_table.h"

#include <cstring>
#include <memory>
#include <random>

#include "core/format/table/block_trailer.h"
#include "core/format/table/footer.h"
#include "core/fs/memory_fs.h"
#include "core/inspect/table/table_layout.h"

namespace varve::fuzz {
namespace {

constexpr size_t kFooterChecksumAt = 5;  // From format_version 6 on: footer.h.
constexpr size_t kVersionAt = 41;

void MendBlock(std::string* table, BlockHandle block, const Footer& footer) {
  if (!block.FitsBelow(footer.offset)) return;
  char* const payload = table->data() + block.offset;
  const uint32_t sum = ComputeBlockChecksum(footer.checksum, {payload, block.size},
                                            static_cast<uint8_t>(payload[block.size]),
                                            footer.base_context_checksum, block.offset);
  std::memcpy(payload + block.size + 1, &sum, sizeof(sum));
}

void MendFooter(std::string* table) {
  if (table->size() < kFooterSize) return;
  char* const footer = table->data() + table->size() - kFooterSize;
  if (footer[kVersionAt] != 6 && footer[kVersionAt] != 7) return;
  if (static_cast<uint8_t>(footer[0]) > static_cast<uint8_t>(ChecksumType::kXxh3)) return;
  uint32_t sum = 0, base = 0;
  std::memcpy(footer + kFooterChecksumAt, &sum, sizeof(sum));
  std::memcpy(&base, footer + kFooterChecksumAt + 4, sizeof(base));
  sum = ComputeStringChecksum(static_cast<ChecksumType>(footer[0]), {footer, kFooterSize}, base,
                              table->size() - kFooterSize);
  std::memcpy(footer + kFooterChecksumAt, &sum, sizeof(sum));
}

std::vector<BlockHandle> MendBlocks(std::string* table, const Footer& footer) {
  std::vector<BlockHandle> blocks = {footer.metaindex};
  if (footer.index) blocks.push_back(*footer.index);
  for (const BlockHandle block : blocks) MendBlock(table, block, footer);
  // The metaindex leads to more blocks, the index of some tables to more indexes, and they to data.
  for (int level = 0; level < 3; ++level) {
    const auto fs = NewMemoryFileSystem();
    WriteFile(*fs, "table", *table);
    const auto layout = TableLayout::Open(*fs, "table");
    if (!layout.ok()) break;
    blocks.clear();
    for (const TablePart& part : (*layout)->parts()) {
      if (!part.is_block()) continue;
      MendBlock(table, part.handle(), footer);
      blocks.push_back(part.handle());
    }
  }
  return blocks;
}

}  // namespace

std::vector<BlockHandle> MendTable(std::string* table) {
  MendFooter(table);
  const auto footer = DecodeFooter(*table, table->size());
  return footer.ok() ? MendBlocks(table, *footer) : std::vector<BlockHandle>();
}

void ChangeTable(std::string* table, size_t size_max, uint32_t seed, const AnyChange& any) {
  std::minstd_rand random(seed);
  const std::vector<BlockHandle> blocks = MendTable(table);
  if (blocks.empty() || random() % 8 == 0) {
    ChangeAll(table, size_max, any);
  } else {
    const BlockHandle block = blocks[random() % blocks.size()];
    if (!block.FitsBelow(table->size())) return;
    ChangePart(table, block.offset, block.size, any);
  }
  MendTable(table);
}

}  // namespace varve::fuzz
