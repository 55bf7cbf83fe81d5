// SPDX-License-Identifier: Apache-2.0
#include "core/base/keys/indexed_db_order.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/bytes/byte_reader.h"
#include "core/base/check.h"

namespace varve {
namespace {

constexpr uint64_t kSignBit = uint64_t{1} << 63;

// What follows the ids (database, object store, index); 0 stands for metadata.
constexpr uint64_t kObjectStoreData = 1, kBlobEntry = 3, kFirstIndex = 30;

// Type bytes of metadata that are followed by fields; those below are not followed by anything.
constexpr uint8_t kGlobalSimpleEnd = 7, kScopes = 50, kDatabaseFreeList = 100, kDatabaseName = 201;
constexpr uint8_t kDatabaseSimpleEnd = 6, kObjectStoreMeta = 50, kIndexMeta = 100,
                  kObjectStoreFreeList = 150, kIndexFreeList = 151, kObjectStoreNames = 200,
                  kIndexNames = 201;

// Type bytes of a key of a script.
constexpr uint8_t kNull = 0, kString = 1, kDate = 2, kNumber = 3, kArray = 4, kMin = 5, kBinary = 6;
constexpr size_t kDepthMax = 2000;  // Of arrays in arrays; Chromium's.

// One step of the comparison. Two keys compare as their first tokens that differ.
struct Token {
  // In this order: a key that ends sorts before a longer one, and so does an array. Invalid bytes
  // sort behind all valid tokens, so that every byte string has a position.
  enum class Kind : uint8_t {
    kEnd,
    kArrayEnd,
    kField,
    kMinKey,
    kNumberKey,
    kDateKey,
    kStringKey,
    kBinaryKey,
    kArrayKey,
    kNullKey,
    kUndecodable,
  };
  Kind kind = Kind::kEnd;
  uint64_t number = 0;
  std::string_view bytes = {};

  int Compare(const Token& other) const {
    if (kind != other.kind) return kind < other.kind ? -1 : 1;
    if (number != other.number) return number < other.number ? -1 : 1;
    return bytes.compare(other.bytes);
  }
};

// Parsed sequentially and independently of the other key, which makes the order total.
class Tokens {
 public:
  explicit Tokens(std::string_view key) : in_(key) {}

  Token Next() {
    const ByteReader before = in_;
    Token token = Take();
    if (token.kind == Token::Kind::kUndecodable) {
      token.bytes = before.rest();
      state_ = State::kDone;
    }
    return token;
  }

 private:
  enum class State : uint8_t {
    kFirst,        // The byte with the sizes of the ids.
    kObjectStore,  // The second id,
    kIndex,        // the third.
    kMetadata,     // The type byte of metadata.
    kFields,       // What `fields_` says.
    kKey,          // A key of a script, `next_` follows.
    kIndexSuffix,  // A sequence number and a primary key, if they are there.
    kIndexSequence,
    kDone,
  };
  using Kind = Token::Kind;

  Token Take() {
    switch (state_) {
      case State::kFirst:
        return TakeFirst();
      case State::kObjectStore:
        state_ = State::kIndex;
        return TakeId(object_store_size_, &object_store_);
      case State::kIndex:
        return TakeIndex();
      case State::kMetadata:
        return TakeMetadata();
      case State::kFields:
        return TakeField();
      case State::kKey:
        return TakeKey();
      case State::kIndexSuffix:
        return TakeIndexSuffix();
      case State::kIndexSequence:
        state_ = State::kDone;
        return Signed(sequence_);
      case State::kDone:
        break;
    }
    return {};
  }

  static Token Undecodable() { return {.kind = Kind::kUndecodable}; }
  static Token Signed(uint64_t number) {
    return {.kind = Kind::kField, .number = number ^ kSignBit};
  }

  // 3, 3 and 2 bits: how many bytes the ids have, less one.
  Token TakeFirst() {
    uint8_t sizes = 0;
    if (!in_.ReadByte(&sizes)) return Undecodable();
    object_store_size_ = ((sizes >> 2) & 7u) + 1;
    index_size_ = (sizes & 3u) + 1;
    state_ = State::kObjectStore;
    return TakeId((sizes >> 5) + 1u, &database_);
  }

  // Little-endian; signed, as Chromium has it.
  Token TakeId(size_t size, uint64_t* id) {
    DCHECK(1 <= size && size <= sizeof(*id));
    std::string_view bytes;
    if (!in_.ReadBytes(size, &bytes)) return Undecodable();
    *id = 0;
    for (size_t i = size; i-- > 0;) *id = *id << 8 | static_cast<uint8_t>(bytes[i]);
    return Signed(*id);
  }

  Token TakeIndex() {
    const Token token = TakeId(index_size_, &index_);
    if (database_ == 0 || object_store_ == 0) {
      state_ = State::kMetadata;
    } else if (index_ >= kObjectStoreData && index_ <= kBlobEntry) {
      BeginKey(State::kDone);
    } else {
      // Indexes below the first: not a valid key.
      index_ >= kFirstIndex ? BeginKey(State::kIndexSuffix) : BeginFields("?");
    }
    return token;
  }

  Token TakeMetadata() {
    uint8_t type = 0;
    if (!in_.ReadByte(&type)) return Undecodable();
    BeginFields(database_ == 0 ? FieldsOfGlobal(type) : FieldsOfDatabase(type));
    return {.kind = Kind::kField, .number = type};
  }

