// SPDX-License-Identifier: Apache-2.0
// Tables that clients bring: what is counted, refused, forgotten and removed. Over sockets:
// tests/cli/upload_test.py.
#include "webview/api/uploads.h"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "core/base/hash/sha256.h"
#include "core/base/try.h"
#include "core/fs/memory_fs.h"
#include "varve/environment.h"

namespace varve::api {
namespace {

class SetClock : public Clock {
 public:
  uint64_t NowMicros() override { return now; }
  uint64_t UnixMicros() override { return now; }
  void Advance(uint64_t micros) { now += micros; }
  uint64_t now = 0;
};

std::string DigestOf(std::string_view bytes) {
  Sha256 digest;
  digest.Add(bytes);
  return digest.HexDigest();
}

// Bytes in two pieces, between which something may happen.
class Body : public BodySource {
 public:
  explicit Body(std::string bytes) : bytes_(std::move(bytes)) {}
  uint64_t size() const override { return announced.value_or(bytes_.size()); }
  Result<std::string_view> Next() override {
    const std::string_view all = bytes_;
    const int piece = pieces_++;
    if (piece == 1 && between) between();
    if (piece == 1) RETURN_IF_ERROR(failure);
    return piece == 0   ? all.substr(0, all.size() / 2)
           : piece == 1 ? all.substr(all.size() / 2)
                        : std::string_view();
  }

  std::optional<uint64_t> announced;
  std::function<void()> between;
  Status failure;

 private:
  const std::string bytes_;
  int pieces_ = 0;
};

struct Place {
  explicit Place(UploadLimits limits = {}) : fs(NewMemoryFileSystem()) {
    env = NativeEnvironment();
    env.file_system = fs.get();
    env.clock = &clock;
    CHECK(fs->CreateDirectory("db").ok());
    uploads = std::make_unique<Uploads>(env, "db", limits);
  }
  std::string Begin() {
    const auto upload = uploads->Begin("ada");
    REQUIRE(upload.ok());
    return upload->id;
  }
  // The code of the problem, or "" with the name of the table in `name`.
  std::string Add(const std::string& id, Body body, const std::string& digest = "") {
    const auto added = uploads->Add(id, body, digest.empty() ? DigestOf("0123456789") : digest);
    name = added.ok() ? added->name : "";
    return added.ok() ? "" : std::string(added.status().kind().code);
  }
  size_t Files(const std::string& id) const {
    const auto entries = fs->List("db/uploads/" + id);
    return entries.ok() ? entries->size() : 0;
  }

