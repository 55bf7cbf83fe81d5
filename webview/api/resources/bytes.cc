// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/bytes: a table as it lies on disk, or a range of it.
#include <algorithm>

#include "core/base/try.h"
#include "webview/api/byte_range.h"
#include "webview/api/call.h"
#include "webview/api/resources/resources.h"

namespace varve::api {
namespace {

constexpr uint64_t kPieceBytes = 64 << 10;

class FileBytes : public BodyStream {
 public:
  FileBytes(std::shared_ptr<Target> target, std::unique_ptr<RandomAccessFile> file, ByteRange range)
      : target_(std::move(target)), file_(std::move(file)), range_(range) {}

  // A failure ends the body early: shorter than Content-Length, which is how a client sees it.
  Event Next(std::string* piece) override {
    if (range_.size == 0) return Event::kEnd;
    buffer_.resize(std::min(range_.size, kPieceBytes));
    const Result<std::string_view> bytes =
        file_->Read(range_.offset, buffer_.size(), buffer_.data());
    if (!bytes.ok() || bytes->empty()) return Event::kEnd;
    piece->assign(*bytes);
    range_.offset += bytes->size();
    range_.size -= bytes->size();
    return Event::kPiece;
  }

 private:
  const std::shared_ptr<Target> target_;
  const std::unique_ptr<RandomAccessFile> file_;
  ByteRange range_;
  std::string buffer_;
};

}  // namespace

Reply GetBytes(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile table, call.File());
  ASSIGN_OR_RETURN(auto file, call.target().fs().OpenForRead(table.path, /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  Response response{
      .headers = {{"Content-Type", std::string(kBytesType)}, {"Accept-Ranges", "bytes"}}};
  ByteRange range{0, size};
  if (const std::string* asked = FindHeader(call.request().headers, "Range")) {
    const auto parsed = ParseRange(*asked, size);
    if (!parsed.ok()) {
      Response refused = parsed.status().ToResponse();
      refused.headers.emplace_back("Content-Range", "bytes */" + std::to_string(size));
      return refused;
    }
    if (*parsed) {
      range = **parsed;
      response.status = 206;
      response.headers.emplace_back("Content-Range",
                                    "bytes " + std::to_string(range.offset) + "-" +
                                        std::to_string(range.offset + range.size - 1) + "/" +
                                        std::to_string(size));
    }
  }
  response.content_length = range.size;
  response.stream = std::make_unique<FileBytes>(call.shared_target(), std::move(file), range);
  return response;
}

}  // namespace varve::api