  // v a varint, b a byte, s a string with its length, * the rest, ? nothing known.
  static const char* FieldsOfGlobal(uint8_t type) {
    if (type < kGlobalSimpleEnd) return "";
    if (type == kScopes) return "*";
    if (type == kDatabaseFreeList) return "v";
    return type == kDatabaseName ? "ss" : "?";
  }
  static const char* FieldsOfDatabase(uint8_t type) {
    if (type < kDatabaseSimpleEnd) return "";
    switch (type) {
      case kObjectStoreMeta:
        return "vb";
      case kIndexMeta:
        return "vvb";
      case kObjectStoreFreeList:
        return "v";
      case kIndexFreeList:
        return "vv";
      case kObjectStoreNames:
        return "s";
      case kIndexNames:
        return "vs";
      default:
        return "?";
    }
  }

  void BeginFields(const char* fields) {
    state_ = State::kFields;
    fields_ = fields;
  }

  Token TakeField() {
    uint64_t number = 0;
    uint8_t byte = 0;
    std::string_view bytes;
    switch (*fields_++) {
      case 'v':
        return in_.ReadVarint64(&number) ? Signed(number) : Undecodable();
      case 'b':
        return in_.ReadByte(&byte) ? Token{.kind = Kind::kField, .number = byte} : Undecodable();
      case 's':
        return TakeUtf16(&bytes) ? Token{.kind = Kind::kField, .bytes = bytes} : Undecodable();
      case '*':
        state_ = State::kDone;
        return {.kind = Kind::kField, .bytes = in_.rest()};
      case '?':
        return Undecodable();
      default:  // The rest does not affect the order.
        state_ = State::kDone;
        return {};
    }
  }

  // Big-endian, so that bytes compare as code units do.
  bool TakeUtf16(std::string_view* bytes) {
    uint64_t units = 0;
    return in_.ReadVarint64(&units) && units <= in_.rest().size() / 2 &&
           in_.ReadBytes(units * 2, bytes);
  }

  void BeginKey(State next) {
    state_ = State::kKey;
    next_ = next;
  }

  Token TakeKey() {
    if (!arrays_.empty() && arrays_.back() == 0) {
      arrays_.pop_back();
      EndValue();
      return {.kind = Kind::kArrayEnd};
    }
    if (in_.rest().empty() && arrays_.empty()) {  // Missing entirely.
      state_ = State::kDone;
      return {};
    }
    return TakeValue();
  }

  // After a value: within an array, continues with the next element.
  void EndValue() {
    if (arrays_.empty()) {
      state_ = next_;
    } else {
      DCHECK_OP(arrays_.back(), >, 0);
      --arrays_.back();
    }
  }

  Token TakeValue() {
    uint8_t type = 0;
    if (!in_.ReadByte(&type)) return Undecodable();
    uint64_t size = 0;
    std::string_view bytes;
    switch (type) {
      case kNull:
        EndValue();
        return {.kind = Kind::kNullKey};
      case kMin:
        EndValue();
        return {.kind = Kind::kMinKey};
      case kNumber:
      case kDate:
        if (!in_.ReadFixed64(&size)) return Undecodable();
        EndValue();
        return {.kind = type == kNumber ? Kind::kNumberKey : Kind::kDateKey,
                .number = Sortable(size)};
      case kString:
        if (!TakeUtf16(&bytes)) return Undecodable();
        EndValue();
        return {.kind = Kind::kStringKey, .bytes = bytes};
      case kBinary:
        if (!in_.ReadVarint64(&size) || !in_.ReadBytes(size, &bytes)) return Undecodable();
        EndValue();
        return {.kind = Kind::kBinaryKey, .bytes = bytes};
      case kArray:
        // An element has at least one byte. Only the end of the array matters, not the stored
        // count.
        if (!in_.ReadVarint64(&size) || size > in_.rest().size() || arrays_.size() == kDepthMax) {
          return Undecodable();
        }
        arrays_.push_back(size);
        return {.kind = Kind::kArrayKey};
      default:
        return Undecodable();
    }
  }

  // Bits of a double to a number that sorts as it does; -0 is 0.
  static uint64_t Sortable(uint64_t bits) {
    if (bits == kSignBit) bits = 0;
    return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
  }

  // The sequence number is compared last, and only if there is a primary key.
  Token TakeIndexSuffix() {
    state_ = State::kDone;
    if (in_.rest().empty()) return {};
    if (!in_.ReadVarint64(&sequence_)) return Undecodable();
    if (in_.rest().empty()) return {};
    BeginKey(State::kIndexSequence);
    return TakeKey();
  }

  ByteReader in_;
  State state_ = State::kFirst, next_ = State::kDone;
  size_t object_store_size_ = 0, index_size_ = 0;
  uint64_t database_ = 0, object_store_ = 0, index_ = 0, sequence_ = 0;
  const char* fields_ = "";
  std::vector<uint64_t> arrays_;  // How many elements are still to come, the innermost last.
};

class IndexedDb final : public Comparator {
 public:
  int Compare(std::string_view a, std::string_view b) const override {
    if (a == b) return 0;
    Tokens left(a), right(b);
    for (;;) {
      const Token token = left.Next();
      const int order = token.Compare(right.Next());
      if (order != 0) return order;
      if (token.kind == Token::Kind::kEnd || token.kind == Token::Kind::kUndecodable) return 0;
    }
  }
  std::string_view name() const override { return "idb_cmp1"; }
};

}  // namespace

const Comparator* IndexedDbComparator() {
  static const Comparator* const comparator = std::make_unique<IndexedDb>().release();
  return comparator;
}

}  // namespace varve
