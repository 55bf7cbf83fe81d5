// SPDX-License-Identifier: Apache-2.0
#include "webview/api/uploads.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "core/base/check.h"
#include "core/base/hash/sha256.h"
#include "core/base/text/text.h"
#include "core/base/try.h"
#include "core/base/upload_folder.h"
#include "core/fs/durable.h"
#include "varve/file_system.h"

namespace varve::api {
namespace {

// Problems show no path of the server.
Problem OfFile(const Status& status, const std::string& name) {
  const Problem problem(status);
  return Problem(problem.kind().code, name + ": the server could not store it");
}

std::string NameOf(uint64_t number) {
  std::string digits = std::to_string(number);
  return std::string(6 - std::min<size_t>(6, digits.size()), '0') + digits + ".sst";
}

}  // namespace

// Without memory for a table, an exception ends its arrival: what came of it goes with the upload.
class Uploads::Arrival {
 public:
  Arrival(Uploads& uploads, const std::string& id, uint64_t size)
      : uploads_(&uploads), id_(id), size_(size) {}
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;
  ~Arrival() {
    if (uploads_ != nullptr) uploads_->Lose(id_, size_);
  }
  void HasEnded() { uploads_ = nullptr; }

 private:
  Uploads* uploads_;
  const std::string& id_;
  const uint64_t size_;
};

Uploads::Uploads(const Environment& env, const std::string& directory, const UploadLimits& limits)
    : env_(env), folder_(directory + "/" + std::string(kUploadFolderName)), limits_(limits) {}

Uploads::~Uploads() {
  // Only its own: the database may be closed, and another server may have it.
  for (const auto& [id, upload] : uploads_) RemoveFolders(*env_.file_system, PathOf(id));
  static_cast<void>(env_.file_system->RemoveDirectory(folder_));
}

std::string Uploads::FolderOf(const std::string& id) {
  return std::string(kUploadFolderName) + "/" + id;
}

Problem Uploads::NoUpload(const std::string& id) {
  return {"upload_not_found", EscapeForDisplay(id) +
                                  ": there is no such upload: it was added, aborted or forgotten, "
                                  "or the server was started again"};
}

std::string Uploads::PathOf(const std::string& id) const { return folder_ + "/" + id; }

Answer<UploadReport> Uploads::Begin(const std::string& user) {
  const std::string id = Hex(env_.random->Next64(), 16) + Hex(env_.random->Next64(), 16);
  MutexLock lock(mu_);
  if (uploads_.size() >= kUploadsMax) {
    return Problem("rate_limited", "there are " + std::to_string(kUploadsMax) +
                                       " uploads already: abort one, or wait");
  }
  FileSystem& fs = *env_.file_system;
  Status made = fs.CreateDirectory(folder_);
  if (made.ok()) made = fs.CreateDirectory(PathOf(id));
  if (!made.ok()) return OfFile(made, "the folder of an upload");
  Upload& upload = uploads_[id];
  upload.report.id = id;
  upload.report.user = user;
  upload.used_micros = env_.clock->NowMicros();
  return upload.report;
}

Answer<Uploads::Place> Uploads::Usable(const std::string& id) {
  const Place found = uploads_.find(id);
  if (found == uploads_.end() || found->second.aborted) return NoUpload(id);
  found->second.used_micros = env_.clock->NowMicros();
  return found;
}

Answer<UploadReport> Uploads::Find(const std::string& id) {
  MutexLock lock(mu_);
  ASSIGN_OR_RETURN(const Place upload, Usable(id));
  return upload->second.report;
}

std::vector<UploadReport> Uploads::All() {
  MutexLock lock(mu_);
  std::vector<UploadReport> all;
  for (const auto& [id, upload] : uploads_) {
    if (!upload.aborted) all.push_back(upload.report);
  }
  return all;
}

uint64_t Uploads::Reserved() const {
  uint64_t reserved = 0;
  for (const auto& [id, upload] : uploads_) reserved += upload.reserved;
  return reserved;
}

Answer<std::string> Uploads::Expect(const std::string& id, uint64_t size) {
  MutexLock lock(mu_);
  ASSIGN_OR_RETURN(const Place upload, Usable(id));
  if (upload->second.sealed) return Problem("locked", "a job adds this upload");
  if (upload->second.report.tables.size() + static_cast<size_t>(upload->second.arriving) >=
      kTablesMax) {
    return Problem("payload_too_large",
                   "an upload has at most " + std::to_string(kTablesMax) + " tables");
  }
  if (size > limits_.bytes - std::min(limits_.bytes, Reserved())) {
    return Problem("payload_too_large", "all uploads together have at most " +
                                            std::to_string(limits_.bytes) + " bytes, and " +
                                            std::to_string(Reserved()) + " are taken");
  }
  upload->second.reserved += size;
  ++upload->second.arriving;
  return NameOf(++upload->second.begun);
}

bool Uploads::IsAborted(const std::string& id) {
  MutexLock lock(mu_);
  return uploads_.at(id).aborted;
}

Answer<UploadedTable> Uploads::Receive(const std::string& id, const std::string& name,
                                       BodySource& bytes, const std::string& sha256) {
  Result<std::unique_ptr<WritableFile>> file =
      env_.file_system->Create(PathOf(id) + "/" + name, /*direct=*/false);
  if (!file.ok()) return OfFile(file.status(), name);
  Sha256 digest;
  for (;;) {
    ASSIGN_OR_RETURN(const std::string_view piece, bytes.Next());
    if (piece.empty()) break;
    if (IsAborted(id)) return NoUpload(id);
    digest.Add(piece);
    if (const Status written = (*file)->Append(piece); !written.ok()) return OfFile(written, name);
  }
  const uint64_t size = (*file)->size();
  if (const Status closed = (*file)->Close(); !closed.ok()) return OfFile(closed, name);
  if (size != bytes.size()) {
    return Problem("bad_request", name + ": " + std::to_string(size) + " of " +
                                      std::to_string(bytes.size()) + " bytes came");
  }
  const std::string found = digest.HexDigest();
  if (found != sha256) {
    return Problem("digest_mismatch", name + ": the SHA-256 of the bytes that came is " + found +
                                          ", the request says " + sha256);
  }
  return UploadedTable{name, size, found};
}

void Uploads::Lose(const std::string& id, uint64_t size) {
  MutexLock lock(mu_);
  const Place upload = uploads_.find(id);
  CHECK(upload != uploads_.end());
  EndArrival(&upload->second, size);
}

void Uploads::EndArrival(Upload* upload, uint64_t unused) {
  --upload->arriving;
  upload->reserved -= unused;
  upload->used_micros = env_.clock->NowMicros();
}

Answer<UploadedTable> Uploads::Add(const std::string& id, BodySource& bytes,
                                   const std::string& sha256) {
  ASSIGN_OR_RETURN(const std::string name, Expect(id, bytes.size()));
  Arrival arrival(*this, id, bytes.size());
  Answer<UploadedTable> table = Receive(id, name, bytes, sha256);
  arrival.HasEnded();
  MutexLock lock(mu_);
  const Place upload = uploads_.find(id);
  CHECK(upload != uploads_.end());  // It stays as long as a table is on its way to it.
  if (table.ok() && upload->second.aborted) table = NoUpload(id);
  EndArrival(&upload->second, table.ok() ? 0 : bytes.size());
  if (table.ok()) {
    upload->second.report.tables.push_back(*table);
    upload->second.report.bytes += table->size;
  } else {
    RemoveObsoleteFile(*env_.file_system, PathOf(id) + "/" + name);
  }
  if (upload->second.aborted && upload->second.arriving == 0) Remove(upload);
  return table;
}

Answer<UploadReport> Uploads::Abort(const std::string& id) {
  MutexLock lock(mu_);
  ASSIGN_OR_RETURN(const Place upload, Usable(id));
  if (upload->second.sealed) return Problem("locked", "a job adds this upload");
  UploadReport report = upload->second.report;
  upload->second.aborted = true;
  if (upload->second.arriving == 0) Remove(upload);
  return report;
}

void Uploads::Sweep() {
  MutexLock lock(mu_);
  const uint64_t now = env_.clock->NowMicros();
  for (Place upload = uploads_.begin(); upload != uploads_.end();) {
    const Place next = std::next(upload);
    const Upload& one = upload->second;
    if (one.arriving == 0 && !one.sealed && now - one.used_micros > limits_.expiry_micros) {
      Remove(upload);
    }
    upload = next;
  }
}

Status Uploads::Seal(const std::string& id) {
  MutexLock lock(mu_);
  const Answer<Place> upload = Usable(id);
  if (!upload.ok()) return Status::NotFound(upload.status().detail());
  if ((*upload)->second.sealed) return Status::Busy("another job adds this upload");
  if ((*upload)->second.arriving > 0) return Status::Busy("tables are on their way to this upload");
  (*upload)->second.sealed = true;
  return Status::Ok();
}

void Uploads::Unseal(const std::string& id, bool gone) {
  MutexLock lock(mu_);
  const Place upload = uploads_.find(id);
  CHECK(upload != uploads_.end() && upload->second.sealed);
  upload->second.sealed = false;
  upload->second.used_micros = env_.clock->NowMicros();
  if (gone) Remove(upload);
}

void Uploads::Remove(Place upload) {
  RemoveFolders(*env_.file_system, PathOf(upload->first));
  uploads_.erase(upload);
  if (uploads_.empty()) static_cast<void>(env_.file_system->RemoveDirectory(folder_));
}

}  // namespace varve::api
