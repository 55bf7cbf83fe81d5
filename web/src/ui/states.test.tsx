// SPDX-License-Identifier: Apache-2.0
// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ask, Client } from '@/engine/client';
import type { Engine } from '@/engine/engine';
import { Shown } from './states';
import { prepareDom } from './test_dom';

const kProblem = {
  code: 'corruption',
  title: 'Stored bytes are damaged',
  status: 422,
  detail: 'MANIFEST-000005@77: torn',
};

// An engine whose every answer is `page`.
function engineOf(page: unknown): Engine {
  return { letter: 'h', name: 'http', fetch: async () => Response.json(page) };
}

const kEdits = ask('/targets/{t}/manifest/edits', { path: { t: 't1' } });

function show(page: unknown) {
  render(
    <MantineProvider>
      <Shown of={{ data: page } as UseQueryResult<unknown>}>{() => <p>the rows</p>}</Shown>
    </MantineProvider>,
  );
}

prepareDom();

describe('a list that could not be read to its end', () => {
  it('says so beside the rows that there are', async () => {
    const page = await new Client(
      engineOf({ edits: [1, 2], complete: false, problem: kProblem }),
    ).all(kEdits, (of) => of.edits);
    expect(page.rows).toHaveLength(2);
    show(page);
    expect(screen.getByRole('alert').textContent).toContain('MANIFEST-000005@77');
    expect(screen.getByText('the rows')).toBeTruthy();
  });

  it('and one that was read says nothing', async () => {
    show(await new Client(engineOf({ edits: [1], complete: true })).all(kEdits, (of) => of.edits));
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
