// SPDX-License-Identifier: Apache-2.0
// The tag numbers of a MANIFEST record (db-format 4.1-4.3), shared by version_edit_encoder.cc and
// version_edit_decoder.cc.
#pragma once

#include <cstdint>

namespace varve {

enum class EditTag : uint32_t {
  kComparator = 1,
  kLogNumber = 2,
  kNextFileNumber = 3,
  kLastSequence = 4,
  kCompactCursor = 5,
  kDeletedFile = 6,
  kNewFile = 7,  // LevelDB's: no sequences.
  kPrevLogNumber = 9,
  kMinLogNumberToKeep = 10,
  kNewFile2 = 100,  // + sequences.
  kNewFile3 = 102,  // + path id.
  kNewFile4 = 103,  // + tagged fields.
  kColumnFamily = 200,
  kColumnFamilyAdd = 201,
  kColumnFamilyDrop = 202,
  kMaxColumnFamily = 203,
  kInAtomicGroup = 300,
  kBlobFileAddition = 400,
  kBlobFileGarbage = 401,
  kSkippable = 1u << 13,  // With this bit a length follows, so unknown tags can be skipped.
  kDbId = kSkippable + 1,
  kBlobFileAdditionOld = kSkippable + 2,  // These four have no length despite the bit.
  kBlobFileGarbageOld = kSkippable + 3,
  kWalAdditionOld = kSkippable + 4,
  kWalDeletionOld = kSkippable + 5,
  kFullHistoryTsLow = kSkippable + 6,
  kWalAddition = kSkippable + 7,
  kWalDeletion = kSkippable + 8,
  kPersistUserTimestamps = kSkippable + 9,
};

// The tagged fields of NewFile4.
enum class NewFileField : uint32_t {
  kEnd = 1,
  kNeedCompaction = 2,
  kMinLogNumberToKeep = 3,  // Of the whole database; an old form of tag 10.
  kOldestBlobFile = 4,
  kOldestAncestorTime = 5,
  kCreationTime = 6,
  kFileChecksum = 7,
  kFileChecksumFunction = 8,
  kTemperature = 9,
  kUniqueId = 12,
  kEpoch = 13,
  kTailSize = 15,
  kUserTimestampsPersisted = 16,
  kCritical = 1u << 6,  // A reader that does not know a field with this bit must fail.
  kPathId = kCritical + 1,
};

inline constexpr uint32_t kBlobFieldEnd = 0;
inline constexpr uint32_t kWalFieldEnd = 1;
inline constexpr uint32_t kWalFieldSyncedSize = 2;
inline constexpr uint8_t kPathIdMax = 3;

}  // namespace varve
