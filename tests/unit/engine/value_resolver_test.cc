// SPDX-License-Identifier: Apache-2.0
#include "core/engine/read/value_resolver.h"

#include "core/base/bytes/byte_writer.h"
#include "tests/unit/engine/engine_parts.h"
#include "varve/merge_operator.h"

namespace varve {
namespace {

struct Fixture : ContextFixture {
  Fixture() {
    view.comparator = BytewiseComparator();
    view.version = EmptyVersion(*BytewiseComparator(), context.tables.get(), {});
  }
  Result<Value> Resolve(ValueType type, std::string stored) const {
    return ResolveValue(view, "key", type, Value(std::move(stored)));
  }
  ReadView view;
};

// An entity with one column without a name, and one with.
std::string Entity(const std::string& value) {
  std::string bytes("\x01\x02", 2);
  AppendLengthPrefixed(&bytes, "");
  AppendVarint32(&bytes, static_cast<uint32_t>(value.size()));
  AppendLengthPrefixed(&bytes, "colour");
  AppendVarint32(&bytes, 3);
  return bytes + value + "red";
}

TEST_CASE("ResolveValue: plain bytes stay where they are, pinned and not copied") {
  const Fixture t;
  const auto bytes = std::make_shared<const std::string>("a value that is long enough for a heap");
  Result<Value> value = ResolveValue(t.view, "key", ValueType::kValue, Value(*bytes, bytes));
  REQUIRE(value.ok());
  CHECK(value->view().data() == bytes->data());
  CHECK_EQ(bytes.use_count(), 2);
}

TEST_CASE("ResolveValue: of an entity, the column without a name; of a timed put, no time") {
  const Fixture t;
  CHECK_EQ(t.Resolve(ValueType::kWideColumnEntity, Entity("plain"))->view(), "plain");
  CHECK_EQ(t.Resolve(ValueType::kValuePreferredSeqno, "value" + std::string(8, '\1'))->view(),
           "value");
}

TEST_CASE("ResolveValue: the part that is left keeps the bytes alive") {
  const Fixture t;
  auto bytes = std::make_shared<const std::string>(Entity(std::string(100, 'v')));
  Result<Value> value =
      ResolveValue(t.view, "key", ValueType::kWideColumnEntity, Value(*bytes, bytes));
  bytes.reset();
  CHECK_EQ(value->view(), std::string(100, 'v'));
}

TEST_CASE("ResolveValue: bytes that are no value are Corruption, with the key") {
  const Fixture t;
  const std::string entity = Entity("plain");
  for (size_t size = 0; size < entity.size(); ++size) {
    const auto value = t.Resolve(ValueType::kWideColumnEntity, entity.substr(0, size));
    REQUIRE_FALSE(value.ok());
    CHECK(value.status().code() == Code::kCorruption);
    CHECK(value.status().message().starts_with("key key"));
  }
  CHECK(t.Resolve(ValueType::kValuePreferredSeqno, "7 bytes").status().code() == Code::kCorruption);
}

TEST_CASE("ResolveValue: a blob whose file is missing is Corruption; without any reader, refused") {
  Fixture t;
  std::string index(1, '\1');
  for (const uint64_t field : {7, 1000, 10}) AppendVarint64(&index, field);
  index.push_back('\0');
  CHECK(t.Resolve(ValueType::kBlobIndex, index).status().code() == Code::kNotSupported);
  t.view.blobs = t.context.blobs;
  const Status missing = t.Resolve(ValueType::kBlobIndex, index).status();
  CHECK(missing.code() == Code::kCorruption);
  CHECK(missing.message().find("000007.blob") != std::string::npos);
  CHECK(t.Resolve(ValueType::kBlobIndex, "no index").status().code() == Code::kCorruption);
}

TEST_CASE(
    "FoldOperands: oldest first onto the base, or onto nothing; refused without an operator") {
  Fixture t;
  const std::vector<std::string_view> operands = {"b", "c"};
  CHECK(FoldOperands(t.view, "key", "a", operands).status().code() == Code::kNotSupported);
  t.view.merge_operator = MergeOperatorByName("stringappend");
  CHECK_EQ(*FoldOperands(t.view, "key", "a", operands), "a,b,c");
  CHECK_EQ(*FoldOperands(t.view, "key", std::nullopt, operands), "b,c");
}

// The answer to a lookup of "key" that was fed these versions, newest first.
std::string Finished(const ReadView& view,
                     const std::vector<std::pair<ValueType, std::string>>& versions) {
  Lookup lookup("key", kMaxSequence);
  Sequence sequence = 100;
  for (const auto& [type, value] : versions) {
    const auto bytes = std::make_shared<const std::string>(value);
    if (lookup.Feed(sequence--, type, *bytes, bytes)) break;
  }
  const Result<std::optional<Value>> value = FinishLookup(view, &lookup);
  if (!value.ok()) return value.status().ToString();
  return value->has_value() ? (*value)->ToString() : "none";
}

TEST_CASE("FinishLookup: each way in which a search may end") {
  using enum ValueType;
  Fixture t;
  t.view.merge_operator = MergeOperatorByName("stringappend");
  CHECK_EQ(Finished(t.view, {}), "none");
  CHECK_EQ(Finished(t.view, {{kValue, "a"}}), "a");
  CHECK_EQ(Finished(t.view, {{kDeletion, ""}, {kValue, "a"}}), "none");
  CHECK_EQ(Finished(t.view, {{kMerge, "c"}, {kMerge, "b"}, {kValue, "a"}}), "a,b,c");
  CHECK_EQ(Finished(t.view, {{kMerge, "c"}, {kMerge, "b"}, {kDeletion, ""}}), "b,c");
  CHECK_EQ(Finished(t.view, {{kMerge, "c"}, {kMerge, "b"}}), "b,c");
  CHECK_EQ(Finished(t.view, {{kMerge, "b"}, {kWideColumnEntity, Entity("a")}}), "a,b");
  CHECK(Finished(t.view, {{kMerge, "b"}, {kWideColumnEntity, Entity("a").substr(0, 4)}})
            .starts_with("corruption"));
  Lookup failed("key", kMaxSequence);
  failed.Fail(Status::IoError("000007.sst: unplugged"));
  CHECK(FinishLookup(t.view, &failed).status().code() == Code::kIoError);
}

}  // namespace
}  // namespace varve
