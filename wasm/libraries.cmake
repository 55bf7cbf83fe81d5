# What the native build takes from Debian's packages, for WebAssembly: the codecs' sources (the same
# versions; fetched by wasm/fetch-sources.sh into .deps/codecs), and two header-only libraries,
# linked to by themselves: /usr/include as a whole would hide Emscripten's own C library.
set(VARVE_CODECS ${CMAKE_SOURCE_DIR}/.deps/codecs CACHE PATH "zstd/ lz4/ snappy/ zlib/ bzip2/")
if(NOT EXISTS ${VARVE_CODECS}/zstd)
  message(FATAL_ERROR "no codec sources in ${VARVE_CODECS}: run wasm/fetch-sources.sh")
endif()

set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name nlohmann xxhash.h)
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()
# Not lz4's folder: it has an xxhash.h of its own, an older one.
foreach(name lz4.h lz4hc.h)
  file(CREATE_LINK ${VARVE_CODECS}/lz4/lib/${name} ${headers}/${name} SYMBOLIC)
endforeach()
add_library(wasm_xxhash INTERFACE)
target_include_directories(wasm_xxhash SYSTEM INTERFACE ${headers})
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${headers})

set(c ${VARVE_CODECS})
# zstd without threads and formats older than 0.8.
file(GLOB zstd ${c}/zstd/lib/common/*.c ${c}/zstd/lib/compress/*.c ${c}/zstd/lib/decompress/*.c
  ${c}/zstd/lib/dictBuilder/*.c)
file(GLOB zlib ${c}/zlib/*.c)
list(FILTER zlib EXCLUDE REGEX "/gz[a-z]*\\.c$")  # Those read and write FILE*.
set(bzip2 blocksort bzlib compress crctable decompress huffman randtable)
list(TRANSFORM bzip2 PREPEND ${c}/bzip2/)
list(TRANSFORM bzip2 APPEND .c)
set(snappy snappy snappy-sinksource snappy-stubs-internal snappy-c)
list(TRANSFORM snappy PREPEND ${c}/snappy/)
list(TRANSFORM snappy APPEND .cc)
set(HAVE_SYS_UIO_H_01 1)  # The one header that snappy's own build makes.
set(PROJECT_VERSION_MAJOR 1)
set(PROJECT_VERSION_MINOR 1)
set(PROJECT_VERSION_PATCH 9)
configure_file(${c}/snappy/snappy-stubs-public.h.in ${CMAKE_BINARY_DIR}/snappy/snappy-stubs-public.h)

add_library(wasm_zstd STATIC ${zstd})
target_compile_definitions(wasm_zstd PRIVATE ZSTD_DISABLE_ASM XXH_NAMESPACE=ZSTD_)
target_include_directories(wasm_zstd SYSTEM PUBLIC ${c}/zstd/lib)
add_library(wasm_lz4 STATIC ${c}/lz4/lib/lz4.c ${c}/lz4/lib/lz4hc.c)
target_include_directories(wasm_lz4 SYSTEM PUBLIC ${headers})
add_library(wasm_snappy STATIC ${snappy})
target_compile_definitions(wasm_snappy PRIVATE HAVE_BUILTIN_CTZ=1 HAVE_BUILTIN_EXPECT=1)
target_include_directories(wasm_snappy SYSTEM PUBLIC ${c}/snappy ${CMAKE_BINARY_DIR}/snappy)
add_library(wasm_zlib STATIC ${zlib})
target_include_directories(wasm_zlib SYSTEM PUBLIC ${c}/zlib)
add_library(wasm_bzip2 STATIC ${bzip2} ${CMAKE_SOURCE_DIR}/wasm/bzip2_error.c)
target_compile_definitions(wasm_bzip2 PRIVATE BZ_NO_STDIO)
target_include_directories(wasm_bzip2 SYSTEM PUBLIC ${c}/bzip2)
add_library(wasm_codecs INTERFACE)
foreach(name zstd lz4 snappy zlib bzip2)
  target_compile_options(wasm_${name} PRIVATE -w -O3)  # Others' code; -Os is eight times slower.
  target_link_libraries(wasm_codecs INTERFACE wasm_${name})
endforeach()
