// SPDX-License-Identifier: Apache-2.0
// Tables that clients bring before a running database takes them in, all of an upload or none:
//
//   Begin() -> "8f3a…"    Add("8f3a…", bytes) -> "000001.sst"    …    a job {"kind":"ingest"}
//                                                                     or Abort()
//
//   DB/uploads/8f3a…/000001.sst
//
// What is left over goes: of a client that forgot its upload, after a time; of a server that was
// killed, when the database is opened for writing again (core/base/upload_folder.h).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.h"
#include "varve/environment.h"
#include "varve/status.h"
#include "webview/api/routing/answer.h"
#include "webview/api/routing/request.h"

namespace varve::api {

struct UploadLimits {
  uint64_t bytes = uint64_t{64} << 30;                // Of all uploads together.
  uint64_t expiry_micros = uint64_t{3600} * 1000000;  // Without a request about it.
};

struct UploadedTable {
  std::string name;  // In the folder of the upload.
  uint64_t size = 0;
  std::string sha256;  // 64 hex digits.
};

// An upload as it is at a moment.
struct UploadReport {
  std::string id;
  std::string user;                   // Caller::name of who began it.
  std::vector<UploadedTable> tables;  // The complete ones, in the order in which they came.
  uint64_t bytes = 0;                 // Of these.
};

// Thread-safe.
class Uploads {
 public:
  static constexpr size_t kUploadsMax = 64;
  static constexpr size_t kTablesMax = 10'000;  // Of one upload.

  // `directory` is that of a database which this process has open for writing.
  Uploads(const Environment& env, const std::string& directory, const UploadLimits& limits);
  ~Uploads();  // Removes them. No call may be under way.
  Uploads(const Uploads&) = delete;
  Uploads& operator=(const Uploads&) = delete;

  const UploadLimits& limits() const { return limits_; }

  // rate_limited if there are too many, insufficient_storage.
  Answer<UploadReport> Begin(const std::string& user) EXCLUDES(mu_);
  Answer<UploadReport> Find(const std::string& id) EXCLUDES(mu_);
  std::vector<UploadReport> All() EXCLUDES(mu_);
  // Writes a table as its bytes come. digest_mismatch if they are others than `sha256` says,
  // payload_too_large; nothing of it stays then.
  Answer<UploadedTable> Add(const std::string& id, BodySource& bytes, const std::string& sha256)
      EXCLUDES(mu_);
  // Removes an upload, also one that tables are on their way to; `locked` while a job adds it.
  Answer<UploadReport> Abort(const std::string& id) EXCLUDES(mu_);
  // Removes what was forgotten. Cheap if there is nothing.
  void Sweep() EXCLUDES(mu_);

  // For the job that adds tables. Between the two, no other call changes the upload.
  // NotFound; Busy if tables are on their way to it, or another job is at it.
  Status Seal(const std::string& id) EXCLUDES(mu_);
  // `gone`: it was added, so the rest of it is removed. Otherwise it can be tried again.
  void Unseal(const std::string& id, bool gone) EXCLUDES(mu_);
  // "uploads/8f3a…": what LiveEngine::Ingest() takes.
  static std::string FolderOf(const std::string& id);
  static Problem NoUpload(const std::string& id);

 private:
  struct Upload {
    UploadReport report;
    uint64_t reserved = 0;  // Bytes that were announced, of complete tables and others.
    uint64_t begun = 0;     // Tables, whether they became complete or not.
    int arriving = 0;
    bool sealed = false;
    bool aborted = false;  // Whoever is last to write to it removes it.
    uint64_t used_micros = 0;
  };
  using Place = std::map<std::string, Upload>::iterator;

  std::string PathOf(const std::string& id) const;
  Answer<Place> Usable(const std::string& id) REQUIRES(mu_);
  uint64_t Reserved() const REQUIRES(mu_);
  // Makes room for a table, and names it.
  Answer<std::string> Expect(const std::string& id, uint64_t size) EXCLUDES(mu_);
  class Arrival;
  // What Expect() made room for will not come. Allocates nothing.
  void Lose(const std::string& id, uint64_t size) EXCLUDES(mu_);
  Answer<UploadedTable> Receive(const std::string& id, const std::string& name, BodySource& bytes,
                                const std::string& sha256) EXCLUDES(mu_);
  bool IsAborted(const std::string& id) EXCLUDES(mu_);
  // A table is on its way no more; of the room for it, `unused` bytes are free again.
  void EndArrival(Upload* upload, uint64_t unused) REQUIRES(mu_);
  void Remove(Place upload) REQUIRES(mu_);

  const Environment env_;
  const std::string folder_;
  const UploadLimits limits_;
  Mutex mu_;
  std::map<std::string, Upload> uploads_ GUARDED_BY(mu_);
};

}  // namespace varve::api
