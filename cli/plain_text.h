// SPDX-License-Identifier: Apache-2.0
// What may be sent to a terminal. Names, messages and options come from files that anybody may have
// made, and a terminal obeys what it is sent: control characters in them must not reach it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace varve::cli {

// Lines of text as they are, but for what is not printable (core/base/text.h says what that is):
// that becomes \xNN. Newlines, tabs and backslashes stay, so text that was escaped once is not
// changed again.
std::string PlainText(std::string_view text);

// Where a colour begins or ends in text that is not written yet: the parameter of the escape ("31")
// beside a number that only this process has, so that nothing in a file can pass for it.
std::string TintMark(std::string_view parameter);
// Of the mark that `text` begins with; 0 if it begins with none.
size_t TintMarkLength(std::string_view text);

// PlainText with colours: marks become the escapes that a terminal understands.
std::string PlainTintedText(std::string_view text);

// Of a JSON document: what JSON lets stand and is not printable becomes \uNNNN, which means the
// same: DEL, control characters past ASCII, what turns the direction of text.
std::string PlainJson(std::string_view json);

}  // namespace varve::cli
