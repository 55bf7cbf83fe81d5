#!/usr/bin/awk -f
# SPDX-License-Identifier: Apache-2.0
# Writes a header as Doxygen wants it: a comment of its own lines documents what follows (///), one at
# the end of a line what stands there (///<), lines right below that one, in the same column, go on
# with it, and the first of the file is the file's. What is indented in a comment keeps its lines.
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
  if (indented && !was_indented) print "///"
  was_indented = indented
  sub(/\/\//, indented ? mark "    " : mark)
  print
  next
}
{ in_head = 0; trailing = 0; heading = 0; was_indented = 0 }
/^ *}.*  \/\/ / || /  \/\/ NOLINT/ { sub(/  \/\/ .*/, "") }
/[^ \t].*  \/\/ / {
  trailing = match($0, /  \/\/ /) + 2
  sub(/  \/\/ /, "  ///< ")
}
{ print }
