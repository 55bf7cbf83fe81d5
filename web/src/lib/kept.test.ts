// SPDX-License-Identifier: Apache-2.0
// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import {
  forgetView,
  keepView,
  linkOfRecipe,
  linkOfView,
  namedViews,
  recentTargets,
  rememberTarget,
  viewOf,
  type NamedView,
} from './kept';
import { goTo, parseRoute } from './route';
import { entryName, keepPlace, placeOf } from './scroll';

beforeEach(() => localStorage.clear());

const view = (title: string, changes: Partial<NamedView> = {}): NamedView => ({
  title,
  target: 'db',
  engine: 'h',
  view: 'lsm?axis=bytes',
  ...changes,
});

describe('named views', () => {
  it('are found again under another number of the target', () => {
    for (const hash of [
      '#/h/t/t1/lsm?axis=bytes&sel=30',
      '#/w/t/t1/cf/a%2Fb/block/30/0',
      '#/h/t/t1/overview',
    ]) {
      const kept = viewOf(parseRoute(hash));
      expect(linkOfView(kept, parseRoute(hash).engine!, 't7')).toBe(hash.replace('t1', 't7'));
    }
  });
  it('of a sample open it first', () => {
    const link = linkOfRecipe({ sample: 'levels' }, 'lsm?axis=bytes&sel=30');
    expect(parseRoute(link).query).toEqual({ sample: 'levels', view: 'lsm?axis=bytes&sel=30' });
  });
  it('are replaced by one of the same name, and forgotten', () => {
    keepView(view('a'));
    keepView(view('b'));
    keepView(view('a', { view: 'files' }));
    expect(namedViews().map((one) => [one.title, one.view])).toEqual([
      ['b', 'lsm?axis=bytes'],
      ['a', 'files'],
    ]);
    forgetView('b');
    expect(namedViews().map((one) => one.title)).toEqual(['a']);
  });
  it('skip what is none', () => {
    localStorage.setItem('varve.views', JSON.stringify([view('a'), { title: 'b' }, 7, null]));
    expect(namedViews().map((one) => one.title)).toEqual(['a']);
    localStorage.setItem('varve.views', 'no JSON');
    expect(namedViews()).toEqual([]);
  });
});

describe('recent targets', () => {
  it('are eight, the last one first, each once', () => {
    for (let i = 0; i < 10; i += 1) rememberTarget({ name: `db${i}`, kind: 'db', engine: 'h' });
    rememberTarget({ name: 'db5', kind: 'db', engine: 'h' });
    expect(recentTargets().map((one) => one.name)).toEqual(
      [5, 9, 8, 7, 6, 4, 3, 2].map((i) => `db${i}`),
    );
  });
});

describe('a place on a page', () => {
  it('belongs to the entry of the history, whose query may change', () => {
    goTo('#/h/t/t1/files');
    const files = entryName();
    keepPlace(files, 'page', 120);
    goTo('#/h/t/t1/files?sel=3', true);
    expect(placeOf(entryName(), 'page')).toBe(120);
    goTo('#/h/t/t1/files');
    expect(entryName()).not.toBe(files);
    expect(placeOf(entryName(), 'page')).toBe(0);
  });
});
