// SPDX-License-Identifier: Apache-2.0
// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { copyOf } from './save_view';

describe('a copy of a view', () => {
  it('says what its controls say, and has nothing to press', () => {
    document.body.innerHTML = `<main id="main" tabindex="-1"><a href="#/x">Files</a>
      <button data-cli="varve db info ./db">CLI</button><button>JSON</button>
      <div role="columnheader"><button>size ▲</button></div>
      <select><option>by key</option><option selected>by bytes</option></select>
      <label><input type="checkbox" checked> versions</label><input type="text"></main>`;
    const main = document.querySelector('main')!;
    main.querySelector<HTMLInputElement>('[type=text]')!.value = 'key<1>';
    const copy = copyOf(main);
    expect(copy.querySelectorAll('button, input, select, [href], [tabindex]').length).toBe(0);
    expect(copy.textContent!.replace(/\s+/g, ' ')).toBe(
      'Files varve db info ./db size ▲ by bytes ☑ versionskey<1>',
    );
    expect(main.querySelectorAll('button').length).toBe(3); // The view itself is as it was.
  });
});
