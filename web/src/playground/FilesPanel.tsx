// SPDX-License-Identifier: Apache-2.0
// The tables of one of two trees, as a map and in words.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask } from '@/engine/client';
import { useRows } from '@/engine/context';
import { bytes } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { PlainTable } from '@/ui/PlainTable';
import { KeySpan } from '@/ui/small';
import { Empty, Shown } from '@/ui/states';
import { KeyAxis } from '@/views/lsm/axis';
import { LsmCanvas, partOf } from '@/views/lsm/LsmCanvas';

export function FilesPanel({ path, title }: { path: { t: string }; title: string }) {
  const { link, go } = useRoute();
  const source = ask('/targets/{t}/files', { path });
  const files = useRows(source, (page) => page.files);
  const [shown, setShown] = useState(partOf(0, 1));
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <Panel
      title={title}
      className="wide"
      source={source}
      actions={
        <Button component="a" size="compact-xs" variant="light" href={link('lsm')}>
          LSM map
        </Button>
      }
    >
      <Shown of={files} lines={3}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty>No file yet: flush makes one.</Empty>
          ) : (
            <>
              <LsmCanvas
                files={rows}
                axis={new KeyAxis(rows, 'key')}
                shown={shown}
                onShown={setShown}
                colouring="level"
                marked={null}
                selected={selected}
                onSelect={(file) => setSelected(file.id)}
                onOpen={(file) => go('file', [file.id])}
              />
              <PlainTable name="files">
                <thead>
                  <tr>
                    <th>level</th>
                    <th>table</th>
                    <th className="num">size</th>
                    <th>keys</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.slice(0, 8).map((file) => (
                    <tr key={file.id}>
                      <td>L{file.level}</td>
                      <td>
                        <a href={link('file', [file.id])}>{file.name}</a>
                      </td>
                      <td className="num" data-value={file.size}>
                        {bytes(file.size)}
                      </td>
                      <td>
                        <KeySpan of={file} most={20} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </PlainTable>
            </>
          )
        }
      </Shown>
    </Panel>
  );
}
