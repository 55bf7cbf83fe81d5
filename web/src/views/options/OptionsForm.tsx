// SPDX-License-Identifier: Apache-2.0
// New values for options of a running database: what will change is said, the engine is asked whether
// it takes each of them, and then all are set or none. What is typed is in the link.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Option } from '@/api/openapi';
import { answerOf, type Client } from '@/engine/client';
import { useClient, useFamilyPath, useRoot, useTarget } from '@/engine/context';
import { toProblem } from '@/engine/problem';
import { plural } from '@/lib/format';
import { may } from '@/lib/rights';
import { useRoute } from '@/lib/route';
import { PlainTable } from '@/ui/PlainTable';
import { Sideways } from '@/ui/small';
import { kMeanings, whyWrong } from './meanings';

const kMember = 'o.'; // Before the name, in the link.

type Values = Record<string, string>;
type Path = ReturnType<typeof useFamilyPath>;

async function patch(client: Client, path: Path, body: Values, validate_only: boolean) {
  const params = { path, query: validate_only ? { validate_only } : {} };
  return answerOf(await client.api().PATCH('/targets/{t}/cfs/{cf}/options', { params, body }));
}

// Why the engine does not take the new values: of each that it refuses alone, else of all together
// (under '').
async function refusals(client: Client, path: Path, changes: Values): Promise<Values> {
  const said: Values = {};
  const why = (error: unknown) => toProblem(error).detail ?? toProblem(error).title;
  for (const [name, value] of Object.entries(changes)) {
    const wrong = whyWrong(name, value);
    if (wrong) said[name] = wrong;
  }
  if (Object.keys(said).length > 0) return said;
  try {
    await patch(client, path, changes, true);
    return said;
  } catch (together) {
    for (const [name, value] of Object.entries(changes))
      await patch(client, path, { [name]: value }, true).catch((error: unknown) => {
        said[name] = why(error);
      });
    if (Object.keys(said).length === 0) said[''] = why(together);
    return said;
  }
}

function useWhyNot(): string | null {
  const target = useTarget().data?.target;
  const root = useRoot().data;
  const { cf } = useFamilyPath();
  if (target?.live === false)
    return 'No engine of this process has the database open: its options are those of the file. `varve db set-options` changes what is stored.';
  if (!root || !target) return null;
  if (!may(root.rights, 'write', target.name, cf)) return `${root.user} may only read ${cf}.`;
  if (root.capabilities.write) return null;
  return 'The server is read-only: `varve serve --write` takes changes.';
}

export function OptionsForm({ options, defaultsOf }: { options: Option[]; defaultsOf: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const path = useFamilyPath();
  const { route, setQuery } = useRoute();
  const whyNot = useWhyNot();
  const [refused, setRefused] = useState<Values>({});
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const shown = options.filter(({ name, scope }) => scope === 'cf' && name in kMeanings);
  const changes: Values = {};
  for (const { name, value } of shown) {
    const typed = route.query[kMember + name];
    if (typed !== undefined && typed !== value) changes[name] = typed;
  }
  const changed = Object.entries(changes);
  const forget = () =>
    setQuery(Object.fromEntries(shown.map(({ name }) => [kMember + name, undefined])));

  async function send(isSet: boolean) {
    if (!client) return;
    setBusy(true);
    setSaid('');
    try {
      const found = await refusals(client, path, changes);
      setRefused(found);
      if (Object.keys(found).length > 0) return;
      if (!isSet) return setSaid(`The engine takes ${changed.length === 1 ? 'it' : 'them'}.`);
      await patch(client, path, changes, false);
      setSaid(`${plural(changed.length, 'option')} set, and stored.`);
      await queries.invalidateQueries();
      forget();
    } catch (error) {
      setRefused({ '': toProblem(error).detail ?? toProblem(error).title });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(true);
      }}
    >
      {whyNot && (
        <p className="warn" role="note">
          {whyNot}
        </p>
      )}
      <Sideways of="options that may change">
        <div className="options-form">
          <PlainTable name="new_options">
            <thead>
              <tr>
                <th>option</th>
                <th>value</th>
                <th>default of {defaultsOf}</th>
                <th>new value</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((option) => (
                <tr key={option.name} className={option.name in changes ? 'changed' : ''}>
                  <td data-value={option.name}>
                    <span className="mono">{option.name}</span>
                    <p className="muted">{kMeanings[option.name]?.says}</p>
                  </td>
                  <td className="mono wrap">{option.value || '–'}</td>
                  <td className="mono wrap muted">{option.default || '–'}</td>
                  <td data-value={changes[option.name] ?? ''}>
                    <NewValue
                      option={option}
                      typed={route.query[kMember + option.name]}
                      error={refused[option.name]}
                      disabled={whyNot !== null || busy}
                      onChange={(value) => {
                        setRefused({});
                        setSaid('');
                        setQuery({
                          [kMember + option.name]: value === option.value ? undefined : value,
                        });
                      }}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </PlainTable>
        </div>
      </Sideways>
      <section className="record" aria-label="what will change" aria-live="polite">
        {changed.length === 0 ? (
          <p className="muted">{said || 'Nothing will change.'}</p>
        ) : (
          <ul>
            {changed.map(([name, value]) => (
              <li key={name} className="mono">
                {name}: {options.find((option) => option.name === name)?.value || '–'} → {value}
              </li>
            ))}
          </ul>
        )}
        {refused[''] && (
          <p className="bad" role="alert">
            {refused['']}
          </p>
        )}
        {changed.length > 0 && said && <p className="good">{said}</p>}
        <div className="toolbar">
          <Button
            type="button"
            size="xs"
            variant="default"
            disabled={whyNot !== null || busy || changed.length === 0}
            onClick={() => void send(false)}
          >
            Check
          </Button>
          <Button
            type="submit"
            size="xs"
            disabled={whyNot !== null || busy || changed.length === 0}
          >
            Set {changed.length > 0 ? plural(changed.length, 'option') : ''}
          </Button>
          <Button
            type="button"
            size="xs"
            variant="subtle"
            color="gray"
            disabled={changed.length === 0}
            onClick={forget}
          >
            Forget
          </Button>
        </div>
      </section>
    </form>
  );
}

function NewValue({
  option,
  typed,
  error,
  disabled,
  onChange,
}: {
  option: Option;
  typed: string | undefined;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: string) => void;
}) {
  const { choices, whole } = kMeanings[option.name] ?? {};
  const value = typed ?? option.value;
  const shared = {
    size: 'xs',
    'aria-label': `new value of ${option.name}`,
    error,
    disabled,
    value,
  } as const;
  return choices ? (
    <NativeSelect
      {...shared}
      data={choices.includes(value) ? choices : [value, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextInput
      {...shared}
      {...(whole ? { inputMode: 'numeric' as const } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
