// SPDX-License-Identifier: Apache-2.0

// The checker says whether histories of record_histories are linearizable: whether each call can have
// taken effect at one moment between its invocation and its return, all in one order. The search is
// Porcupine's.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/anishathalye/porcupine"
)

// keys is how many there are; history.h has the same number.
const keys = 6

// state is the value of each key, 0 if it has none.
type state [keys]uint32

// call is a line of a history. A write with maybe had not returned when its process was killed.
type call struct {
	Client int         `json:"client"`
	Call   int64       `json:"call"`
	Return int64       `json:"return"`
	Maybe  bool        `json:"maybe"`
	Write  [][2]uint32 `json:"write"`
	Read   [][2]uint32 `json:"read"`
}

// model is of a map: a write sets all its keys at once, and a read finds what all of them have.
var model = (&porcupine.NondeterministicModel{
	Init: func() []interface{} { return []interface{}{state{}} },
	Step: func(before, input, _ interface{}) []interface{} {
		now, made := before.(state), input.(call)
		for _, found := range made.Read {
			if now[found[0]] != found[1] {
				return nil
			}
		}
		for _, written := range made.Write {
			now[written[0]] = written[1]
		}
		if made.Maybe && now != before.(state) {
			return []interface{}{now, before}
		}
		return []interface{}{now}
	},
	DescribeOperation: func(input, _ interface{}) string {
		made := input.(call)
		if made.Write != nil {
			return fmt.Sprintf("write %v maybe=%v", made.Write, made.Maybe)
		}
		return fmt.Sprintf("read %v", made.Read)
	},
}).ToModel()

// read takes the lines of one history.
func read(from io.Reader) ([]porcupine.Operation, error) {
	var operations []porcupine.Operation
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		var made call
		if err := json.Unmarshal(lines.Bytes(), &made); err != nil {
			return nil, fmt.Errorf("line %d: %w", len(operations)+1, err)
		}
		for _, pair := range append(append([][2]uint32{}, made.Write...), made.Read...) {
			if pair[0] >= keys {
				return nil, fmt.Errorf("line %d: there is no key %d", len(operations)+1, pair[0])
			}
		}
		operations = append(operations, porcupine.Operation{
			ClientId: made.Client, Input: made, Call: made.Call, Return: made.Return})
	}
	return operations, lines.Err()
}
