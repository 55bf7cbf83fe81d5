// SPDX-License-Identifier: Apache-2.0
// What JavaScript calls: a flat C interface over the API's router, the dropped files and the
// playground. One thread; long work advances in varve_step(). package/index.mjs is its only caller.
//
//   handle = varve_request(…)       then varve_response_*(handle), then varve_response_free(handle)
//   text   = varve_open(path) etc.  "ok …" or "error …", valid until the next call
#include <emscripten.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/bytes/byte_writer.h"
#include "core/base/try.h"
#include "core/fs/read_only_fs.h"
#include "wasm/environment.h"
#include "wasm/playground.h"
#include "wasm/search_time.h"
#include "webview/api/engine/engine_records.h"
#include "webview/api/routing/router.h"

namespace varve::wasm {
namespace {

struct OpenPlayground {
  std::string path;
  std::unique_ptr<Playground> playground;  // Null until it is started.
  std::string target;
  bool stored = false;
  FilesGiven given;
};

// All global state except the environment (environment.h).
struct World {
  std::unique_ptr<FileSystem> read_only = NewReadOnlyFileSystem(*NativeEnvironment().file_system);
  std::map<uint32_t, OpenPlayground> playgrounds;
  uint32_t playgrounds_made = 0;
  // Destroyed before the members above, which its targets use.
  api::Service service{{.file_system = read_only.get(),
                        .clock = NativeEnvironment().clock,
                        .records = api::EngineRecords(NativeEnvironment()),
                        .write = true}};
  std::string said;  // What the last call returned.
};

World& TheWorld() {
  static World world;
  return world;
}

const char* Say(std::string text) {
  TheWorld().said = std::move(text);
  return TheWorld().said.c_str();
}
const char* Say(const Status& status) {
  return Say(status.ok() ? "ok " : "error " + std::string(status.message()));
}

struct PendingResponse {
  api::Response response;
  std::string headers;
  std::string piece;
};

OpenPlayground* Find(uint32_t id) {
  const auto it = TheWorld().playgrounds.find(id);
  return it == TheWorld().playgrounds.end() ? nullptr : &it->second;
}
Playground* Started(uint32_t id) {
  OpenPlayground* const open = Find(id);
  return open == nullptr ? nullptr : open->playground.get();
}

Status Gone() { return Status::NotFound("that playground has been closed"); }

Result<std::string> Start(OpenPlayground* open, const char* options) {
  RETURN_IF_ERROR(open->given.Close());
  ASSIGN_OR_RETURN(open->playground, Playground::Open(NativeEnvironment(), open->path, options));
  ASSIGN_OR_RETURN(const std::shared_ptr<api::Target> target,
                   TheWorld().service.OpenLive(open->path, open->playground->live()));
  open->target = target->id();
  return open->target;
}

// Fields of bytes, each behind its size as four bytes, the lowest first.
std::vector<std::string_view> Fields(std::string_view bytes) {
  std::vector<std::string_view> fields;
  while (bytes.size() >= sizeof(uint32_t)) {
    const size_t size = LoadFixed32(bytes.data());
    bytes.remove_prefix(sizeof(uint32_t));
    fields.push_back(bytes.substr(0, size));
    bytes.remove_prefix(fields.back().size());
  }
  return fields;
}

}  // namespace
}  // namespace varve::wasm

using namespace varve;
using namespace varve::wasm;

