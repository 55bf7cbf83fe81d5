// SPDX-License-Identifier: Apache-2.0
// What may be sent to a terminal. Names, messages and options come from files that anybody may have
// made, and a terminal obeys what it is sent: control characters in them must not reach it.
#pragma once

#include <string>
#include <string_view>

namespace varve::cli {

// Lines of text as they are, but for what is not printable (core/base/text.h says what that is):
// that becomes \xNN. Newlines, tabs and backslashes stay, so text that was escaped once is not
// changed again.
std::string PlainText(std::string_view text);

// The same of text with our own colours in it (text_table.h), which stay.
std::string PlainTintedText(std::string_view text);

// Of a JSON document: what JSON lets stand and is not printable becomes \uNNNN, which means the
// same: DEL, control characters past ASCII, what turns the direction of text.
std::string PlainJson(std::string_view json);

}  // namespace varve::cli
