// SPDX-License-Identifier: Apache-2.0
// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { setWhole } from '@/lib/whole';
import { offsetOf } from '@/views/file/path';
import { DataGrid } from './DataGrid';
import { prepareDom } from './test_dom';

prepareDom();

function show(rows: number, more: { hasNextPage: boolean; isFetchingNextPage?: boolean }) {
  const fetchNextPage = vi.fn();
  const grid = (
    <MantineProvider>
      <DataGrid
        label="numbers"
        saveName="numbers"
        rows={Array.from({ length: rows }, (_, i) => i)}
        columns={[{ id: 'n', header: 'n', value: (n) => n }]}
        rowId={String}
        more={{ isFetchingNextPage: false, fetchNextPage, ...more }}
      />
    </MantineProvider>
  );
  return { fetchNextPage, ...render(grid) };
}

describe('a table of a list that comes in pages', () => {
  it('asks for the next page when its end is in sight', () => {
    expect(show(3, { hasNextPage: true }).fetchNextPage).toHaveBeenCalled();
    expect(screen.getByText(/so far/)).toBeTruthy();
  });
  it('and not while its end is far, nor where there is none or one is on its way', () => {
    expect(show(1000, { hasNextPage: true }).fetchNextPage).not.toHaveBeenCalled();
    expect(show(3, { hasNextPage: false }).fetchNextPage).not.toHaveBeenCalled();
    const { fetchNextPage } = show(3, { hasNextPage: true, isFetchingNextPage: true });
    expect(fetchNextPage).not.toHaveBeenCalled();
  });
  it('and not for a filter that leaves little', () => {
    const { fetchNextPage, container } = show(1000, { hasNextPage: true });
    const field = container.querySelector('input')!;
    fireEvent.change(field, { target: { value: '999' } });
    expect(fetchNextPage).not.toHaveBeenCalled();
  });
});

describe('a table in a view that is saved', () => {
  it('says which rows are in the file unless all are', () => {
    const part = /rows 1 to .* are in this file/;
    for (const side of ['clientWidth', 'clientHeight'] as const)
      vi.spyOn(Element.prototype, side, 'get').mockReturnValue(400);
    const shorter = show(100, { hasNextPage: false });
    act(() => setWhole(true));
    expect(screen.queryByText(part)).toBeNull();
    shorter.unmount();
    show(6000, { hasNextPage: false });
    expect(screen.getByText(part)).toBeTruthy();
    act(() => setWhole(false));
    expect(screen.queryByText(part)).toBeNull();
    vi.restoreAllMocks();
  }, 60_000);
});

describe('the headers of a table', () => {
  it('are one stop for Tab, chosen by arrows, and sort without opening a row', () => {
    const onOpen = vi.fn();
    render(
      <MantineProvider>
        <DataGrid
          label="numbers"
          rows={[2, 3, 1]}
          columns={[
            { id: 'n', header: 'n', value: (n) => n, numeric: true },
            { id: 'minus', header: 'minus n', value: (n) => -n, numeric: true },
          ]}
          rowId={String}
          onOpen={onOpen}
        />
      </MantineProvider>,
    );
    const [first, second] = screen
      .getAllByRole('columnheader')
      .map((one) => one.querySelector('button')!);
    expect([first!.tabIndex, second!.tabIndex]).toEqual([0, -1]);
    first!.focus();
    fireEvent.keyDown(first!, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(second);
    expect([first!.tabIndex, second!.tabIndex]).toEqual([-1, 0]);
    fireEvent.keyDown(second!, { key: 'Enter' });
    fireEvent.click(second!); // As browsers do on Enter.
    expect(onOpen).not.toHaveBeenCalled();
    expect(second!.closest('[role=columnheader]')!.getAttribute('aria-sort')).not.toBe('none');
    expect(document.activeElement).toBe(second);
    fireEvent.keyDown(second!, { key: 'ArrowDown' });
    expect(document.activeElement).toBe(screen.getByRole('grid'));
  });
});

describe('an offset that is typed', () => {
  it('is decimal or hexadecimal', () => {
    expect(offsetOf('4096')).toBe(4096);
    expect(offsetOf('0x1000')).toBe(4096);
    expect(offsetOf('10 737 418 240')).toBe(10_737_418_240);
    for (const none of ['', '-1', '1.5', '0xg', '99999999999999999999'])
      expect(offsetOf(none)).toBeNull();
  });
});
