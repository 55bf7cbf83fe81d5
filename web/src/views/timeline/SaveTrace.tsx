// SPDX-License-Identifier: Apache-2.0
// The jobs of the database as a file that https://ui.perfetto.dev opens.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { ask } from '@/engine/client';
import { useClient, useTargetPath } from '@/engine/context';
import { toProblem } from '@/engine/problem';
import { saveAs } from '@/lib/csv';
import { varve } from '@/lib/cli';
import { plural } from '@/lib/format';
import { CliButton } from '@/ui/Panel';
import { traceOf } from './trace';

export function SaveTrace({ name }: { name: string }) {
  const client = useClient();
  const path = useTargetPath();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');

  async function save() {
    if (!client) return;
    setBusy(true);
    setSaid('');
    try {
      const source = ask('/targets/{t}/history', { path });
      const { rows, problem } = await client.all(source, (page) => page.jobs);
      const { trace, timeless } = traceOf(rows);
      saveAs('jobs.trace.json', JSON.stringify(trace), 'application/json');
      const left = timeless > 0 ? `${plural(timeless, 'job')} without a time left out` : '';
      setSaid([left, problem?.detail].filter(Boolean).join('; '));
    } catch (error) {
      setSaid(toProblem(error).detail ?? toProblem(error).title);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        loading={busy}
        title="flushes and compactions, for ui.perfetto.dev or chrome://tracing"
        onClick={() => void save()}
      >
        Save trace
      </Button>
      <CliButton line={varve('lsm history', [name], { format: 'trace' })} />
      <span className="muted" role="status">
        {said}
      </span>
    </>
  );
}
