// SPDX-License-Identifier: Apache-2.0
#include "cli/input/external_sort.h"

#include <algorithm>

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/keys/key_order.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr size_t kRunReadBytes = 1 << 20;
constexpr size_t kRunWriteBytes = 1 << 20;

uint64_t HeadOf(std::string_view key) {
  uint64_t head = 0;
  for (size_t i = 0; i < 8; ++i) {
    head = head << 8 | (i < key.size() ? static_cast<uint8_t>(key[i]) : 0);
  }
  return head;
}

}  // namespace

// Reads a run record by record through a sliding buffer.
class ExternalSort::RunReader {
 public:
  static Result<std::unique_ptr<RunReader>> Open(FileSystem& fs, const std::string& path) {
    auto reader = std::unique_ptr<RunReader>(new RunReader);
    ASSIGN_OR_RETURN(reader->file_, fs.OpenForRead(path, /*direct=*/false));
    RETURN_IF_ERROR(reader->Next());
    return reader;
  }

  bool valid() const { return valid_; }
  std::string_view key() const { return key_; }
  std::string_view value() const { return value_; }

  Status Next() {
    for (size_t want = kRunReadBytes;; want *= 2) {
      ByteReader in(std::string_view(buffer_).substr(at_));
      const size_t rest = buffer_.size() - at_;
      if (rest > 0 && in.ReadLengthPrefixed(&key_) && in.ReadLengthPrefixed(&value_)) {
        at_ = buffer_.size() - in.rest().size();
        valid_ = true;
        return Status::Ok();
      }
      valid_ = false;
      if (end_) {
        return rest == 0 ? Status::Ok() : Status::Corruption(file_->path() + ": cut short");
      }
      buffer_.erase(0, at_);
      at_ = 0;
      const size_t before = buffer_.size();
      buffer_.resize(before + want);
      ASSIGN_OR_RETURN(const std::string_view got,
                       file_->Read(offset_, want, buffer_.data() + before));
      end_ = got.size() < want;
      offset_ += got.size();
      buffer_.resize(before + got.size());
    }
  }

 private:
  RunReader() = default;

  std::unique_ptr<RandomAccessFile> file_;
  uint64_t offset_ = 0;
  std::string buffer_;
  size_t at_ = 0;
  bool end_ = false, valid_ = false;
  std::string_view key_, value_;
};

ExternalSort::ExternalSort(FileSystem& fs, std::string directory, const Comparator& order,
                           uint64_t memory)
    : fs_(fs), directory_(std::move(directory)), order_(order), memory_(memory) {}

ExternalSort::~ExternalSort() {
  for (const std::string& run : runs_) fs_.Remove(run).Ignore("a temporary file");
}

std::string_view ExternalSort::KeyAt(uint64_t offset) const {
  ByteReader in(std::string_view(records_).substr(offset));
  std::string_view key;
  in.ReadLengthPrefixed(&key);
  return key;
}

std::string_view ExternalSort::ValueAt(uint64_t offset) const {
  ByteReader in(std::string_view(records_).substr(offset));
  std::string_view key, value;
  in.ReadLengthPrefixed(&key);
  in.ReadLengthPrefixed(&value);
  return value;
}

Status ExternalSort::Add(std::string_view key, std::string_view value) {
  const uint64_t size = key.size() + value.size() + 2 * sizeof(uint64_t) + sizeof(Slot);
  const uint64_t used = records_.size() + slots_.size() * sizeof(Slot);
  if (!slots_.empty() && used + size > memory_) RETURN_IF_ERROR(WriteRun());
  slots_.push_back({HeadOf(key), records_.size()});
  AppendLengthPrefixed(&records_, key);
  AppendLengthPrefixed(&records_, value);
  ++added_;
  return Status::Ok();
}

// Records with equal keys stay in the order of their offsets, oldest first.
void ExternalSort::SortBuffer() {
  WithKeyOrder(order_, [&](auto order) {
    const bool heads = order_.kind() == Comparator::Kind::kBytewise;
    std::sort(slots_.begin(), slots_.end(), [&](const Slot& a, const Slot& b) {
      if (heads && a.head != b.head) return a.head < b.head;
      const int c = order(KeyAt(a.offset), KeyAt(b.offset));
      return c != 0 ? c < 0 : a.offset < b.offset;
    });
  });
}

Status ExternalSort::WriteRun() {
  SortBuffer();
  const std::string path = directory_ + "/run-" + std::to_string(runs_.size());
  ASSIGN_OR_RETURN(const auto file, fs_.Create(path, /*direct=*/false));
  runs_.push_back(path);
  std::string buffer;
  for (const Slot& slot : slots_) {
    AppendLengthPrefixed(&buffer, KeyAt(slot.offset));
    AppendLengthPrefixed(&buffer, ValueAt(slot.offset));
    if (buffer.size() >= kRunWriteBytes) {
      RETURN_IF_ERROR(file->Append(buffer));
      buffer.clear();
    }
  }
  RETURN_IF_ERROR(file->Append(buffer));
  slots_.clear();
  records_.clear();
  return file->Close();
}

Status ExternalSort::Drain(const std::function<Status(std::string_view, std::string_view)>& use) {
  if (runs_.empty()) {
    SortBuffer();
    for (size_t i = 0; i < slots_.size(); ++i) {
      const std::string_view key = KeyAt(slots_[i].offset);
      if (i + 1 < slots_.size() && order_.Compare(key, KeyAt(slots_[i + 1].offset)) == 0) continue;
      RETURN_IF_ERROR(use(key, ValueAt(slots_[i].offset)));
    }
    return Status::Ok();
  }
  if (!slots_.empty()) RETURN_IF_ERROR(WriteRun());
  records_.shrink_to_fit();
  std::vector<std::unique_ptr<RunReader>> readers;
  std::vector<size_t> heap;  // Indexes of readers; the smallest key, newest run first, on top.
  for (const std::string& run : runs_) {
    ASSIGN_OR_RETURN(auto reader, RunReader::Open(fs_, run));
    if (reader->valid()) heap.push_back(readers.size());
    readers.push_back(std::move(reader));
  }
  const auto after = [&](size_t a, size_t b) {
    const int c = order_.Compare(readers[a]->key(), readers[b]->key());
    return c != 0 ? c > 0 : a < b;
  };
  std::make_heap(heap.begin(), heap.end(), after);
  std::string last_key;
  bool any = false;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), after);
    RunReader& top = *readers[heap.back()];
    // Within a run, the last record of a key counts.
    std::string value(top.value());
    std::string key(top.key());
    do {
      RETURN_IF_ERROR(top.Next());
      if (top.valid() && top.key() == key) value = top.value();
    } while (top.valid() && top.key() == key);
    if (top.valid()) {
      std::push_heap(heap.begin(), heap.end(), after);
    } else {
      heap.pop_back();
    }
    if (any && key == last_key) continue;  // A newer run had the key.
    RETURN_IF_ERROR(use(key, value));
    last_key = std::move(key);
    any = true;
  }
  return Status::Ok();
}

}  // namespace varve::cli
