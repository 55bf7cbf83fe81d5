// SPDX-License-Identifier: Apache-2.0
// A form about the page's query (lib/route.ts): what is typed becomes a state of the history, and so a
// link, when it is sent.
import { Button, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { useRoute } from '@/lib/route';

export interface QueryField {
  name: string; // Of the member.
  label: string;
  says?: string; // To who does not see the form, if the label does not say it all.
  placeholder?: string;
  number?: { unset: number; max: number }; // From 1; `unset` if the query does not say.
  lines?: number; // Of a text that may have several; Control and Enter send it.
  isFilter?: boolean; // What "/" goes to.
}

interface Props {
  of: (QueryField | { node: ReactNode })[]; // In their order.
  send: string; // On the button.
  onSame?: () => void; // Sent, and the query says that already.
  children?: ReactNode; // Behind it.
}

export function QueryForm(props: Props) {
  const { route } = useRoute();
  const fields = props.of.filter((field) => 'name' in field);
  // What was typed is forgotten when the query changes.
  return <Typed key={JSON.stringify(fields.map(({ name }) => route.query[name]))} {...props} />;
}

function Typed({ of, send, onSame, children }: Props) {
  const { route, setQuery } = useRoute();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const change = (name: string, value: string) => setTyped({ ...typed, [name]: value });
  const input = (field: QueryField) => {
    const { name, label, says, placeholder, number, lines, isFilter } = field;
    const value = typed[name] ?? route.query[name];
    const shared = { size: 'xs', label, 'aria-label': says, placeholder } as const;
    if (lines !== undefined)
      return (
        <Textarea
          {...shared}
          key={name}
          rows={lines}
          className="whole-row"
          classNames={{ input: 'mono' }}
          data-filter={isFilter || undefined}
          spellCheck={false}
          value={value ?? ''}
          onChange={(event) => change(name, event.currentTarget.value)}
          onKeyDown={sendByKeys}
        />
      );
    return number ? (
      <NumberInput
        {...shared}
        key={name}
        min={1}
        max={number.max}
        value={Number(value ?? number.unset)}
        onChange={(to) => change(name, String(Number(to) || number.unset))}
      />
    ) : (
      <TextInput
        {...shared}
        key={name}
        data-filter={isFilter || undefined}
        value={value ?? ''}
        onChange={(event) => change(name, event.currentTarget.value)}
      />
    );
  };
  return (
    <form
      className="toolbar"
      onSubmit={(event) => {
        event.preventDefault();
        if (Object.entries(typed).every(([name, value]) => (route.query[name] ?? '') === value))
          onSame?.();
        else setQuery(typed, true);
      }}
    >
      {of.map((field) => ('name' in field ? input(field) : field.node))}
      <Button type="submit" size="xs" mt="auto">
        {send}
      </Button>
      {children}
    </form>
  );
}

function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
