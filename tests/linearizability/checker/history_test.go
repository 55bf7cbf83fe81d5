// SPDX-License-Identifier: Apache-2.0
package main

import (
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
)

func linearizable(t *testing.T, lines ...string) bool {
	t.Helper()
	operations, err := read(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return porcupine.CheckOperations(model, operations)
}

func TestHistories(t *testing.T) {
	for name, history := range map[string]struct {
		want  bool
		lines []string
	}{
		"a read after a write": {true, []string{
			`{"call":1,"return":2,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,7],[1,0]]}`}},
		"a stale read": {false, []string{
			`{"call":1,"return":2,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,0]]}`}},
		"a read beside a write has either": {true, []string{
			`{"call":1,"return":9,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,0]]}`,
			`{"call":5,"return":6,"read":[[0,7]]}`}},
		"and then not the older again": {false, []string{
			`{"call":1,"return":9,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,7]]}`,
			`{"call":5,"return":6,"read":[[0,0]]}`}},
		"half a batch": {false, []string{
			`{"call":1,"return":9,"write":[[0,7],[1,8]]}`, `{"call":3,"return":4,"read":[[0,7],[1,0]]}`}},
		"two readers see two writes in two orders": {false, []string{
			`{"call":1,"return":9,"write":[[0,7]]}`, `{"call":1,"return":9,"write":[[1,8]]}`,
			`{"call":2,"return":3,"read":[[0,7],[1,0]]}`, `{"call":4,"return":5,"read":[[0,0],[1,8]]}`}},
		"a write that its process did not survive is there": {true, []string{
			`{"call":1,"return":2,"maybe":true,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,7]]}`}},
		"or is not": {true, []string{
			`{"call":1,"return":2,"maybe":true,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,0]]}`}},
		"but does not come later": {false, []string{
			`{"call":1,"return":2,"maybe":true,"write":[[0,7]]}`, `{"call":3,"return":4,"read":[[0,0]]}`,
			`{"call":5,"return":6,"read":[[0,7]]}`}},
		"nor by half": {false, []string{
			`{"call":1,"return":2,"maybe":true,"write":[[0,7],[1,8]]}`, `{"call":3,"return":4,"read":[[0,7],[1,0]]}`}},
	} {
		if got := linearizable(t, history.lines...); got != history.want {
			t.Errorf("%s: %v, want %v", name, got, history.want)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, line := range []string{"", "{", `{"read":[[6,1]]}`} {
		if _, err := read(strings.NewReader(line + "\n")); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}
