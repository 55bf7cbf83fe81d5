// SPDX-License-Identifier: Apache-2.0
#include "cli/input_stream.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstring>

#include "cli/leftovers.h"
#include "core/base/try.h"

namespace varve::cli {
namespace {

constexpr size_t kReadBytes = 1 << 20;
constexpr size_t kLineBytesMax = size_t{1} << 31;

}  // namespace

class InputStream::Decoder {
 public:
  virtual ~Decoder() = default;
  // Unpacks all of `stored`, appending to *plain.
  virtual Status Decode(std::string_view stored, std::string* plain) = 0;
  // Did the compressed stream end where it should?
  virtual bool AtEnd() const = 0;
};

class InputStream::GzipDecoder : public Decoder {
 public:
  GzipDecoder() { inflateInit2(&stream_, 15 + 16); }
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Status Decode(std::string_view stored, std::string* plain) override {
    std::string buffer(kReadBytes, '\0');
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data()));
    stream_.avail_in = static_cast<uInt>(stored.size());
    while (stream_.avail_in > 0) {
      if (at_end_) inflateReset(&stream_);  // Concatenated members.
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream_.avail_out = static_cast<uInt>(buffer.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
        return Status::Corruption(std::string("gzip: ") + (stream_.msg ? stream_.msg : "bad data"));
      }
      at_end_ = code == Z_STREAM_END;
      plain->append(buffer.data(), buffer.size() - stream_.avail_out);
    }
    return Status::Ok();
  }
  bool AtEnd() const override { return at_end_; }

 private:
  z_stream stream_ = {};
  bool at_end_ = false;
};

class InputStream::ZstdDecoder : public Decoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {}
  ~ZstdDecoder() override { ZSTD_freeDCtx(context_); }

  Status Decode(std::string_view stored, std::string* plain) override {
    std::string buffer(ZSTD_DStreamOutSize(), '\0');
    ZSTD_inBuffer in = {stored.data(), stored.size(), 0};
    ZSTD_outBuffer out = {};
    do {  // Once more while the output was full: the decoder may hold bytes back.
      out = {buffer.data(), buffer.size(), 0};
      const size_t code = ZSTD_decompressStream(context_, &out, &in);
      if (ZSTD_isError(code)) {
        return Status::Corruption(std::string("zstd: ") + ZSTD_getErrorName(code));
      }
      at_end_ = code == 0;
      plain->append(buffer.data(), out.pos);
    } while (in.pos < in.size || out.pos == out.size);
    return Status::Ok();
  }
  bool AtEnd() const override { return at_end_; }

 private:
  ZSTD_DCtx* context_;
  bool at_end_ = false;
};

Result<std::unique_ptr<InputStream>> InputStream::Open(const std::string& path) {
  auto stream = std::unique_ptr<InputStream>(new InputStream);
  stream->name_ = path == "-" ? "standard input" : path;
  stream->fd_ = path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (stream->fd_ < 0) return Status::IoError(path + ": " + std::strerror(errno));
  // The first bytes decide; a pipe may deliver them one by one.
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
  if (stream->decoder_ == nullptr) {
    stream->plain_ = std::move(head);
  } else {
    RETURN_IF_ERROR(stream->decoder_->Decode(head, &stream->plain_).At(stream->name_));
  }
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
  if (size < 0) status_ = Status::IoError(name_ + ": " + std::strerror(errno));
  stored_.resize(size > 0 ? static_cast<size_t>(size) : 0);
  stored_bytes_ += stored_.size();
  stored_end_ = stored_end_ || stored_.empty();
  if (stored_end_) EndIfSignalled();
  return !stored_.empty();
}

bool InputStream::Fill() {
  if (!status_.ok() || stored_end_) return false;
  plain_.erase(0, plain_at_);
  plain_at_ = 0;
  const size_t before = plain_.size();
  while (plain_.size() == before) {
    if (!ReadStored()) {
      if (status_.ok() && decoder_ != nullptr && !decoder_->AtEnd()) {
        status_ = Status::Corruption(name_ + ": the compressed stream is cut short");
      }
      return false;
    }
    if (decoder_ == nullptr) {
      plain_ += stored_;
    } else if (Status s = decoder_->Decode(stored_, &plain_); !s.ok()) {
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
