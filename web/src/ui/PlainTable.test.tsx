// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { cellOf } from './PlainTable';

function cell(html: string) {
  const made = document.createElement('td');
  made.innerHTML = html;
  return made;
}

describe('a saved cell', () => {
  it('is a number if it says one', () => {
    expect(cellOf(cell('1\u202f234\u202f567'))).toBe(1234567);
    expect(cellOf(cell('0.25'))).toBe(0.25);
    expect(cellOf(cell('-3'))).toBe(-3);
  });
  it('is text if a number would not give the same back', () => {
    expect(cellOf(cell('007'))).toBe('007');
    expect(cellOf(cell('18446744073709551615'))).toBe('18446744073709551615');
    expect(cellOf(cell('5.10.2'))).toBe('5.10.2');
  });
  it('has the exact value of what is rounded or shortened', () => {
    expect(cellOf(cell('<span data-value="key000000">key0…</span>'))).toBe('key000000');
    expect(cellOf(cell('<b data-value="1500">1.46 KiB</b>'))).toBe(1500);
  });
  it('is empty where there is no value', () => {
    expect(cellOf(cell('–'))).toBe('');
  });
  it('has one line', () => {
    expect(cellOf(cell(' +3.1 %<br><span>[1,\n 2]</span>'))).toBe('+3.1 % [1, 2]');
  });
  it('says what a bar says only if no figure is beside it', () => {
    const bar = '<span role="img" aria-label="3 of 4"><i></i></span>';
    expect(cellOf(cell(bar))).toBe('3 of 4');
    expect(cellOf(cell(`${bar} <span>3</span>`))).toBe(3);
  });
});
