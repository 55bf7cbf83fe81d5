// SPDX-License-Identifier: Apache-2.0
#include "cli/input/input_stream.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/process/leftovers.h"
#include "cli/process/system_error.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr size_t kPieceBytes = 256 << 10;  // Unpacked at once.
constexpr size_t kLineBytesMax = size_t{1} << 31;

}  // namespace

class InputStream::Decoder {
 public:
  virtual ~Decoder() = default;
  // Consumes bytes from the front of *stored and appends their decompressed form to *plain: a
  // bounded piece, since a few stored bytes may decompress to gigabytes. Without stored bytes,
  // returns what it held back.
  virtual Status Decode(std::string_view* stored, std::string* plain) = 0;
  // Whether more output can be produced from consumed bytes.
  virtual bool HoldsBack() const = 0;
  // Whether the compressed stream ended properly.
  virtual bool AtEnd() const = 0;
};

class InputStream::GzipDecoder : public Decoder {
 public:
  GzipDecoder() { inflateInit2(&stream_, 15 + 16); }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Status Decode(std::string_view* stored, std::string* plain) override {
    if (at_end_) inflateReset(&stream_);  // Concatenated members.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored->data()));
    stream_.avail_in = static_cast<uInt>(stored->size());
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      return Status::Corruption(std::string("gzip: ") + (stream_.msg ? stream_.msg : "bad data"));
    }
    at_end_ = code == Z_STREAM_END;
    stored->remove_prefix(stored->size() - stream_.avail_in);
    plain->append(buffer_.data(), buffer_.size() - stream_.avail_out);
    return Status::Ok();
  }
  bool HoldsBack() const override { return !at_end_ && stream_.avail_out == 0; }
  bool AtEnd() const override { return at_end_; }

 private:
  z_stream stream_ = {};
  std::string buffer_ = std::string(kPieceBytes, '\0');
  bool at_end_ = false;
};

class InputStream::ZstdDecoder : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {}
  ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }

  Status Decode(std::string_view* stored, std::string* plain) override {
    ZSTD_inBuffer in = {stored->data(), stored->size(), 0};
    ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
    const size_t code = ZSTD_decompressStream(context_, &out, &in);
    if (ZSTD_isError(code)) {
      return Status::Corruption(std::string("zstd: ") + ZSTD_getErrorName(code));
    }
    // At the end of a frame all output has been produced. Another call would begin a new frame.
    at_end_ = code == 0;
    holds_back_ = !at_end_ && out.pos == out.size;
    stored->remove_prefix(in.pos);
    plain->append(buffer_.data(), out.pos);
    return Status::Ok();
  }
  bool HoldsBack() const override { return holds_back_; }
  bool AtEnd() const override { return at_end_; }

 private:
  ZSTD_DCtx* context_;
  std::string buffer_ = std::string(kPieceBytes, '\0');
  bool at_end_ = false, holds_back_ = false;
};

Result<std::unique_ptr<InputStream>> InputStream::Open(const std::string& path) {
  auto stream = std::unique_ptr<InputStream>(new InputStream);
  stream->name_ = path == "-" ? "standard input" : path;
  stream->fd_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (stream->fd_ < 0) return SystemError(path);
  // The first bytes determine the format; a pipe may deliver them one by one.
  std::string head;
  while (head.size() < 4 && stream->ReadStored()) head += stream->stored_;
  RETURN_IF_ERROR(stream->status_);
  if (head.starts_with("\x1f\x8b")) {
    stream->decoder_ = std::make_unique<GzipDecoder>();
    stream->compression_ = "gzip";
  }
  if (head.starts_with("\x28\xb5\x2f\xfd")) {
    stream->decoder_ = std::make_unique<ZstdDecoder>();
    stream->compression_ = "zstd";
  }
  stream->stored_ = std::move(head);
  stream->rest_ = stream->stored_;
  return stream;
}

InputStream::~InputStream() {
  if (fd_ > STDIN_FILENO) close(fd_);
}

bool InputStream::ReadStored() {
  stored_.resize(kReadBytes);
  ssize_t size = -1;
  do {
    size = read(fd_, stored_.data(), stored_.size());
  } while (size < 0 && errno == EINTR);
  if (size < 0) status_ = SystemError(name_);
  stored_.resize(size > 0 ? static_cast<size_t>(size) : 0);
  rest_ = stored_;
  stored_bytes_ += stored_.size();
  stored_end_ = stored_end_ || stored_.empty();
  if (stored_end_) EndIfSignalled();
  return !stored_.empty();
}

bool InputStream::Fill() {
  if (!status_.ok() || (stored_end_ && rest_.empty())) return false;
  plain_.erase(0, plain_at_);
  plain_at_ = 0;
  const size_t before = plain_.size();
  while (plain_.size() == before) {
    const bool has_more = !rest_.empty() || (decoder_ != nullptr && decoder_->HoldsBack());
    if (!has_more && !ReadStored()) {
      if (status_.ok() && decoder_ != nullptr && !decoder_->AtEnd()) {
        status_ = Status::Corruption(name_ + ": the compressed stream is cut short");
      }
      return false;
    }
    if (decoder_ == nullptr) {
      plain_ += std::exchange(rest_, {});
    } else if (Status s = decoder_->Decode(&rest_, &plain_); !s.ok()) {
      status_ = s.At(name_);
      return false;
    }
  }
  return true;
}

std::string_view InputStream::Peek(size_t size) {
  const auto rest = [this] { return std::string_view(plain_).substr(plain_at_); };
  while (rest().size() < size && rest().find('\n') == std::string_view::npos && Fill()) {
  }
  return rest();
}

bool InputStream::Read(uint64_t size, std::string_view* out) {
  while (plain_.size() - plain_at_ < size) {
    if (!Fill()) return false;
  }
  *out = std::string_view(plain_).substr(plain_at_, static_cast<size_t>(size));
  plain_at_ += static_cast<size_t>(size);
  return true;
}

bool InputStream::ReadUntil(char delimiter, std::string_view* out) {
  size_t searched = plain_at_;
  for (;;) {
    const size_t end = plain_.find(delimiter, searched);
    if (end != std::string::npos) {
      *out = std::string_view(plain_).substr(plain_at_, end - plain_at_);
      plain_at_ = end + 1;
      return true;
    }
    searched = plain_.size() - plain_at_;  // Fill() moves the rest to the front.
    if (searched > kLineBytesMax) {
      status_ = Status::InvalidArgument(name_ + ": a record is longer than 2 GiB");
      return false;
    }
    if (!Fill()) break;
  }
  if (!status_.ok() || plain_at_ == plain_.size()) return false;
  *out = std::string_view(plain_).substr(plain_at_);
  plain_at_ = plain_.size();
  return true;
}

}  // namespace varve::cli
