// SPDX-License-Identifier: Apache-2.0
// Controls of options: a slider for numbers, a list for names. They hold from the next start on.
import { NativeSelect } from '@mantine/core';
import { useId } from 'react';
import { count } from '@/lib/format';
import { kOptionRows, type OptionRow, type OptionValues } from './options';

const kGroups = ['tree', 'tables', 'algorithms of this engine'] as const;

export function OptionControls({
  values,
  onChange,
  label = 'Options',
}: {
  values: OptionValues;
  onChange: (values: OptionValues) => void;
  label?: string;
}) {
  const changed = Object.keys(values).length;
  return (
    <details className="options">
      <summary>
        {label}
        {changed > 0 ? `, ${changed} changed` : ''}
      </summary>
      {kGroups.map((group) => (
        <fieldset key={group}>
          <legend>{group}</legend>
          {kOptionRows
            .filter((row) => row.group === group)
            .map((row) => (
              <Control
                key={row.name}
                row={row}
                value={values[row.name] ?? row.start}
                onChange={(value) => {
                  const others = Object.entries(values).filter(([name]) => name !== row.name);
                  if (value !== row.start) others.push([row.name, value]);
                  onChange(Object.fromEntries(others));
                }}
              />
            ))}
        </fieldset>
      ))}
    </details>
  );
}

interface ControlProps {
  row: OptionRow;
  value: string;
  onChange: (value: string) => void;
}

function Control(props: ControlProps) {
  return /^\d+$/.test(props.row.start) ? <Slider {...props} /> : <Choice {...props} />;
}

function Choice({ row, value, onChange }: ControlProps) {
  return (
    <NativeSelect
      size="xs"
      label={<code>{row.name}</code>}
      value={value}
      data={row.values}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Slider({ row, value, onChange }: ControlProps) {
  const id = useId();
  return (
    <div className="slider">
      <label htmlFor={id}>
        <code>{row.name}</code>
      </label>
      <output htmlFor={id}>{count(Number(value))}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={row.values.length - 1}
        value={row.values.indexOf(value)}
        aria-valuetext={count(Number(value))}
        onChange={(event) => onChange(row.values[Number(event.currentTarget.value)]!)}
      />
    </div>
  );
}
