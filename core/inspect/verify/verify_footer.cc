// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/bytes/byte_reader.h"
#include "core/format/internal_key.h"
#include "core/format/table/block_trailer.h"
#include "core/format/table/footer.h"
#include "core/inspect/verify/findings.h"

namespace varve {
namespace {

constexpr uint64_t kMetaBlockBytesMax = uint64_t{256} << 20;

// Whether the bytes at `handle` are a block with a valid checksum.
bool Verifies(const RandomAccessFile& file, const Footer& footer, BlockHandle handle) {
  const uint64_t size = handle.size + kBlockTrailerSize;
  if (!handle.FitsBelow(footer.offset) || size > kMetaBlockBytesMax) return false;
  std::string buffer(size, '\0');
  const auto stored = file.Read(handle.offset, size, buffer.data());
  return stored.ok() && stored->size() == size &&
         SplitTrailer(*stored, footer.checksum, footer.base_context_checksum, handle.offset).ok();
}

}  // namespace

void ReportUnopenable(const RandomAccessFile& file, const std::string& name,
                      const ExpectedTable& expected, const Status& failure, Findings* findings) {
  std::optional<std::string> from, to;
  if (expected.description != nullptr) {
    if (const auto key = DecodeInternalKey(expected.description->smallest)) from = key->user_key;
    if (const auto key = DecodeInternalKey(expected.description->largest)) to = key->user_key;
  }
  findings->AddFailure("table", name, failure, from, to);
  const auto size = file.Size();
  if (!size.ok()) return;
  std::string buffer(std::min(*size, kFooterSize), '\0');
  const auto tail = file.Read(*size - buffer.size(), buffer.size(), buffer.data());
  if (!tail.ok() || tail->size() != buffer.size()) return;
  const auto footer = DecodeFooter(*tail, *size);
  const auto blame = [&](uint64_t offset, std::string what) {
    findings->Add({.layer = "footer",
                   .file = name,
                   .offset = offset,
                   .what = std::move(what),
                   .key_from = from,
                   .key_to = to});
  };
  if (footer.status().code() == Code::kNotSupported) return;
  if (!footer.ok()) {
    // Both forms of footer include this byte.
    const uint64_t at = *size - std::min(*size, kLegacyFooterSize);
    return blame(at, "the footer is broken: " + std::string(footer.status().message()));
  }
  if (footer->checksum == ChecksumType::kNone) {
    findings->Warn("table", name, std::string(kNoChecksums));
  }
  if (!Verifies(file, *footer, footer->metaindex)) {
    blame(footer->offset, "no metaindex verifies at " + std::to_string(footer->metaindex.offset) +
                              ", where the footer says it is");
  } else if (footer->index && !Verifies(file, *footer, *footer->index)) {
    blame(footer->offset, "no index verifies at " + std::to_string(footer->index->offset) +
                              ", where the footer says it is");
  } else if (footer->format_version < 6 && failure.code() == Code::kCorruption) {
    blame(footer->offset, "its blocks verify, but do not decode as format_version " +
                              std::to_string(footer->format_version) + " has it");
  }
}

}  // namespace varve
