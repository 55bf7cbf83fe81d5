// SPDX-License-Identifier: Apache-2.0
// The read-only file system of the files below one URL.
//
// An answer about a name, that it exists, its size, its first bytes, is used again for two seconds:
// opening a database asks several times for the same few names. A folder that changes meanwhile is
// noticed by the ETags of its files.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/fs/http/url.h"
#include "varve/environment.h"
#include "varve/file_system.h"
#include "varve/url.h"

namespace varve {

// The sizes of several files, asked for at the same time. kNotFound: there is no such file.
using SizesOfFiles =
    std::function<std::vector<Result<uint64_t>>(std::span<const std::string> paths)>;
// The files of a folder, which a web server cannot list: found by what the files themselves say.
// kNotFound if it has none.
using ListFolder = std::function<Result<std::vector<DirectoryEntry>>(
    FileSystem& files, const std::string& directory, const SizesOfFiles& sizes)>;

// Thread-safe. `env` must outlive it; its file system has the cache. kNotSupported without libcurl.
Result<std::unique_ptr<FileSystem>> NewHttpFileSystem(UrlRoot root, const HttpOptions& options,
                                                      Environment env, ListFolder list);

}  // namespace varve
