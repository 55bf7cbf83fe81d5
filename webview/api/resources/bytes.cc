// SPDX-License-Identifier: Apache-2.0
// GET …/files/{n}/bytes, …/files/{n}/hex: the bytes of a table, or a range of them; one block, as
// stored or decompressed.
#include <algorithm>

#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/inspect/table/table_layout.h"
#include "webview/api/resources/resources.h"
#include "webview/api/routing/byte_range.h"
#include "webview/api/routing/call.h"
#include "webview/api/schema/fields.h"

namespace varve::api {
namespace {

constexpr uint64_t kPieceBytes = 64 << 10;
constexpr uint64_t kHexDefault = 512, kHexMax = 64 << 10;

class FileBytes : public BodyStream {
 public:
  FileBytes(std::shared_ptr<Target> target, std::unique_ptr<RandomAccessFile> file, ByteRange range)
      : target_(std::move(target)), file_(std::move(file)), range_(range) {}

  // On an error the body ends early: shorter than Content-Length, by which clients detect it.
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

// The range that the request asks for; sets the headers of *response accordingly.
Answer<ByteRange> Choose(const Call& call, uint64_t size, Response* response) {
  ByteRange range{0, size};
  const std::string* asked = FindHeader(call.request().headers, "Range");
  if (asked == nullptr) return range;
  ASSIGN_OR_RETURN(const std::optional<ByteRange> parsed, ParseRange(*asked, size));
  if (!parsed) return range;
  range = *parsed;
  response->status = 206;
  response->headers.emplace_back("Content-Range",
                                 "bytes " + std::to_string(range.offset) + "-" +
                                     std::to_string(range.offset + range.size - 1) + "/" +
                                     std::to_string(size));
  return range;
}

Reply Unsatisfiable(const Problem& problem, uint64_t size) {
  Response refused = problem.ToResponse();
  refused.headers.emplace_back("Content-Range", "bytes */" + std::to_string(size));
  return refused;
}

Response EmptyResponse() {
  return {.headers = {{"Content-Type", std::string(kBytesType)}, {"Accept-Ranges", "bytes"}}};
}

// A block, as stored or decompressed.
Answer<std::string> ReadBlock(const Call& call, const std::string& path, uint64_t offset) {
  ASSIGN_OR_RETURN(const auto layout, TableLayout::Open(call.target().fs(), path));
  const TablePart* part = layout->Find(offset);
  if (part == nullptr) {
    if (!layout->status().ok()) return Problem::OfReading(layout->status());
    return Problem("block_not_found", "no block of the table begins at " + std::to_string(offset));
  }
  if (call.Flag("decoded")) {
    ASSIGN_OR_RETURN(const auto block, layout->Decoded(*part));
    return std::string(block->bytes());
  }
  ASSIGN_OR_RETURN(std::string stored, layout->Stored(*part));
  return stored;
}

Reply BlockBytes(const Call& call, const std::string& path, uint64_t offset) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadBlock(call, path, offset));
  Response response = EmptyResponse();
  const Answer<ByteRange> range = Choose(call, bytes.size(), &response);
  if (!range.ok()) return Unsatisfiable(range.status(), bytes.size());
  response.body =
      bytes.substr(static_cast<size_t>(range->offset), static_cast<size_t>(range->size));
  return response;
}

// Some bytes of a file or a block.
struct HexView {
  uint64_t offset, total;
  const std::string& bytes;
};

const Fields<HexView>& HexFields() {
  static const auto fields =
      Fields<HexView>()
          .Number("offset", Unit::kOffset, &HexView::offset, "of the first of them")
          .Number(
              "size", Unit::kBytes, [](const HexView& view) { return view.bytes.size(); },
              "how many they are")
          .Number("total", Unit::kBytes, &HexView::total, "of the file, or of the block")
          .Text("hex", [](const HexView& view) { return HexBytes(view.bytes); }, "two digits each");
  return fields;
}

Reply GetBytes(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile table, call.File());
  if (const std::optional<uint64_t> block = call.Number("block")) {
    return BlockBytes(call, table.path, *block);
  }
  if (call.Flag("decoded")) return Problem("bad_request", "decoded needs block");
  ASSIGN_OR_RETURN(auto file, call.target().fs().OpenForRead(table.path, /*direct=*/false));
  ASSIGN_OR_RETURN(const uint64_t size, file->Size());
  Response response = EmptyResponse();
  const Answer<ByteRange> range = Choose(call, size, &response);
  if (!range.ok()) return Unsatisfiable(range.status(), size);
  response.content_length = range->size;
  response.stream = std::make_unique<FileBytes>(call.shared_target(), std::move(file), *range);
  return response;
}

Reply GetHex(const Call& call) {
  ASSIGN_OR_RETURN(const TableFile table, call.File());
  const uint64_t offset = call.Number("offset").value_or(0);
  const uint64_t wanted = std::min(call.Number("size").value_or(kHexDefault), kHexMax);
  if (call.Flag("decoded") && !call.Has("block")) {
    return Problem("bad_request", "decoded needs block");
  }
  std::string bytes;
  uint64_t total = 0;
  if (const std::optional<uint64_t> block = call.Number("block")) {
    ASSIGN_OR_RETURN(bytes, ReadBlock(call, table.path, *block));
    total = bytes.size();
    if (offset <= total) bytes = bytes.substr(static_cast<size_t>(offset), wanted);
  } else {
    ASSIGN_OR_RETURN(const auto file, call.target().fs().OpenForRead(table.path, false));
    ASSIGN_OR_RETURN(total, file->Size());
    std::string buffer(static_cast<size_t>(std::min(wanted, total - std::min(total, offset))), 0);
    ASSIGN_OR_RETURN(const std::string_view read, file->Read(offset, buffer.size(), buffer.data()));
    bytes = read;
  }
  if (offset > 0 && offset >= total) {
    return NoByteAt(offset, call.Has("block") ? "the block" : table.name, total);
  }
  Json json = call.Head();
  HexFields().AddTo(&json, {offset, total, bytes});
  return json;
}

constexpr DocumentSchema kHexDocument = {.name = "varve.hex/1", .make = [](std::string_view name) {
                                           return Document(name, HexFields().Members());
                                         }};

}  // namespace

std::span<const Route> BytesRoutes() {
  using enum ParameterType;
  static constexpr Route kRoutes[] = {
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/hex",
       .handler = GetHex,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = kHexDocument,
       .summary = "some bytes of a table or of a block, in hexadecimal",
       .parameters = {{"offset", kNumber, "the first; 0 if not given"},
                      {"size", kNumber, "how many; 512 if not given, at most 65536"},
                      {"block", kNumber, "only the block that begins at this offset"},
                      {"decoded", kFlag, "the decompressed contents of the block"}}},
      {.method = Method::kGet,
       .pattern = "/targets/{t}/files/{n}/bytes",
       .handler = GetBytes,
       .auth = Auth::kRead,
       .part = Part::kFile,
       .max_rows = kNoRows,
       .cost = Cost::kFile,
       .documents = Documents::None(),
       .summary = "a table as it lies on disk, or one block of it; understands Range",
       .parameters = {{"block", kNumber, "the offset of a block: its bytes, trailer included"},
                      {"decoded", kFlag, "what the block decompresses to"}}},
  };
  static_assert(AreSound(kRoutes));
  return kRoutes;
}

}  // namespace varve::api
