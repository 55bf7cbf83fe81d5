# Debian packages, one for each component of an installation at /usr: `cpack -G DEB` in a build that was
# configured with -DCMAKE_INSTALL_PREFIX=/usr, for this release of Debian and this architecture. What
# they depend on is looked up by dpkg-shlibdeps.
#
#   varve                    program, man pages, completions
#   libvarve0.1              the shared library; the minor version is in its name
#   libvarve-dev             headers, archive, what CMake and pkg-config need
#   libvarve-rocksdb7.8      librocksdb.so.7.8, in a directory of its own: beside RocksDB's
#   libvarve-rocksdb11       librocksdb.so.11, likewise
set(library libvarve${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(packages program varve library ${library} development libvarve-dev
  rocksdb libvarve-rocksdb7.8 rocksdb11 libvarve-rocksdb11)
set(CPACK_COMPONENTS_ALL "")
while(packages)
  list(POP_FRONT packages component package)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION libs)
  install(FILES copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
    COMPONENT ${component})
endwhile()
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION database)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "LSM key-value store in RocksDB's format: command line
 Reads, writes, repairs and explains databases and tables of RocksDB and LevelDB, also over HTTP
 and in a browser (varve serve).")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "LSM key-value store in RocksDB's format: library
 The engine for programs in C++.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "LSM key-value store in RocksDB's format: headers
 What is needed to build programs in C++ with the engine.")
set(CPACK_COMPONENT_ROCKSDB_DESCRIPTION "LSM key-value store behind RocksDB's C interface, 7.8
 For programs that were built with librocksdb7.8 and use its C interface: they choose it by
 LD_LIBRARY_PATH. It is installed beside RocksDB's library, not in its place.")
set(CPACK_COMPONENT_ROCKSDB11_DESCRIPTION "LSM key-value store behind RocksDB's C interface, 11
 For programs that were built with librocksdb.so.11 and use its C interface: they choose it by
 LD_LIBRARY_PATH. It is installed beside RocksDB's library, not in its place.")
# They are loaded, or linked, when they are needed.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libcurl4 | libcurl3-gnutls")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "libcurl4 | libcurl3-gnutls")
list(TRANSFORM codecs REPLACE "^(zstd|lz4|snappy|bz2|uring)$" "lib\\1-dev" OUTPUT_VARIABLE archives)
list(TRANSFORM archives REPLACE "^z$" "zlib1g-dev")
list(JOIN archives ", " archives)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${PROJECT_VERSION}), ${archives}")

set(CPACK_PACKAGE_NAME varve)
set(CPACK_PACKAGE_VENDOR "the developers of Varve")
set(CPACK_PACKAGE_CONTACT "the developers of Varve <varve@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
