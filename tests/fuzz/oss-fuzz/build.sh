#!/bin/bash -eu
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers into $OUT with what OSS-Fuzz's base image sets: SRC, WORK, OUT, CC, CXX, CFLAGS,
# CXXFLAGS (with the sanitizer) and LIB_FUZZING_ENGINE. Seeds are the checked-in corpora.
cd "$SRC/varve"
# The distribution's libraries are linked statically, and snappy's is of GNU's C++ library.
export CXXFLAGS="${CXXFLAGS//-stdlib=libc++/}"
cmake -S . -B "$WORK/varve" -G Ninja -DCMAKE_BUILD_TYPE=None -DVARVE_FUZZ=ON \
  -DVARVE_DEBUG_CHECKS=ON -DVARVE_WITH_LIBEDIT=OFF "-DVARVE_FUZZ_ENGINE=$LIB_FUZZING_ENGINE"
ninja -C "$WORK/varve"
for program in "$WORK"/varve/fuzzers/*; do
  target=${program##*/}
  cp "$program" "$OUT/"
  zip -qj "$OUT/${target}_seed_corpus.zip" "tests/fuzz/corpus/$target"/*
  if [ -e "tests/fuzz/$target.dict" ]; then cp "tests/fuzz/$target.dict" "$OUT/"; fi
  printf '[libfuzzer]\nrss_limit_mb = 2560\nmalloc_limit_mb = 1024\n' >"$OUT/$target.options"
done
