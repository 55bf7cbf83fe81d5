// SPDX-License-Identifier: Apache-2.0
// Where a script is written.
import { Textarea } from '@mantine/core';

export function ScriptEditor(props: {
  script: string;
  onChange: (script: string) => void;
  minRows: number;
  maxRows: number;
}) {
  const { script, onChange, ...rows } = props;
  return (
    <Textarea
      aria-label="script"
      autosize
      {...rows}
      value={script}
      onChange={(event) => onChange(event.currentTarget.value)}
      classNames={{ input: 'mono' }}
    />
  );
}
