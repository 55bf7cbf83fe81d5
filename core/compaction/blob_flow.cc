// SPDX-License-Identifier: Apache-2.0
#include "core/compaction/blob_flow.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/try.h"
#include "core/compaction/forward_iterator.h"
#include "core/format/file_name.h"
#include "core/format/limits.h"
#include "core/format/value/blob_record.h"

namespace varve {
namespace {

class BlobCountingIterator final : public ForwardIterator {
 public:
  BlobCountingIterator(std::unique_ptr<InternalIterator> input, const Comparator& comparator,
                       std::optional<std::string> end, BlobFlow* flow)
      : ForwardIterator(std::move(input)),
        comparator_(comparator),
        end_(std::move(end)),
        flow_(flow) {}

 private:
  void Forget() override {}
  void Take() override {
    ClearFailure();
    if (!input().Valid()) return input().status().ok() ? Exhaust() : Fail(input().status());
    const InternalKey& key = input().key();
    if (key.type == ValueType::kBlobIndex &&
        (!end_ || comparator_.Compare(key.user_key, *end_) < 0)) {
      if (Status added = flow_->Add(key.user_key, input().value()); !added.ok()) {
        return Fail(std::move(added));
      }
    }
    Expose(input());
  }

  const Comparator& comparator_;
  const std::optional<std::string> end_;
  BlobFlow* const flow_;
};

}  // namespace

Status BlobFlow::Add(std::string_view user_key, std::string_view blob_index) {
  ASSIGN_OR_RETURN(const BlobIndex index, DecodeBlobIndex(blob_index, user_key));
  // A reader takes no larger ones either; sums of untrusted sizes would overflow.
  if (index.size > kBlockRawSizeMax) {
    return Status::Corruption(BlobFileName(index.file) + "@" + std::to_string(index.offset) +
                              ": a blob of " + std::to_string(index.size) +
                              " bytes is larger than " + std::to_string(kBlockRawSizeMax));
  }
  Blobs& blobs = files_[index.file];
  blobs.count++;
  blobs.bytes += index.RecordSize(user_key);
  return Status::Ok();
}

void BlobFlow::Add(const BlobFlow& other) {
  for (const auto& [number, more] : other.files_) {
    Blobs& blobs = files_[number];
    blobs.count += more.count;
    blobs.bytes += more.bytes;
  }
}

std::vector<BlobFileGarbage> BlobFlow::Without(const BlobFlow& kept) const {
  std::vector<BlobFileGarbage> garbage;
  for (const auto& [number, blobs] : files_) {
    const auto found = kept.files_.find(number);
    const Blobs left = found == kept.files_.end() ? Blobs() : found->second;
    CHECK(left.count <= blobs.count && left.bytes <= blobs.bytes);
    if (left.count == blobs.count) continue;
    garbage.push_back({number, blobs.count - left.count, blobs.bytes - left.bytes});
  }
  return garbage;
}

std::unique_ptr<InternalIterator> NewBlobCountingIterator(std::unique_ptr<InternalIterator> input,
                                                          const Comparator& comparator,
                                                          std::optional<std::string> end,
                                                          BlobFlow* flow) {
  return std::make_unique<BlobCountingIterator>(std::move(input), comparator, std::move(end), flow);
}

}  // namespace varve
