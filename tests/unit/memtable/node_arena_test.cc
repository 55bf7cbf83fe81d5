// SPDX-License-Identifier: Apache-2.0
#include "core/memtable/node_arena.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace varve {
namespace {

struct Piece {
  char* bytes = nullptr;
  size_t size = 0;
};

// Fills it, so that pieces that overlap are noticed.
Piece Filled(NodeArena* arena, size_t size, char with) {
  const Piece piece{arena->Allocate(size), size};
  std::memset(piece.bytes, with, size);
  return piece;
}

bool HasOnly(const Piece& piece, char with) {
  return std::all_of(piece.bytes, piece.bytes + piece.size, [&](char c) { return c == with; });
}

void CheckApart(std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.size < b.size;  // Of nothing first.
  });
  for (size_t i = 0; i + 1 < pieces.size(); ++i) {
    REQUIRE(pieces[i].bytes + pieces[i].size <= pieces[i + 1].bytes);
  }
}

TEST_CASE("NodeArena: before the first allocation nothing is used") {
  CHECK_EQ(NodeArena().MemoryUsage(), 0u);
}

TEST_CASE("NodeArena: pieces of every size are aligned, apart, and stay as they were written") {
  NodeArena arena;
  std::vector<Piece> pieces;
  const size_t sizes[] = {0, 1, 7, 8, 9, 16, 100, 1000, 1024, 1025, 4096, 5000, 70'000, 3};
  for (int round = 0; round < 40; ++round) {
    for (const size_t size : sizes) {
      pieces.push_back(Filled(&arena, size, static_cast<char>(pieces.size())));
      REQUIRE_EQ(reinterpret_cast<uintptr_t>(pieces.back().bytes) % NodeArena::kAlignment, 0u);
    }
  }
  for (size_t i = 0; i < pieces.size(); ++i) REQUIRE(HasOnly(pieces[i], static_cast<char>(i)));
  CheckApart(pieces);
}

TEST_CASE("NodeArena: a small one takes little, and what is used is at least what was asked for") {
  NodeArena arena;
  arena.Allocate(1);
  CHECK_EQ(arena.MemoryUsage(), NodeArena::kAlignment);
  uint64_t asked = NodeArena::kAlignment;
  for (int i = 0; i < 100'000; ++i) {
    const size_t size = 8 + static_cast<size_t>(i) % 13 * 8;
    arena.Allocate(size);
    asked += size;
    REQUIRE_GE(arena.MemoryUsage(), asked);
    // The ends of finished blocks: never more than a piece each.
    REQUIRE_LE(arena.MemoryUsage(), asked + 20 * 112);
  }
}

// A block of its own leaves the current one, with what is free in it, in use.
TEST_CASE("NodeArena: a piece that would waste a block gets its own, and counts in full") {
  NodeArena arena;
  arena.Allocate(8);
  const char* const before = arena.Allocate(8);
  for (const size_t large : {NodeArena::kSmallestBlock + 8, size_t{100'000},
                             NodeArena::kLargestBlock, 3 * NodeArena::kLargestBlock}) {
    const uint64_t used = arena.MemoryUsage();
    const Piece piece = Filled(&arena, large, 'l');
    CHECK_EQ(arena.MemoryUsage(), used + large);
    CHECK(HasOnly(piece, 'l'));
  }
  CHECK_EQ(arena.Allocate(8), before + 8);
}

TEST_CASE("NodeArena: threads at once get pieces of their own, and all are counted") {
  constexpr size_t kThreads = 4, kEach = 5000;
  NodeArena arena;
  std::vector<std::vector<Piece>> pieces(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kEach; ++i) {
        const size_t size = i % 997 == 0 ? 5000 : 1 + (i * 7 + t) % 60;
        pieces[t].push_back(Filled(&arena, size, static_cast<char>('a' + t)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Piece> all;
  uint64_t asked = 0;
  for (size_t t = 0; t < kThreads; ++t) {
    for (const Piece& piece : pieces[t]) {
      REQUIRE(HasOnly(piece, static_cast<char>('a' + t)));
      asked += piece.size;
      all.push_back(piece);
    }
  }
  CheckApart(std::move(all));
  CHECK_GE(arena.MemoryUsage(), asked);
}

}  // namespace
}  // namespace varve
