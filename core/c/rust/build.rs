// SPDX-License-Identifier: Apache-2.0
//! Builds Varve's librocksdb from the sources that this crate lies in, or links the one that is named:
//!
//! - `ROCKSDB_LIB_DIR`: the directory of a built `librocksdb.so`; nothing is compiled.
//!
//! Building needs CMake, a compiler of C++20, and the packages of `scripts/setup.sh --list library`.
use std::env;
use std::path::{Path, PathBuf};

/// What the archive takes from the system, as core/package/CMakeLists.txt has it.
const LIBRARIES: [&str; 6] = ["zstd", "lz4", "snappy", "z", "bz2", "stdc++"];

fn main() {
    println!("cargo:rerun-if-changed={}", manifest_dir().join("../build.rs").display());
    for name in ["ROCKSDB_LIB_DIR", "ROCKSDB_STATIC"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    match env::var("ROCKSDB_LIB_DIR") {
        Ok(directory) => link_built(&directory),
        Err(_) => build(),
    }
    // As librocksdb-sys has it, for crates that ask with DEP_ROCKSDB_...
    println!("cargo:cargo_manifest_dir={}", manifest_dir().display());
    println!("cargo:out_dir={}", env::var("OUT_DIR").unwrap());
}

fn manifest_dir() -> PathBuf {
    PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap())
}

fn link_built(directory: &str) {
    if env::var_os("ROCKSDB_STATIC").is_some() {
        panic!("ROCKSDB_STATIC is set, but ROCKSDB_LIB_DIR={directory} can only name a shared library; without ROCKSDB_LIB_DIR, an archive is built and linked");
    }
    println!("cargo:rustc-link-search=native={directory}");
    println!("cargo:rustc-link-lib=dylib=rocksdb");
}

fn build() {
    let root = manifest_dir().join("../../../..");
    let root = root.canonicalize().unwrap_or(root);
    if !root.join("core/c/CMakeLists.txt").exists() {
        panic!("{} is not a checkout of Varve, whose core/c/rust this crate has to lie in", root.display());
    }
    for sources in ["CMakeLists.txt", "core"] {
        println!("cargo:rerun-if-changed={}", root.join(sources).display());
    }
    let uring = pkg_config::Config::new().cargo_metadata(false).probe("liburing").is_ok();
    if cfg!(feature = "io-uring") && !uring {
        panic!("the feature io-uring is asked for, but liburing is not there: install liburing-dev");
    }
    let built = configure(&root, uring).build();
    println!("cargo:rustc-link-search=native={}", built.join("build/core/c").display());
    println!("cargo:rustc-link-lib=static=varve_rocksdb");
    for library in LIBRARIES.into_iter().chain(uring.then_some("uring")) {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
}

fn configure(root: &Path, uring: bool) -> cmake::Config {
    let mut config = cmake::Config::new(root);
    // Whatever the profile of the program: an engine without optimisation is of no use to its tests either.
    config.profile("Release").build_target("varve_rocksdb_static");
    for off in ["CLI", "HTTP", "BENCH", "SHARED", "PYTHON"] {
        config.define(format!("VARVE_BUILD_{off}"), "OFF");
    }
    // As the presets have it.
    config.define("CMAKE_CXX_FLAGS_RELEASE", "-O2 -DNDEBUG");
    config.define("VARVE_BUILD_C", "ON").define("VARVE_INSTALL", "OFF");
    config.define("VARVE_WITH_URING", if uring { "ON" } else { "OFF" });
    config
}
