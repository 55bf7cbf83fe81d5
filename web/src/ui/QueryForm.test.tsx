// SPDX-License-Identifier: Apache-2.0
// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { goTo, parseRoute } from '@/lib/route';
import { QueryForm } from './QueryForm';
import { prepareDom } from './test_dom';

prepareDom();

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

function show(hash: string) {
  goTo(hash);
  render(
    <MantineProvider>
      <QueryForm
        of={[
          { name: 'from', label: 'from', isFilter: true },
          { name: 'rows', label: 'rows', number: { unset: 100, max: 1000 } },
          { node: <i key="node">between</i> },
        ]}
        send="Explain"
      />
    </MantineProvider>,
  );
}

describe('a form about the query', () => {
  it('shows the query, and what is unset', () => {
    show('#/w/t/t1/explain?from=a');
    expect(field('from').value).toBe('a');
    expect(field('rows').value).toBe('100');
    screen.getByText('between');
  });

  it('puts what was typed into the query when it is sent, and nothing else', () => {
    show('#/w/t/t1/explain?from=a&op=scan');
    fireEvent.change(field('from'), { target: { value: 'b c' } });
    expect(parseRoute(location.hash).query).toEqual({ from: 'a', op: 'scan' });
    fireEvent.click(screen.getByRole('button', { name: 'Explain' }));
    expect(parseRoute(location.hash).query).toEqual({ from: 'b c', op: 'scan' });
  });

  it('forgets what was typed when the query changes', () => {
    show('#/w/t/t1/explain?from=a');
    fireEvent.change(field('from'), { target: { value: 'typed' } });
    act(() => goTo('#/w/t/t1/explain?from=z'));
    expect(field('from').value).toBe('z');
  });
});
