#!/usr/bin/awk -f
# SPDX-License-Identifier: Apache-2.0
# Writes a header as Doxygen wants it: a comment of its own lines documents what follows (///), one at
# the end of a line what stands there (///<), lines right below that one, in the same column, go on
# with it, and the first of the file is the file's. What is indented in a comment stays as it is.
# Headings within a file ("// --- reading") and the lines right below them, words to other tools
# (NOLINT) and what stands behind a closing brace document nothing.
/^\/\/ SPDX/ { print ""; in_head = 1; next }
/^[ \t]*\/\/ ---/ { print ""; heading = 1; next }
/^[ \t]*\/\// {
  if (heading) { print ""; next }
  if (in_head) { print "/// @file"; in_head = 0 }
  if (index($0, "//") != trailing) trailing = 0
  mark = trailing ? "///<" : "///"
  indented = !trailing && /^[ \t]*\/\/   /
  if (indented && !verbatim) print "/// @verbatim"
  if (!indented && verbatim) print "/// @endverbatim"
  verbatim = indented
  sub(/\/\//, mark)
  print
  next
}
{
  if (verbatim) print "/// @endverbatim"
  in_head = 0; trailing = 0; heading = 0; verbatim = 0
}
/^ *}.*  \/\/ / || /  \/\/ NOLINT/ { sub(/  \/\/ .*/, "") }
/[^ \t].*  \/\/ / {
  trailing = match($0, /  \/\/ /) + 2
  sub(/  \/\/ /, "  ///< ")
}
{ print }
