// SPDX-License-Identifier: Apache-2.0
// The names; what every FileSystem promises of files is in file_system_contract_test.cc.
#include "core/fs/file_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace varve {
namespace {

class Contents final : public FileContents {
 public:
  Status Append(std::string_view bytes) override {
    bytes_ += bytes;
    return Status::Ok();
  }
  Status Resize(uint64_t size) override {
    bytes_.resize(size);
    return Status::Ok();
  }
  uint64_t size() const override { return bytes_.size(); }
  Result<std::string_view> Read(uint64_t offset, size_t size, char* buffer) const override {
    if (offset >= bytes_.size()) return std::string_view();
    return std::string_view(buffer, bytes_.copy(buffer, size, offset));
  }
  Status Sync() override { return Status::IoError("the contents' own failure"); }

 private:
  std::string bytes_;
};

// What the store of a tree was told.
struct Told {
  int changes = 0;
  bool full = false;     // The names cannot be written.
  bool no_room = false;  // There are no new files.
  std::string names;     // The last ones: "d/ d/f".
};

class Store final : public ContentsStore {
 public:
  explicit Store(Told* told) : told_(told) {}
  Result<std::shared_ptr<FileContents>> New() override {
    if (told_->no_room) return Status::NoSpace("no room");
    return std::shared_ptr<FileContents>(std::make_shared<Contents>());
  }
  Status NamesChanged(const FileNames& names) override {
    ++told_->changes;
    if (told_->full) return Status::NoSpace("the names do not fit");
    told_->names.clear();
    std::vector<std::string> all;
    for (const std::string& name : names.directories) {
      if (!name.empty()) all.push_back(name + "/");
    }
    for (const auto& [name, contents] : names.files) all.push_back(name);
    std::sort(all.begin(), all.end());
    for (const std::string& name : all) told_->names += (told_->names.empty() ? "" : " ") + name;
    return Status::Ok();
  }

 private:
  Told* told_;
};

struct Tree {
  explicit Tree(FileNames names = {})
      : fs(NewFileTree(std::make_unique<Store>(&told), std::move(names))) {}
  void Make(const std::string& path, std::string_view bytes = "") {
    auto file = fs->Create(path, false);
    REQUIRE_MESSAGE(file.ok(), file.status().ToString());
    REQUIRE((*file)->Append(bytes).ok());
  }
  std::string Read(const std::string& path) const {
    const Result<std::string> bytes = ReadFileToString(*fs, path, 1 << 20);
    return bytes.ok() ? *bytes : bytes.status().ToString();
  }
  // How often the store was told since the last call.
  int Changes() { return std::exchange(told.changes, 0); }