extern "C" {

// `headers`: one "Name: value" per line.
EMSCRIPTEN_KEEPALIVE PendingResponse* varve_request(const char* method, const char* target,
                                                    const char* headers, const char* body,
                                                    uint32_t body_size) {
  api::Request request{.method = method, .target = target, .body = std::string(body, body_size)};
  for (std::string_view rest = headers; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    request.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  auto pending = std::make_unique<PendingResponse>();
  pending->response = api::Handle(TheWorld().service, request);
  for (const auto& [name, value] : pending->response.headers) {
    pending->headers += name + ": " + value + "\n";
  }
  return pending.release();
}
EMSCRIPTEN_KEEPALIVE int varve_response_status(PendingResponse* of) { return of->response.status; }
EMSCRIPTEN_KEEPALIVE const char* varve_response_headers(PendingResponse* of) {
  return of->headers.c_str();
}
// 0: a piece is available, 1: call again later, 2: end. The body of a reply that is not a stream is
// one piece.
EMSCRIPTEN_KEEPALIVE int varve_response_next(PendingResponse* of) {
  if (of->response.stream == nullptr) {
    of->piece = std::move(of->response.body);
    of->response.body.clear();
    return of->piece.empty() ? 2 : 0;
  }
  switch (of->response.stream->Next(&of->piece)) {
    case api::BodyStream::Event::kPiece:
      return 0;
    case api::BodyStream::Event::kWait:
      return 1;
    case api::BodyStream::Event::kEnd:
      return 2;
  }
  return 2;
}
EMSCRIPTEN_KEEPALIVE const char* varve_piece_data(PendingResponse* of) { return of->piece.data(); }
EMSCRIPTEN_KEEPALIVE uint32_t varve_piece_size(PendingResponse* of) {
  return static_cast<uint32_t>(of->piece.size());
}
EMSCRIPTEN_KEEPALIVE void varve_response_free(PendingResponse* of) { delete of; }

// Runs a job for about this long. False: there is none.
EMSCRIPTEN_KEEPALIVE bool varve_step(uint32_t budget_micros) {
  return TheWorld().service.jobs().Step(budget_micros);
}

EMSCRIPTEN_KEEPALIVE void varve_drop(const char* path, uint32_t id, double size) {
  TheDroppedFiles().Add(path, id, static_cast<uint64_t>(size));
}
EMSCRIPTEN_KEEPALIVE void varve_forget(const char* path) { TheDroppedFiles().Forget(path); }
// "ok t1".
EMSCRIPTEN_KEEPALIVE const char* varve_open(const char* path) {
  const Result<std::shared_ptr<api::Target>> target = TheWorld().service.Open(path);
  return target.ok() ? Say("ok " + (*target)->id()) : Say(target.status());
}
EMSCRIPTEN_KEEPALIVE bool varve_close(const char* target) {
  return TheWorld().service.Close(target);
}

// Mounts the slots that JavaScript has opened, with their files, as /stored.
EMSCRIPTEN_KEEPALIVE const char* varve_mount_stored() { return Say(MountStored()); }
EMSCRIPTEN_KEEPALIVE uint32_t varve_free_slots() { return FreeSlots(); }
// "ok " and the names of stored playgrounds, one per line.
EMSCRIPTEN_KEEPALIVE const char* varve_stored() {
  const auto entries = NativeEnvironment().file_system->List(kStoredRoot);
  if (!entries.ok()) return Say(entries.status());
  std::string names = "ok ";
  for (const DirectoryEntry& entry : *entries) {
    if (entry.is_directory) names += entry.name + "\n";
  }
  return Say(std::move(names));
}
EMSCRIPTEN_KEEPALIVE const char* varve_remove_stored(const char* name) {
  return Say(RemovePlayground(NativeEnvironment(), std::string(kStoredRoot) + "/" + name));
}

// "ok 1": the number of a playground with an empty directory. Stored under the name; in memory if
// that is empty.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_new(const char* name) {
  World& world = TheWorld();
  const uint32_t id = ++world.playgrounds_made;
  OpenPlayground& made = world.playgrounds[id];
  made.stored = *name != '\0';
  made.path =
      made.stored ? std::string(kStoredRoot) + "/" + name : "/playground" + std::to_string(id);
  return Say("ok " + std::to_string(id));
}
// Writes a piece of a file into the directory of one that is not started: FilesGiven.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_file(uint32_t id, const char* name, double offset,
                                                       const char* bytes, uint32_t size) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr || open->playground != nullptr) return Say(Gone());
  return Say(open->given.Add(NativeEnvironment(), open->path, name, static_cast<uint64_t>(offset),
                             {bytes, size}));
}
// "ok " and what became of it, for people. Of one that is not started.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_repair(uint32_t id) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr || open->playground != nullptr) return Say(Gone());
  const Status given = open->given.Close();
  if (!given.ok()) return Say(given);
  const std::string before = std::exchange(open->path, open->path + "r");
  const Result<std::string> repaired = RepairPlayground(NativeEnvironment(), before, open->path);
  const Status removed = RemovePlayground(NativeEnvironment(), before);
  if (!repaired.ok() || !removed.ok()) return Say(repaired.ok() ? removed : repaired.status());
  return Say("ok " + *repaired);
}
// "ok t2": its target.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_start(uint32_t id, const char* options) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr || open->playground != nullptr) return Say(Gone());
  const Result<std::string> target = Start(open, options);
  return target.ok() ? Say("ok " + *target) : Say(target.status());
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_close(uint32_t id) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  Status closed = Status::Ok();
  if (!open->target.empty()) TheWorld().service.Close(open->target);
  if (open->playground != nullptr) closed = open->playground->Close();
  const std::string path = open->path;
  const bool stored = open->stored;
  TheWorld().playgrounds.erase(id);
  FileSystem& fs = *NativeEnvironment().file_system;
  if (closed.ok() && !stored && fs.Exists(path)) {
    closed = RemovePlayground(NativeEnvironment(), path);
  }
  return Say(closed);
}
EMSCRIPTEN_KEEPALIVE bool varve_playground_step() { return Playground::Step(); }
// `kind`, `family`: Playground::Change.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_write(uint32_t id, const char* kind,
                                                        const char* family, const char* key,
                                                        uint32_t key_size, const char* value,
                                                        uint32_t value_size) {
  Playground* const playground = Started(id);
  if (playground == nullptr) return Say(Gone());
  return Say(playground->Write({kind, family, {key, key_size}, {value, value_size}}));
}
// `records`: keys and values in turn, as Fields().
EMSCRIPTEN_KEEPALIVE const char* varve_playground_ingest(uint32_t id, const char* family,
                                                         const char* records, uint32_t size) {
  Playground* const playground = Started(id);
  if (playground == nullptr) return Say(Gone());
  const std::vector<std::string_view> fields = Fields({records, size});
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  for (size_t i = 0; i + 1 < fields.size(); i += 2) pairs.emplace_back(fields[i], fields[i + 1]);
  return Say(playground->Ingest(family, pairs));
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_create_family(uint32_t id, const char* name) {
  Playground* const playground = Started(id);
  return Say(playground == nullptr ? Gone() : playground->CreateFamily(name));
}
// "ok 17": the sequence number to read at.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_snapshot(uint32_t id) {
  Playground* const playground = Started(id);
  return playground == nullptr ? Say(Gone())
                               : Say("ok " + std::to_string(playground->TakeSnapshot()));
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_release(uint32_t id, double sequence) {
  Playground* const playground = Started(id);
  if (playground == nullptr) return Say(Gone());
  playground->ReleaseSnapshot(static_cast<Sequence>(sequence));
  return Say(Status::Ok());
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_flush(uint32_t id) {
  Playground* const playground = Started(id);
  return Say(playground == nullptr ? Gone() : playground->db().FlushAll());
}
EMSCRIPTEN_KEEPALIVE const char* varve_playground_compact(uint32_t id) {
  Playground* const playground = Started(id);
  if (playground == nullptr) return Say(Gone());
  for (const FamilyInfo& family : playground->db().Families()) {
    const Status done = playground->db().CompactRange({}, std::nullopt, std::nullopt, family.id);
    if (!done.ok()) return Say(done);
  }
  return Say(Status::Ok());
}
// "ok 12.5": nanoseconds that one search for a file takes in a level with this tree's tables, with
// that grade of file_search.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_search_time(uint32_t id, const char* grade) {
  Playground* const playground = Started(id);
  if (playground == nullptr) return Say(Gone());
  const Result<double> nanoseconds = SearchNanoseconds(playground->db(), grade);
  return nanoseconds.ok() ? Say("ok " + std::to_string(*nanoseconds)) : Say(nanoseconds.status());
}
// "ok " and the files, one per line: the size, a space, the name.
EMSCRIPTEN_KEEPALIVE const char* varve_playground_files(uint32_t id) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return Say(Gone());
  const auto entries = NativeEnvironment().file_system->List(open->path);
  if (!entries.ok()) return Say(entries.status());
  std::string files = "ok ";
  for (const DirectoryEntry& entry : *entries) {
    if (!entry.is_directory) files += std::to_string(entry.size) + " " + entry.name + "\n";
  }
  return Say(std::move(files));
}
// A response whose only piece is that part of the file; null if there is none.
EMSCRIPTEN_KEEPALIVE PendingResponse* varve_playground_read(uint32_t id, const char* name,
                                                            double offset, uint32_t size) {
  OpenPlayground* const open = Find(id);
  if (open == nullptr) return nullptr;
  Result<std::string> bytes = ReadPlaygroundFile(NativeEnvironment(), open->path + "/" + name,
                                                 static_cast<uint64_t>(offset), size);
  if (!bytes.ok()) return nullptr;
  auto pending = std::make_unique<PendingResponse>();
  pending->response.body = std::move(*bytes);
  return pending.release();
}

}  // extern "C"
