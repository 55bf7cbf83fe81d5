// SPDX-License-Identifier: Apache-2.0
// node same_output.mjs PROGRAM MODULE: what a native program prints is what its WebAssembly twin
// prints, line by line.
import { execFileSync } from 'node:child_process';

const [program, module] = process.argv.slice(2);
const lines = (command, words) => execFileSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
const native = lines(program, []);
const wasm = lines(process.execPath, [module]);
const different = native.flatMap((line, i) => (line === wasm[i] ? [] : [`native ${line}\nwasm   ${wasm[i]}`]));
console.log(different.slice(0, 10).join('\n'));
console.log(`${native.length - 1} lines, ${different.length + Math.abs(native.length - wasm.length)} different`);
process.exit(native.length < 2 || wasm.length !== native.length || different.length > 0 ? 1 : 0);
