// SPDX-License-Identifier: Apache-2.0
#pragma once

void WriteForOthers(const char* directory);
// Prints the number of records of each family, and a sum over them.
void ReadOfOthers(const char* directory);
