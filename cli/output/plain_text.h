// SPDX-License-Identifier: Apache-2.0
// Escapes text for terminals. Names, messages and options come from untrusted files, and a terminal
// interprets control characters, so these must not reach it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace varve::cli {

// Replaces unprintable characters (see core/base/text/text.h) by \xNN. Newlines, tabs and
// backslashes stay, so text that was escaped before is not changed.
std::string PlainText(std::string_view text);

// Marks where a colour begins or ends in text that is not written yet: the parameter of the escape
// sequence ("31") with a number known only to this process, so that data cannot contain a valid
// mark.
std::string TintMark(std::string_view parameter);
// Length of the mark at the beginning of `text`; 0 if there is none.
size_t TintMarkLength(std::string_view text);

// PlainText with colours: replaces marks by escape sequences.
std::string PlainTintedText(std::string_view text);

// For JSON documents: replaces characters that JSON allows but are not printable (DEL, C1 control
// characters, changes of text direction) by the equivalent \uNNNN.
std::string PlainJson(std::string_view json);

}  // namespace varve::cli
