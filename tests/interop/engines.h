// SPDX-License-Identifier: Apache-2.0
// Both engines behind the same few verbs. Every verb returns "" or what went wrong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/interop/contents.h"

namespace varve::interop {

// What to do besides writing: derived from a seed, so that a failure names one number.
struct Session {
  uint64_t seed = 1;
  int groups = 200;
  bool huge = false;
  bool compact = false;  // The whole range, at the end.
  bool flush = true;     // Now and then, and at the end at random.
};

// Creates the database if there is none and the families if they are missing; applies
// `session.groups` groups from `source` with options drawn from the seed; keeps `contents` up to
// date; closes. The options drawn are printed into *described.
std::string WriteWithVarve(const std::string& path, const std::vector<std::string>& families,
                           const Session& session, OperationSource* source, Contents* contents,
                           std::string* described);
std::string WriteWithRocksDb(const std::string& path, const std::vector<std::string>& families,
                             const Session& session, OperationSource* source, Contents* contents,
                             std::string* described);

// Makes a table for ingestion, with table options drawn from the seed, and takes one over into a
// new or existing database.
std::string BuildTableWithVarve(const std::string& path, uint64_t seed, const Family& records);
std::string BuildTableWithRocksDb(const std::string& path, uint64_t seed, const Family& records);
std::string IngestWithVarve(const std::string& db, const std::string& table);
std::string IngestWithRocksDb(const std::string& db, const std::string& table);
std::string CheckpointWithVarve(const std::string& db, const std::string& copy);
std::string CheckpointWithRocksDb(const std::string& db, const std::string& copy);

// Reads everything three ways (scan, reverse scan, get of every key) and compares the three.
std::string ReadWithVarve(const std::string& path, Contents* contents);
std::string ReadWithRocksDb(const std::string& path, Contents* contents);

// Runs a command; its output (both streams) goes to *output. The exit status, or -1.
int RunTool(const std::string& command, std::string* output);

}  // namespace varve::interop