  std::unique_ptr<FileSystem> fs;
  SetClock clock;
  Environment env;
  std::unique_ptr<Uploads> uploads;
  std::string name;
};

TEST_CASE("Uploads: a table is stored under a name of ours, if it is what was announced") {
  Place place;
  const std::string id = place.Begin();
  CHECK(place.Add(id, Body("0123456789")) == "");
  CHECK(place.name == "000001.sst");
  CHECK(*ReadFileToString(*place.fs, "db/uploads/" + id + "/000001.sst", 100) == "0123456789");
  CHECK(place.Add(id, Body("012345678x")) == "digest_mismatch");
  Body shorter("0123456789");
  shorter.announced = 11;
  CHECK(place.Add(id, shorter) == "bad_request");
  Body left("0123456789");
  left.failure = Status::IoError("the client has left");
  CHECK(place.Add(id, left) == "io_error");
  CHECK(place.Add("other", Body("0123456789")) == "upload_not_found");
  CHECK(place.Files(id) == 1);
  CHECK(place.uploads->Find(id)->bytes == 10);
}

TEST_CASE("Uploads: their bytes are limited by what is announced, and given back") {
  Place place({.bytes = 25});
  const std::string id = place.Begin(), other = place.Begin();
  CHECK(place.Add(id, Body("0123456789")) == "");
  CHECK(place.Add(other, Body("012345678x")) == "digest_mismatch");
  CHECK(place.Add(other, Body("0123456789")) == "");
  CHECK(place.Add(id, Body("0123456789")) == "payload_too_large");
  CHECK(place.uploads->Abort(other).ok());
  CHECK(place.Add(id, Body("0123456789")) == "");
}

TEST_CASE("Uploads: what is forgotten goes, and nothing that is in use") {
  Place place({.expiry_micros = 100});
  const std::string id = place.Begin(), sealed = place.Begin();
  CHECK(place.uploads->Seal(sealed).ok());
  Body slow("0123456789");
  slow.between = [&] {
    place.clock.Advance(1000);
    place.uploads->Sweep();
  };
  CHECK(place.Add(id, slow) == "");
  place.clock.Advance(100);
  place.uploads->Sweep();
  CHECK(place.uploads->All().size() == 2);
  place.clock.Advance(1);
  place.uploads->Sweep();
  CHECK(place.uploads->All().size() == 1);
  CHECK_FALSE(place.fs->Exists("db/uploads/" + id));
  place.uploads->Unseal(sealed, /*gone=*/true);
  CHECK_FALSE(place.fs->Exists("db/uploads"));
}

TEST_CASE("Uploads: an upload is aborted while tables are on their way to it") {
  Place place;
  const std::string id = place.Begin();
  Body body("0123456789");
  body.between = [&] {
    CHECK(place.uploads->Seal(id).code() == Code::kBusy);
    CHECK(place.uploads->Abort(id).ok());
    CHECK_FALSE(place.uploads->Abort(id).ok());
    CHECK(place.Files(id) == 1);
  };
  CHECK(place.Add(id, body) == "upload_not_found");
  CHECK_FALSE(place.fs->Exists("db/uploads"));
}

TEST_CASE("Uploads: without memory for a table, the upload goes on without it") {
  Place place({.bytes = 15, .expiry_micros = 100});
  const std::string id = place.Begin(), aborted = place.Begin();
  Body body("0123456789");
  body.between = [] { throw std::bad_alloc(); };
  CHECK_THROWS_AS(static_cast<void>(place.uploads->Add(id, body, DigestOf("0123456789"))),
                  std::bad_alloc);
  CHECK(place.Add(id, Body("0123456789")) == "");
  CHECK(place.uploads->Find(id)->tables.size() == 1);
  CHECK(place.uploads->Seal(id).ok());
  place.uploads->Unseal(id, /*gone=*/true);
  Body other("0123456789");
  other.between = [&] {
    CHECK(place.uploads->Abort(aborted).ok());
    throw std::bad_alloc();
  };
  CHECK_THROWS_AS(static_cast<void>(place.uploads->Add(aborted, other, DigestOf("0123456789"))),
                  std::bad_alloc);
  place.clock.Advance(101);
  place.uploads->Sweep();
  CHECK_FALSE(place.fs->Exists("db/uploads"));
}

TEST_CASE("Uploads: nothing changes one that a job adds") {
  Place place;
  const std::string id = place.Begin();
  CHECK(place.uploads->Seal(id).ok());
  CHECK(place.uploads->Seal(id).code() == Code::kBusy);
  CHECK(place.Add(id, Body("0123456789")) == "locked");
  CHECK_FALSE(place.uploads->Abort(id).ok());
  place.uploads->Unseal(id, /*gone=*/false);
  CHECK(place.Add(id, Body("0123456789")) == "");
  CHECK(place.uploads->Seal("other").code() == Code::kNotFound);
}

TEST_CASE("Uploads: there are not too many, and none is left when the server ends") {
  Place place;
  for (size_t i = 0; i < Uploads::kUploadsMax; ++i) place.Begin();
  CHECK_FALSE(place.uploads->Begin("ada").ok());
  place.uploads.reset();
  CHECK_FALSE(place.fs->Exists("db/uploads"));
}

}  // namespace
}  // namespace varve::api
