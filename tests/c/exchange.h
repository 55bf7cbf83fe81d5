// SPDX-License-Identifier: Apache-2.0
#pragma once

void WriteForOthers(const char* directory);
// Prints the number of records of each family, and a sum over them, in the database and in one that
// is restored from the newest backup, of which it makes another one.
void ReadOfOthers(const char* directory);
