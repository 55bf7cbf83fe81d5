// SPDX-License-Identifier: Apache-2.0
// Bytes, sixteen a row, coloured by the field that they belong to. Arrow keys walk over them; what
// a byte means is said below.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { count } from '@/lib/format';
import { fieldAt, type Field } from './fields';

const kWidth = 16;
const kRow = 20;

interface HexViewProps {
  label: string;
  bytes: Uint8Array;
  base: number; // Offset of the first byte, as it is shown.
  fields: Field[];
  cursor: number | null;
  onCursor: (at: number) => void;
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0');
const glyph = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

export function HexView({ label, bytes, base, fields, cursor, onCursor }: HexViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = Math.ceil(bytes.length / kWidth);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => kRow,
    overscan: 10,
    initialRect: { width: 600, height: 420 },
  });
  const row = cursor === null ? -1 : Math.floor(cursor / kWidth);
  useEffect(() => {
    if (row >= 0) virtual.scrollToIndex(row, { align: 'auto' });
  }, [row, virtual]);
  const chosen = cursor === null ? -1 : fieldAt(fields, cursor);

  function onKeyDown(event: KeyboardEvent) {
    const step: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -kWidth,
      ArrowDown: kWidth,
      PageUp: -kWidth * 16,
      PageDown: kWidth * 16,
    };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in step)
      onCursor(Math.max(0, Math.min(bytes.length - 1, (cursor ?? 0) + step[event.key]!)));
    else if (event.key === 'Home') onCursor(0);
    else if (event.key === 'End') onCursor(bytes.length - 1);
    else return;
    event.preventDefault();
  }
  const field = fields[chosen];
  return (
    <>
      <div
        ref={scroller}
        className="hex"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows}
        aria-activedescendant={cursor === null ? undefined : `byte-${cursor}`}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map((item) => {
            const start = item.index * kWidth;
            const part = [...bytes.subarray(start, start + kWidth)];
            const cells = part.map((byte, i) => {
              const of = fieldAt(fields, start + i);
              return {
                byte,
                at: start + i,
                tone: of < 0 ? '' : ` f${fields[of]!.tone}${of === chosen ? ' chosen' : ''}`,
              };
            });
            return (
              <div
                role="row"
                aria-rowindex={item.index + 1}
                className="hex-row"
                key={item.key}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <span role="rowheader" className="hex-offset">
                  {(base + start).toString(16).padStart(8, '0')}
                </span>
                {cells.map((cell) => (
                  <span
                    role="gridcell"
                    id={`byte-${cell.at}`}
                    key={cell.at}
                    className={`hex-byte${cell.tone}${cell.at === cursor ? ' cursor' : ''}`}
                    aria-label={
                      cell.at === cursor
                        ? `offset ${base + cell.at}, ${hex(cell.byte)}, ${fields[chosen]?.name ?? 'no field'}`
                        : undefined
                    }
                    onClick={() => onCursor(cell.at)}
                  >
                    {hex(cell.byte)}
                  </span>
                ))}
                <span className="hex-text" aria-hidden="true">
                  {cells.map((cell) => (
                    <span
                      key={cell.at}
                      className={`${cell.tone}${cell.at === cursor ? ' cursor' : ''}`}
                      onClick={() => onCursor(cell.at)}
                    >
                      {glyph(cell.byte)}
                    </span>
                  ))}
                </span>
              </div>
            );
          })}
        </div>
      </div>
      <p className="hex-said" aria-live="polite">
        {cursor === null ? (
          <span className="muted">Choose a byte or a row.</span>
        ) : (
          <>
            offset {count(base + cursor)} (0x{(base + cursor).toString(16)}), byte{' '}
            {hex(bytes[cursor] ?? 0)}
            {field && (
              <>
                : <b>{field.name}</b>, {field.end - field.start} B
                {field.meaning ? (
                  <>
                    : <span className="mono">{field.meaning}</span>
                  </>
                ) : (
                  ''
                )}
              </>
            )}
          </>
        )}
      </p>
    </>
  );
}
