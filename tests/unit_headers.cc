// SPDX-License-Identifier: Apache-2.0
// Nothing: CMake wants a source for the target whose precompiled headers the unit tests share.
