// SPDX-License-Identifier: Apache-2.0
#include "tests/mix/held_cursor.h"

#include <iterator>
#include <utility>

#include "core/base/text/text.h"

namespace varve::mix {
namespace {

Contents Within(const Range& range, const Contents& contents) {
  Contents within(contents.key_comp());
  for (const auto& record : contents) {
    const std::string& key = record.first;
    if (range.prefix.has_value() && !key.starts_with(*range.prefix)) continue;
    if (range.lower.has_value() && contents.key_comp()(key, *range.lower)) continue;
    if (range.upper.has_value() && !contents.key_comp()(key, *range.upper)) continue;
    within.insert(within.end(), record);
  }
  return within;
}

std::string Words(const Range& range) {
  std::string words;
  if (range.lower.has_value()) words += " from " + EscapeForDisplay(*range.lower);
  if (range.upper.has_value()) words += " to " + EscapeForDisplay(*range.upper);
  if (range.prefix.has_value()) words += " prefix " + EscapeForDisplay(*range.prefix);
  return words;
}

}  // namespace

HeldCursor::HeldCursor(std::unique_ptr<Cursor> cursor, std::string family, Range range,
                       std::shared_ptr<const Snapshot> snapshot, const Contents& contents)
    : snapshot_(std::move(snapshot)),
      cursor_(std::move(cursor)),
      family_(std::move(family)),
      range_(std::move(range)),
      at_snapshot_(snapshot_ != nullptr),
      contents_(Within(range_, contents)),
      at_(contents_.end()) {}

// Back from an end gives the other end.
Contents::const_iterator HeldCursor::Before(Contents::const_iterator at) const {
  return at == contents_.begin() ? contents_.end() : std::prev(at);
}

Trouble HeldCursor::Look(const std::string& move) const {
  const std::string where = "cursor of " + family_ + Words(range_) +
                            (at_snapshot_ ? " at a snapshot" : "") + ", " + move + ": ";
  if (Trouble trouble = cursor_->trouble(); !trouble.empty()) return where + trouble;
  const std::string right = at_ == contents_.end() ? "the end" : EscapeForDisplay(at_->first);
  const std::string is =
      cursor_->Valid() ? EscapeForDisplay(cursor_->key()) : std::string("the end");
  if (cursor_->Valid() != (at_ != contents_.end())) return where + "at " + is + ", not " + right;
  if (!cursor_->Valid()) return {};
  if (cursor_->key() != at_->first) return where + "at " + is + ", not " + right;
  if (cursor_->value() != at_->second) {
    return where + right + " is " + EscapeForDisplay(cursor_->value()) + ", not " +
           EscapeForDisplay(at_->second);
  }
  return {};
}

Trouble HeldCursor::Move(Model* model, Dice* dice) {
  const uint64_t move = dice->Pick(8);
  const std::string key = model->Key();
  if (move == 0) {
    cursor_->SeekToFirst();
    at_ = contents_.begin();
    return Look("first");
  }
  if (move == 1) {
    cursor_->SeekToLast();
    at_ = Before(contents_.end());
    return Look("last");
  }
  if (move == 2) {
    cursor_->Seek(key);
    at_ = contents_.lower_bound(key);
    return Look("seek " + EscapeForDisplay(key));
  }
  if (move == 3) {
    cursor_->SeekForPrev(key);
    at_ = Before(contents_.upper_bound(key));
    return Look("seek for prev " + EscapeForDisplay(key));
  }
  if (at_ == contents_.end()) return {};
  const std::string from = " of " + EscapeForDisplay(at_->first);
  if (move < 6) {
    cursor_->Next();
    ++at_;
    return Look("next" + from);
  }
  cursor_->Prev();
  at_ = Before(at_);
  return Look("prev" + from);
}

Trouble HeldCursor::ScanForwards() {
  cursor_->SeekToFirst();
  for (at_ = contents_.begin(); at_ != contents_.end(); ++at_, cursor_->Next()) {
    if (Trouble trouble = Look("scan"); !trouble.empty()) return trouble;
  }
  return Look("scan");
}

Trouble HeldCursor::ScanBackwards() {
  cursor_->SeekToLast();
  for (at_ = Before(contents_.end()); at_ != contents_.end(); at_ = Before(at_), cursor_->Prev()) {
    if (Trouble trouble = Look("scan back"); !trouble.empty()) return trouble;
  }
  return Look("scan back");
}

Trouble HeldCursor::Refresh(const Contents& contents) {
  contents_ = Within(range_, contents);
  at_ = contents_.end();
  at_snapshot_ = false;
  Trouble trouble = cursor_->Refresh();
  return trouble.empty() ? trouble : "refresh of a cursor of " + family_ + ": " + trouble;
}

}  // namespace varve::mix
