// SPDX-License-Identifier: Apache-2.0
// Counts what holds and what does not.

export class Checks {
  passed = 0;
  failures = [];
  group = '';

  // `only`: of groups' names, to run no other ones.
  constructor(only = '') {
    this.only = only;
  }

  that(what, holds, detail = '') {
    if (holds) {
      this.passed += 1;
      return;
    }
    this.failures.push(`${this.group}: ${what}${detail ? `: ${detail}` : ''}`);
    console.log(`FAIL ${this.failures.at(-1)}`);
  }

  equal(what, is, should) {
    this.that(
      what,
      JSON.stringify(is) === JSON.stringify(should),
      `is ${JSON.stringify(is)}, should be ${JSON.stringify(should)}`,
    );
  }

  // A failure inside is a failure of the group, not the end of all.
  async in(group, body) {
    if (!group.includes(this.only)) return;
    this.group = group;
    const began = Date.now();
    try {
      await body();
    } catch (error) {
      this.that('ran to its end', false, error.message.split('\n').slice(0, 4).join(' | '));
    }
    console.log(`-- ${group}: ${Date.now() - began} ms`);
  }
}
