// SPDX-License-Identifier: Apache-2.0
#include "webview/api/json/entry_rows.h"

#include "core/base/bytes/byte_reader.h"
#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"
#include "webview/api/json/summaries.h"

namespace varve::api {
namespace {

enum PositionKind : uint8_t {
  kOfKey = 1,            // The `skip`th entry of `key`.
  kOfRangeDeletion = 2,  // The `skip`th range deletion.
  kOfNumber = 3,         // The `skip`th entry of all; used if keys cannot be compared.
};

struct Position {
  uint8_t kind = kOfNumber;
  uint64_t skip = 0;
  std::string_view key = {};

  std::string Encode() const {
    std::string bytes(1, static_cast<char>(kind));
    AppendVarint64(&bytes, skip);
    return bytes.append(key);
  }
  static std::optional<Position> Decode(std::string_view bytes) {
    if (bytes.empty()) return Position{};
    ByteReader in(bytes);
    Position position;
    if (!in.ReadByte(&position.kind) || !in.ReadVarint64(&position.skip)) return std::nullopt;
    if (position.kind < kOfKey || position.kind > kOfNumber) return std::nullopt;
    position.key = in.rest();
    return position;
  }
};

class EntrySource : public RowSource {
 public:
  EntrySource(const Call& call, EntryStream stream, const EntryRows& rows)
      : call_(call), stream_(std::move(stream)), keys_only_(rows.keys_only), style_(call.bytes()) {}

  // The first row will be the one at `from`.
  void Begin(const Position& from) {
    if (from.kind == kOfRangeDeletion) {
      in_range_deletions_ = true;
    } else if (from.kind == kOfKey) {
      key_ = from.key;
    }
    StoredEntry passed;
    for (uint64_t i = 0; i < from.skip && Advance(&passed); ++i) {
    }
  }

  bool Next(Row* row) override {
    StoredEntry entry;
    if (!Advance(&entry)) return false;
    row->position = CurrentPosition();
    row->json = EntryFields().ToJson(
        {entry, keys_only_}, {style_, [this, row] { return call_.RowHref(row->position); }});
    return true;
  }
  const Status& status() const override { return stream_.status(); }

 private:
  bool Advance(StoredEntry* entry) {
    if (!stream_.Next(entry)) return false;
    ++number_;
    if (entry->type == "range_delete") {
      in_range_deletions_ = true;
      ++range_deletions_;
    } else if (entry->key == key_) {
      ++of_key_;
    } else {
      key_ = entry->key;
      of_key_ = 1;
    }
    return true;
  }
  std::string CurrentPosition() const {
    if (!stream_.can_seek()) return Position{kOfNumber, number_ - 1}.Encode();
    if (in_range_deletions_) return Position{kOfRangeDeletion, range_deletions_ - 1}.Encode();
    return Position{kOfKey, of_key_ - 1, key_}.Encode();
  }

  const Call call_;
  EntryStream stream_;
  const bool keys_only_;
  const BytesStyle style_;
  std::string key_;  // Of the last entry.
  uint64_t of_key_ = 0, number_ = 0, range_deletions_ = 0;
  bool in_range_deletions_ = false;
};

}  // namespace

Answer<std::unique_ptr<RowSource>> NewEntryRows(const Call& call, EntryRows rows) {
  const std::optional<Position> position = Position::Decode(call.position());
  if (!position) return Problem("page_token_mismatch", "page_token has no position among entries");
  EntryRange range = rows.range;
  if (position->kind == kOfKey) range.start = std::string(position->key);
  range.range_deletions_only = position->kind == kOfRangeDeletion;
  ASSIGN_OR_RETURN(EntryStream stream, rows.open(range));
  auto source = std::make_unique<EntrySource>(call, std::move(stream), rows);
  source->Begin(*position);
  return std::unique_ptr<RowSource>(std::move(source));
}

}  // namespace varve::api
