// SPDX-License-Identifier: Apache-2.0
// A table that cannot be read: why not, and its bytes all the same.
import { useState, type ReactNode } from 'react';
import { ask } from '@/engine/client';
import { useResource } from '@/engine/context';
import { toProblem } from '@/engine/problem';
import { fromHex } from '@/lib/bytes';
import { varve } from '@/lib/cli';
import { bytes } from '@/lib/format';
import { Panel } from '@/ui/Panel';
import { ProblemNote, Shown } from '@/ui/states';
import { HexView } from './HexView';
import type { FilePath } from './path';

const kFirst = 4096;

export function Undecoded({
  error,
  path,
  name,
  map,
}: {
  error: unknown;
  path: FilePath;
  name: string;
  map: ReactNode;
}) {
  const query = { offset: 0, size: kFirst };
  const source = ask('/targets/{t}/files/{n}/hex', { path, query });
  const hex = useResource(source);
  const [cursor, setCursor] = useState<number | null>(null);
  return (
    <>
      <div className="page-head">
        <h1>{name}</h1>
        <span className="muted">not decoded{hex.data ? `, ${bytes(hex.data.total)}` : ''}</span>
      </div>
      <ProblemNote problem={toProblem(error)} />
      {map}
      <Panel
        title="First bytes"
        source={source}
        cli={varve('sst hex', [name], { size: String(kFirst) })}
      >
        <Shown of={hex}>
          {(document) => (
            <HexView
              label="first bytes of the file"
              bytes={fromHex(document.hex)}
              base={0}
              fields={[]}
              cursor={cursor}
              onCursor={setCursor}
            />
          )}
        </Shown>
      </Panel>
    </>
  );
}
