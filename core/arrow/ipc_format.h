// SPDX-License-Identifier: Apache-2.0
// The numbers of Arrow's IPC format: of Message.fbs and Schema.fbs, which are in its specification
// (https://github.com/apache/arrow/tree/main/format), and of the frame around each message:
//
//   <0xFFFFFFFF> <size of the metadata, fixed32> <metadata, a FlatBuffer> <body>
//
// A size of 0 ends the stream.
#pragma once

#include <cstddef>
#include <cstdint>

namespace varve::arrow {

inline constexpr uint32_t kContinuation = 0xFFFFFFFF;

// Members of the tables.
namespace message {
enum : size_t { kVersion, kHeaderType, kHeader, kBodyLength };
}
namespace schema {
enum : size_t { kEndianness, kFields };
}
namespace field {
enum : size_t { kName, kNullable, kTypeType, kType, kDictionary, kChildren };
}
namespace batch {
enum : size_t { kLength, kNodes, kBuffers, kCompression, kVariadicCounts };
}

// Of types of numbers.
namespace integer {
enum : size_t { kBits, kSigned };
}
inline constexpr int16_t kHalf = 0, kSingle = 1, kDouble = 2;  // Precisions of kFloatingPoint.

namespace compression {
enum : size_t { kCodec, kMethod };
inline constexpr uint8_t kOfBuffers = 0;  // The only method.
}  // namespace compression

inline constexpr int16_t kVersion4 = 3, kVersion5 = 4;
inline constexpr uint8_t kSchemaHeader = 1, kBatchHeader = 3;  // Kinds of messages.

enum class Type : uint8_t {
  kNull = 1,
  kInt = 2,
  kFloatingPoint = 3,
  kBinary = 4,
  kUtf8 = 5,
  kBool = 6,
  kInterval = 11,
  kFixedSizeBinary = 15,
  kDuration = 18,
  kLargeBinary = 19,
  kLargeUtf8 = 20,
  kBinaryView = 23,
  kUtf8View = 24,
};

}  // namespace varve::arrow
