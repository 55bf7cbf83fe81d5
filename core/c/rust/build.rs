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

/// One of the two C interfaces of core/c.
struct Interface {
    soname: &'static str,
    /// Its archive, and the target that makes it.
    archive: &'static str,
    target: &'static str,
    /// Below src.
    bindings: &'static str,
}

const SEVEN: Interface = Interface {
    soname: "librocksdb.so.7.8",
    archive: "varve_rocksdb",
    target: "varve_rocksdb_static",
    bindings: "seven.rs",
};

const ELEVEN: Interface = Interface {
    soname: "librocksdb.so.11",
    archive: "varve_rocksdb_eleven",
    target: "varve_rocksdb_eleven_static",
    bindings: "eleven.rs",
};

/// Which one the version of librocksdb-sys that this crate stands in for has.
fn interface() -> &'static Interface {
    match env!("CARGO_PKG_VERSION_MINOR") {
        "8" | "10" => &SEVEN,
        _ => &ELEVEN,
    }
}

fn main() {
    println!("cargo:rerun-if-changed={}", manifest_dir().join("../build.rs").display());
    for name in ["ROCKSDB_LIB_DIR", "ROCKSDB_STATIC"] {
        println!("cargo:rerun-if-env-changed={name}");
    }
    let interface = interface();
    println!("cargo:rustc-env=VARVE_BINDINGS={}", interface.bindings);
    match env::var("ROCKSDB_LIB_DIR") {
        Ok(directory) => link_built(interface, &directory),
        Err(_) => build(interface),
    }
    // As librocksdb-sys has it, for crates that ask with DEP_ROCKSDB_...
    println!("cargo:cargo_manifest_dir={}", manifest_dir().display());
    println!("cargo:out_dir={}", env::var("OUT_DIR").unwrap());
}

fn manifest_dir() -> PathBuf {
    PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap())
}

fn link_built(interface: &Interface, directory: &str) {
    if env::var_os("ROCKSDB_STATIC").is_some() {
        panic!("ROCKSDB_STATIC is set, but ROCKSDB_LIB_DIR={directory} can only name a shared library; without ROCKSDB_LIB_DIR, an archive is built and linked");
    }
    // Of the two interfaces, three functions have other parameters: a program of one must not run on the other.
    let library = Path::new(directory).join("librocksdb.so");
    let named = library.canonicalize().unwrap_or(library);
    let name = named.file_name().unwrap_or_default().to_string_lossy();
    for other in [&SEVEN, &ELEVEN] {
        if other.soname != interface.soname && name.starts_with(other.soname) {
            panic!("ROCKSDB_LIB_DIR={directory} has {}, but librocksdb-sys {} is for {}", other.soname, env!("CARGO_PKG_VERSION"), interface.soname);
        }
    }
    println!("cargo:rustc-link-search=native={directory}");
    println!("cargo:rustc-link-lib=dylib=rocksdb");
}

fn build(interface: &Interface) {
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
    let built = configure(&root, uring).build_target(interface.target).build();
    println!("cargo:rustc-link-search=native={}", built.join("build/core/c").display());
    println!("cargo:rustc-link-lib=static={}", interface.archive);
    for library in LIBRARIES.into_iter().chain(uring.then_some("uring")) {
        println!("cargo:rustc-link-lib=dylib={library}");
    }
}

fn configure(root: &Path, uring: bool) -> cmake::Config {
    let mut config = cmake::Config::new(root);
    // Whatever the profile of the program: an engine without optimisation is of no use to its tests either.
    config.profile("Release");
    for off in ["CLI", "HTTP", "BENCH", "SHARED", "PYTHON"] {
        config.define(format!("VARVE_BUILD_{off}"), "OFF");
    }
    // As the presets have it.
    config.define("CMAKE_CXX_FLAGS_RELEASE", "-O2 -DNDEBUG");
    config.define("VARVE_BUILD_C", "ON").define("VARVE_INSTALL", "OFF");
    config.define("VARVE_WITH_URING", if uring { "ON" } else { "OFF" });
    config
}
