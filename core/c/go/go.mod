module varve/rocksdb

go 1.17
