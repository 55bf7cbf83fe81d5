// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

// Opens or makes a database and changes it at random; the changes of a round are newer than those
// of the rounds before. Every third one ends as by a crash.
void GrowTimestamps(const char* directory, uint64_t round);
// Prints what it has at many timestamps, read in every way.
void ShowTimestamps(const char* directory, uint64_t rounds);
