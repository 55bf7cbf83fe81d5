// SPDX-License-Identifier: Apache-2.0
#include "core/version/kept_options_files.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/fs/memory_fs.h"
#include "tests/unit/version/manifest_fixture.h"
#include "tests/unreadable_fs.h"

namespace varve {
namespace {

// The text of a file in which each family has this write buffer.
std::string TextOf(const std::vector<std::string>& families, int write_buffer_size) {
  std::string text = "[DBOptions]\n";
  for (const std::string& family : families) {
    text += "[CFOptions \"" + family +
            "\"]\n  write_buffer_size=" + std::to_string(write_buffer_size) + "\n";
  }
  return text;
}

struct Database {
  Database() { REQUIRE(fs->CreateDirectory("db").ok()); }
  void Write(const std::string& name, std::string_view bytes) {
    WriteFile(*fs, "db/" + name, bytes);
  }
  KeptOptionsFiles Read() { return ReadKeptOptionsFiles(*fs, "db"); }

  std::unique_ptr<FileSystem> fs = NewMemoryFileSystem();
};

std::string BufferOf(const OptionsFile& file, std::string_view family) {
  const OptionsSection* const section = FamilySections(file).Of(family).family;
  return section == nullptr ? "none" : *section->Find("write_buffer_size");
}

TEST_CASE("ListOptionsFiles: those of the directory, newest first, unfinished ones marked") {
  Database db;
  for (const char* name : {"OPTIONS-000007", "OPTIONS-000012", "OPTIONS-000009.dbtmp", "000011.sst",
                           "OPTIONS", "OPTIONS-x", "000005.dbtmp"}) {
    db.Write(name, "");
  }
  const std::vector<OptionsFileEntry> files = ListOptionsFiles(*db.fs, "db");
  REQUIRE_EQ(files.size(), 3u);
  CHECK_EQ(files[0].name, "OPTIONS-000012");
  CHECK_EQ(files[0].number, 12u);
  CHECK_EQ(files[1].name, "OPTIONS-000009.dbtmp");
  CHECK(files[1].unfinished);
  CHECK_FALSE(files[2].unfinished);
  CHECK(ListOptionsFiles(*db.fs, "absent").empty());
}

TEST_CASE("ReadKeptOptionsFiles: without files nothing is kept, and that is no problem") {
  Database db;
  const KeptOptionsFiles files = db.Read();
  CHECK_EQ(files.name, "");
  CHECK(files.newest.sections.empty());
  CHECK_FALSE(files.unreadable);
  CHECK(files.notes.empty());
  CHECK_EQ(ReadKeptOptionsFiles(*db.fs, "absent").name, "");
}

TEST_CASE("ReadKeptOptionsFiles: the newest counts, in numbers, not in letters") {
  Database db;
  db.Write("OPTIONS-000999", TextOf({"default"}, 999));
  db.Write("OPTIONS-1000000", TextOf({"default"}, 1000));
  const KeptOptionsFiles files = db.Read();
  CHECK_EQ(files.name, "OPTIONS-1000000");
  CHECK_EQ(BufferOf(files.newest, "default"), "1000");
}

TEST_CASE(
    "ReadKeptOptionsFiles: families that the newest lacks come from the one before it alone") {
  Database db;
  db.Write("OPTIONS-000003", TextOf({"default", "oldest"}, 3));
  db.Write("OPTIONS-000006", TextOf({"default", "older", "both"}, 6));
  db.Write("OPTIONS-000009", TextOf({"default", "both"}, 9));
  const KeptOptionsFiles files = db.Read();
  CHECK_EQ(files.name, "OPTIONS-000009");
  CHECK_EQ(BufferOf(files.newest, "older"), "none");
  CHECK_EQ(BufferOf(files.kept, "default"), "9");
  CHECK_EQ(BufferOf(files.kept, "both"), "9");
  CHECK_EQ(BufferOf(files.kept, "older"), "6");
  CHECK_EQ(BufferOf(files.kept, "oldest"), "none");
}

TEST_CASE("ReadKeptOptionsFiles: of an unfinished file the families count that no other has") {
  Database db;
  db.Write("OPTIONS-000006", TextOf({"default"}, 6));
  db.Write("OPTIONS-000009.dbtmp", TextOf({"default", "new"}, 9));
  const KeptOptionsFiles files = db.Read();
  CHECK_EQ(files.name, "OPTIONS-000006");
  CHECK_EQ(BufferOf(files.kept, "default"), "6");
  CHECK_EQ(BufferOf(files.kept, "new"), "9");
  CHECK(files.notes.empty());
  db.Write("OPTIONS-000009.dbtmp", "[DBOptions]\n[CFOptio");  // As a crash leaves it.
  CHECK_EQ(db.Read().name, "OPTIONS-000006");
  CHECK(db.Read().notes.empty());
  CHECK_FALSE(db.Read().unreadable);
}

TEST_CASE(
    "ReadKeptOptionsFiles: a newest file that is damaged is noted, and the one before it counts") {
  Database db;
  db.Write("OPTIONS-000006", TextOf({"default"}, 6));
  db.Write("OPTIONS-000009", "nonsense");
  const KeptOptionsFiles files = db.Read();
  CHECK_EQ(files.name, "OPTIONS-000006");
  CHECK(files.unreadable);
  CHECK(files.failure.ok());  // The file's fault, not the system's.
  REQUIRE_EQ(files.notes.size(), 1u);
  CHECK(files.notes[0].starts_with("OPTIONS-000009: OPTIONS line 1: "));
  CHECK(files.notes[0].ends_with("; the options that it keeps are not known"));
}

TEST_CASE(
    "ReadKeptOptionsFiles: what vanishes while it is read is looked for again, not for ever") {
  Database db;
  db.Write("OPTIONS-000006", TextOf({"default"}, 6));
  db.Write("OPTIONS-000009", TextOf({"default"}, 9));
  UnreadableFs fs(*db.fs);
  fs.Refuse("OPTIONS-000009", Status::NotFound("gone"));  // Between a list and a read.
  const KeptOptionsFiles files = ReadKeptOptionsFiles(fs, "db");
  CHECK_EQ(fs.refused(), 10);
  CHECK_EQ(files.name, "");
  CHECK(files.notes.empty());
}

TEST_CASE("ReadKeptOptionsFiles: a file that the system does not read is a failure of its own") {
  Database db;
  db.Write("OPTIONS-000006", TextOf({"default"}, 6));
  db.Write("OPTIONS-000009", TextOf({"default"}, 9));
  UnreadableFs fs(*db.fs);
  fs.Refuse("OPTIONS-000009", Status::IoError("db/OPTIONS-000009: read: no"));
  const KeptOptionsFiles files = ReadKeptOptionsFiles(fs, "db");
  CHECK(files.unreadable);
  CHECK_EQ(files.failure.ToString(), "io_error: db/OPTIONS-000009: read: no");
  CHECK_EQ(files.name, "OPTIONS-000006");
  CHECK_EQ(files.notes.size(), 1u);
}

}  // namespace
}  // namespace varve
