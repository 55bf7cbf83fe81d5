#!/usr/bin/awk -f
# SPDX-License-Identifier: Apache-2.0
# Writes a header as Doxygen wants it: a comment of its own lines documents what follows (///), one at
# the end of a line what stands there (///<), lines right below that one go on with it, and the first
# of the file is the file's.
/^\/\/ SPDX/ { print ""; in_head = 1; next }
/^[ \t]*\/\/ ---/ { print ""; next }          # A heading within a class.
/^[ \t]*\/\// {
  if (in_head) { print "/// @file"; in_head = 0 }
  mark = trailing ? "///<" : "///"
  sub(/\/\//, mark)
  print
  next
}
{ in_head = 0; trailing = 0 }
/[^ \t].*  \/\/ / { sub(/  \/\/ /, "  ///< "); trailing = 1 }
{ print }
