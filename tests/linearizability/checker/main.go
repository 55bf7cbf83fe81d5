// SPDX-License-Identifier: Apache-2.0
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// check prints what is wrong with the history in the file of that name; false if anything is.
func check(name string, limit time.Duration) (int, bool) {
	file, err := os.Open(name)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 0, false
	}
	defer file.Close()
	operations, err := read(file)
	if err != nil || len(operations) == 0 {
		fmt.Fprintf(os.Stderr, "%s: %v, %d calls\n", name, err, len(operations))
		return 0, false
	}
	result, info := porcupine.CheckOperationsVerbose(model, operations, limit)
	if result == porcupine.Ok {
		return len(operations), true
	}
	picture := name + ".html"
	fmt.Fprintf(os.Stderr, "%s: %d calls: linearizable: %s\n", name, len(operations), result)
	if err := porcupine.VisualizePath(model, info, picture); err == nil {
		fmt.Fprintf(os.Stderr, "%s: open it in a browser\n", picture)
	}
	return len(operations), false
}

func main() {
	limit := flag.Duration("limit", 2*time.Minute, "for one history; one that takes longer counts as failed")
	flag.Parse()
	calls, failed := 0, 0
	for _, name := range flag.Args() {
		made, ok := check(name, *limit)
		calls += made
		if !ok {
			failed++
		}
	}
	fmt.Printf("%d histories, %d calls, %d failed\n", flag.NArg(), calls, failed)
	if failed > 0 || flag.NArg() == 0 {
		os.Exit(1)
	}
}
