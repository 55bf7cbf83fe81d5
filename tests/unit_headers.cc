// SPDX-License-Identifier: Apache-2.0
// The source of the precompiled headers of the unit tests has nothing of its own (tests/CMakeLists.txt).
