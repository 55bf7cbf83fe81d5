// SPDX-License-Identifier: Apache-2.0
#include "core/table/write/dictionary_sampler.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/codec/compression.h"

namespace varve {
namespace {

// An untrained dictionary is cut from blocks spread over this many times its size.
constexpr uint64_t kUntrainedSpread = 4;

bool CodecTakesDictionary(CompressionType codec) {
  return codec == CompressionType::kZlib || codec == CompressionType::kLz4 ||
         codec == CompressionType::kLz4hc || codec == CompressionType::kZstd;
}

}  // namespace

DictionarySampler::DictionarySampler(const TableOptions& options)
    : dictionary_bytes_(options.compression_dict_bytes),
      train_(options.compression == CompressionType::kZstd && options.zstd_max_train_bytes > 0),
      wanted_bytes_(train_ ? options.zstd_max_train_bytes : dictionary_bytes_ * kUntrainedSpread),
      sampling_(dictionary_bytes_ > 0 && CodecTakesDictionary(options.compression)) {}

std::string DictionarySampler::Make() {
  CHECK(sampling_);
  sampling_ = false;
  if (held_.empty()) return "";
  if (train_) {
    if (std::string trained = TrainZstdDictionary(held_, dictionary_bytes_); !trained.empty()) {
      return trained;
    }
  }
  // Takes the same share of each block, so that the whole key range is represented.
  const uint64_t share = std::max<uint64_t>(1, dictionary_bytes_ / held_.size());
  std::string dictionary;
  for (const std::string& block : held_) {
    CHECK_OP(dictionary.size(), <=, dictionary_bytes_);
    const uint64_t room = dictionary_bytes_ - dictionary.size();
    dictionary.append(block, 0, std::min(share, room));
  }
  return dictionary;
}

std::vector<std::string> DictionarySampler::TakeHeld() {
  CHECK(!sampling_, "Make() was called");
  held_bytes_ = 0;
  return std::exchange(held_, {});
}

}  // namespace varve
