// SPDX-License-Identifier: Apache-2.0

// Writes ten records, counts them, and prints which library answered: go_test.py.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/linxGnu/grocksdb"
	_ "varve/rocksdb/VERSION"
)

func library() string {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		log.Fatal(err)
	}
	defer maps.Close()
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		if at := strings.Index(lines.Text(), "/"); at >= 0 && strings.Contains(lines.Text(), "librocksdb") {
			return lines.Text()[at:]
		}
	}
	return "none"
}

func main() {
	options := grocksdb.NewDefaultOptions()
	options.SetCreateIfMissing(true)
	db, err := grocksdb.OpenDb(options, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	writing := grocksdb.NewDefaultWriteOptions()
	for i := 0; i < 10; i++ {
		if err := db.Put(writing, []byte(fmt.Sprintf("key%d", i)), []byte(fmt.Sprintf("value%d", i))); err != nil {
			log.Fatal(err)
		}
	}
	records := 0
	it := db.NewIterator(grocksdb.NewDefaultReadOptions())
	defer it.Close()
	for it.SeekToFirst(); it.Valid(); it.Next() {
		records++
	}
	fmt.Println(records, library())
}
