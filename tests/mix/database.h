// SPDX-License-Identifier: Apache-2.0
// An engine behind the few verbs that the mix of operations needs, so that any engine can take a
// turn. Families go by name, and are what Model says they are: their names decide about the order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mix/dice.h"
#include "tests/mix/operation.h"

namespace varve::mix {

using Trouble = std::string;  // What went wrong; empty if nothing did.

// Lower bound inclusive, upper exclusive; or a prefix.
struct Range {
  std::optional<std::string> lower = {}, upper = {}, prefix = {};
};

class Snapshot {
 public:
  virtual ~Snapshot() = default;
};

// Its database outlives it.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(const std::string& target) = 0;
  virtual void SeekForPrev(const std::string& target) = 0;
  virtual void Next() = 0;
  virtual void Prev() = 0;
  virtual bool Valid() const = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  virtual Trouble trouble() const = 0;
  virtual Trouble Refresh() = 0;
};

enum class WriteForm : uint8_t { kBuffered, kSynced, kUnlogged };

// Tables for one family.
struct TablesOf {
  std::string family;
  std::vector<Group> tables;
};
struct IngestForm {
  bool move = false;
  bool may_overlap = false;  // Tables of a family overlap each other; later ones are newer.
};

class Database {
 public:
  virtual ~Database() = default;  // Closes it.

  virtual Trouble Get(const std::string& family, const std::string& key, const Snapshot* at,
                      std::optional<std::string>* value) = 0;
  virtual Trouble MultiGet(const std::string& family, const std::vector<std::string>& keys,
                           const Snapshot* at, std::vector<std::optional<std::string>>* values) = 0;
  virtual Trouble NewCursor(const std::string& family, const Range& range, const Snapshot* at,
                            std::unique_ptr<Cursor>* cursor) = 0;
  virtual std::unique_ptr<Snapshot> TakeSnapshot() = 0;
  // Whether the key was changed after the snapshot. Leaves `changed` empty if the engine does not
  // tell.
  virtual Trouble ChangedSince(const std::string& /*family*/, const std::string& /*key*/,
                               const Snapshot* /*at*/, std::optional<bool>* /*changed*/) {
    return {};
  }

  virtual Trouble Write(const Group& group, WriteForm form) = 0;
  virtual Trouble Flush(const std::string& family, bool wait) = 0;
  virtual Trouble FlushAll() = 0;
  virtual Trouble Compact(const std::string& family, const Range& range, bool bottommost) = 0;
  // All or none; each family once.
  virtual Trouble Ingest(const std::vector<TablesOf>& families, const IngestForm& form) = 0;
  virtual Trouble Checkpoint(const std::string& path) = 0;
  virtual Trouble SetOptions(const std::string& family,
                             const std::vector<std::pair<std::string, std::string>>& changes) = 0;
  virtual Trouble CreateFamily(const std::string& family) = 0;
  virtual Trouble DropFamily(const std::string& family) = 0;
  virtual Trouble Close() = 0;

  // Until Unsettle(), no file comes or goes, for readers of the directory that need that.
  virtual Trouble Settle() = 0;
  virtual Trouble Unsettle() = 0;
};

class EngineKind {
 public:
  virtual ~EngineKind() = default;
  virtual std::string_view name() const = 0;

  // What holds when the next database is opened; returns it in words.
  virtual std::string DrawOptions(Dice* dice) = 0;
  // Created if there is none. It must have just these families; those of a new one are created.
  virtual Trouble Open(const std::string& path, const std::set<std::string>& families,
                       std::unique_ptr<Database>* database) = 0;
  virtual Trouble OpenReadOnly(const std::string& path, const std::set<std::string>& families,
                               std::unique_ptr<Database>* database) = 0;
  virtual void Remove(const std::string& path) = 0;  // A database that is closed.

  // What an engine cannot do, the mix does not ask of it.
  virtual bool has_prefix_cursors() const { return true; }
  virtual bool has_cursors_that_outlive_snapshots() const { return true; }
  virtual bool refreshes_cursors_of_snapshots() const { return true; }
  // Opens a directory read-only, and reads it, while the same engine writes to it.
  virtual bool reads_beside_writers() const { return true; }
};

}  // namespace varve::mix