  Told told;
  std::unique_ptr<FileSystem> fs;
};

TEST_CASE("FileTree: one path may be spelled in many ways") {
  Tree tree;
  CHECK(tree.fs->CreateDirectory("/a").ok());
  CHECK(tree.fs->CreateDirectory("a/b/").ok());
  tree.Make("./a//b/./f", "bytes");
  for (const char* path : {"a/b/f", "/a/b/f", "//a///b//f", "a/./b/f", "a/b/f/", "./a/b/f/."}) {
    CHECK_EQ(tree.Read(path), "bytes");
    CHECK(tree.fs->Exists(path));
  }
  CHECK_EQ(tree.told.names, "a/ a/b/ a/b/f");
  CHECK_FALSE(tree.fs->Exists("a/b/../b/f"));  // ".." is a name as any other.
  for (const char* root : {"", "/", ".", "./"}) CHECK_EQ(tree.fs->List(root)->size(), 1u);
}

TEST_CASE("FileTree: the store hears of each change of names, and of nothing else") {
  Tree tree;
  CHECK(tree.fs->CreateDirectory("d").ok());
  CHECK_EQ(tree.Changes(), 1);
  CHECK(tree.fs->CreateDirectory("d").ok());  // Is there.
  CHECK_EQ(tree.Changes(), 0);
  tree.Make("d/f", "x");
  CHECK_EQ(tree.Changes(), 1);
  tree.Make("d/f", "y");  // Emptied, but named already.
  CHECK_EQ(tree.Changes(), 0);
  CHECK(tree.fs->Link("d/f", "d/g").ok());
  CHECK_EQ(tree.Changes(), 1);
  CHECK(tree.fs->Rename("d/g", "h").ok());
  CHECK_EQ(tree.Changes(), 1);
  CHECK(tree.fs->Rename("h", "./h").ok());
  CHECK_EQ(tree.Changes(), 0);
  CHECK(tree.fs->Truncate("h", 0).ok());
  CHECK(tree.fs->SyncDirectory("d").ok());
  CHECK(tree.fs->SyncFile("h").ok());
  CHECK_EQ(tree.Changes(), 0);
  CHECK(tree.fs->Lock("LOCK").ok());
  CHECK_EQ(tree.told.names, "LOCK d/ d/f h");
  CHECK_EQ(tree.Changes(), 1);
  CHECK(tree.fs->Rename("d", "e").ok());
  CHECK_EQ(tree.told.names, "LOCK e/ e/f h");
  CHECK(tree.fs->Remove("e/f").ok());
  CHECK(tree.fs->RemoveDirectory("e").ok());
  CHECK_EQ(tree.Changes(), 3);
  CHECK_EQ(tree.told.names, "LOCK h");
}

TEST_CASE("FileTree: a file whose name cannot be kept is not there, nor locked") {
  Tree tree;
  for (bool Told::* failure : {&Told::full, &Told::no_room}) {
    tree.told.*failure = true;
    CHECK_EQ(tree.fs->Create("f", false).status().code(), Code::kNoSpace);
    CHECK_EQ(tree.fs->Lock("LOCK").status().code(), Code::kNoSpace);
    CHECK_FALSE(tree.fs->Exists("f"));
    CHECK_FALSE(tree.fs->IsLocked("LOCK"));
    tree.told.*failure = false;
  }
  CHECK(tree.fs->Lock("LOCK").ok());
  tree.Make("f");
}

TEST_CASE("FileTree: a file and a directory do not take each other's name") {
  Tree tree;
  REQUIRE(tree.fs->CreateDirectory("d").ok());
  tree.Make("f", "bytes");
  CHECK_EQ(tree.fs->Create("d", false).status().message(), "d: create: is a directory");
  CHECK_EQ(tree.fs->CreateDirectory("f").message(), "f: mkdir: a file is in the way");
  CHECK_EQ(tree.fs->Rename("f", "d").message(), "d: rename: is a directory");
  CHECK_EQ(tree.fs->Rename("d", "f").message(), "f: rename: already exists");
  CHECK_EQ(tree.fs->Link("f", "d").message(), "d: link: already exists");
  CHECK_EQ(tree.fs->Create("f/below", false).status().code(), Code::kNotFound);
  CHECK_EQ(tree.fs->OpenForRead("d", false).status().code(), Code::kNotFound);
  CHECK_EQ(tree.Read("f"), "bytes");
}

TEST_CASE(
    "FileTree: a directory moves with all below it, but not into itself or away from the root") {
  Tree tree;
  for (const char* name : {"a", "a/b", "ab"}) REQUIRE(tree.fs->CreateDirectory(name).ok());
  tree.Make("a/f", "1");
  tree.Make("a/b/g", "2");
  tree.Make("ab/h", "3");
  CHECK_EQ(tree.fs->Rename("a", "a/c").message(),
           "a/c: rename: a directory cannot move into itself");
  CHECK_EQ(tree.fs->Rename("a", "ab").message(), "ab: rename: already exists");
  CHECK_EQ(tree.fs->Rename("a", "absent/c").code(), Code::kNotFound);
  CHECK_EQ(tree.fs->Rename("", "c").code(), Code::kNotFound);
  CHECK(tree.fs->Rename("a", "ab/c").ok());
  CHECK_EQ(tree.told.names, "ab/ ab/c/ ab/c/b/ ab/c/b/g ab/c/f ab/h");
  CHECK_EQ(tree.Read("ab/c/b/g"), "2");
}

TEST_CASE("FileTree: a directory is removed when nothing is in it, the root never") {
  Tree tree;
  REQUIRE(tree.fs->CreateDirectory("a").ok());
  REQUIRE(tree.fs->CreateDirectory("a/b").ok());
  CHECK_EQ(tree.fs->RemoveDirectory("a").message(), "a: rmdir: the directory is not empty");
  CHECK(tree.fs->RemoveDirectory("a/b").ok());
  CHECK(tree.fs->RemoveDirectory("a").ok());
  CHECK_EQ(tree.fs->RemoveDirectory("a").code(), Code::kNotFound);
  CHECK_EQ(tree.fs->RemoveDirectory("/").code(), Code::kIoError);
}

TEST_CASE("FileTree: a writer that is closed takes nothing, and sync is that of the contents") {
  Tree tree;
  auto file = *tree.fs->Create("f", false);
  CHECK_EQ(file->Sync().message(), "the contents' own failure");
  CHECK(file->Append("ab").ok());
  CHECK(file->Close().ok());
  CHECK(file->Close().ok());
  CHECK_EQ(file->Append("c").message(), "f: append: the file is closed");
  CHECK_EQ(file->Sync().message(), "f: sync: the file is closed");
  CHECK_EQ(file->size(), 2u);
}

TEST_CASE("FileTree: begins with the names that it is given") {
  FileNames names;
  names.directories.insert("d");
  names.files["d/f"] = std::make_shared<Contents>();
  REQUIRE(names.files["d/f"]->Append("kept").ok());
  const Tree tree(names);
  CHECK_EQ(tree.Read("d/f"), "kept");
  CHECK_EQ(tree.fs->List("d")->front().name, "f");
}

TEST_CASE("IsTree: names that a tree can have made, and no others") {
  const auto is_tree = [](std::vector<std::string> files, std::set<std::string> directories) {
    FileNames names;
    names.directories = std::move(directories);
    for (const std::string& file : files) names.files[file] = nullptr;
    return IsTree(names);
  };
  CHECK(is_tree({}, {""}));
  CHECK(is_tree({"f", "d/f", "d/e/f"}, {"", "d", "d/e"}));
  CHECK(is_tree({"..", "d/..."}, {"", "d"}));
  CHECK_FALSE(is_tree({}, {"", "d/e"}));  // Its parent is not there.
  CHECK_FALSE(is_tree({"d/f"}, {""}));
  CHECK_FALSE(is_tree({"f"}, {}));         // No root.
  CHECK_FALSE(is_tree({"d"}, {"", "d"}));  // Both.
  CHECK_FALSE(is_tree({""}, {""}));
  for (const char* name : {"/f", "f/", "a//f", "./f", "f/.", "."}) {
    CHECK_FALSE(is_tree({name}, {"", "a"}));
    CHECK_FALSE(is_tree({}, {"", "a", name}));
  }
}

}  // namespace
}  // namespace varve
