// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { TargetSummary } from '@/api/openapi';
import { useResource } from '@/engine/context';
import { ask } from '@/engine/client';
import { literalHex } from '@/lib/bytes';
import { formatRoute, goTo, useRoute } from '@/lib/route';
import { useOtherTheme } from './theme';

interface TopBarProps {
  target: TargetSummary | undefined;
  targets: TargetSummary[];
  onHelp: () => void;
  onPalette: () => void;
  children: ReactNode; // What is done with the view.
}

export function TopBar({ target, targets, onHelp, onPalette, children }: TopBarProps) {
  const { route } = useRoute();
  const { other, change } = useOtherTheme();
  const sign = other === 'light' ? '☀' : '☾';
  const isDb = target?.kind === 'db' || target?.kind === 'manifest';
  const families = useResource(isDb ? ask('/targets/{t}/cfs', { path: { t: target.id } }) : null);

  return (
    <header className="topbar">
      <a className="brand" href="#/">
        <img src="./icon.svg" alt="" width="20" height="20" /> varve
      </a>
      {targets.length > 0 && (
        <NativeSelect
          size="xs"
          aria-label="target"
          value={route.target}
          data={[
            ...(target ? [] : [{ value: route.target, label: '…' }]),
            ...targets.map((t) => ({ value: t.id, label: t.name })),
          ]}
          onChange={(event) =>
            goTo(
              formatRoute({
                ...route,
                target: event.currentTarget.value,
                cf: 'default',
                page: 'overview',
                rest: [],
                query: {},
              }),
            )
          }
        />
      )}
      {families.data && families.data.cfs.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="column family"
          value={route.cf}
          data={families.data.cfs.map((family) => ({ value: family.cf, label: `cf ${family.cf}` }))}
          onChange={(event) =>
            goTo(formatRoute({ ...route, cf: event.currentTarget.value, rest: [], query: {} }))
          }
        />
      )}
      {target?.kind === 'db' && <GoToKey key={route.query.key} />}
      <span className="spacer" />
      {children}
      <Button
        size="compact-xs"
        variant="default"
        onClick={onPalette}
        aria-label="⌘K: search pages and verbs"
      >
        ⌘K
      </Button>
      <ActionIcon size="sm" variant="default" onClick={onHelp} title="keys" aria-label="? keys">
        ?
      </ActionIcon>
      <ActionIcon
        size="sm"
        variant="default"
        onClick={change}
        title={other}
        aria-label={`${sign} switch to the ${other} theme`}
      >
        {sign}
      </ActionIcon>
    </header>
  );
}

// Shows the key on the LSM map, or explains how it is read from there.
function GoToKey() {
  const { route, go } = useRoute();
  const [key, setKey] = useState(route.query.key ?? '');
  const [isRefused, setIsRefused] = useState(false);
  function submit(event: FormEvent) {
    event.preventDefault();
    const isKey = literalHex(key) !== null;
    setIsRefused(!isKey);
    if (key && isKey)
      go(
        route.page === 'lsm' ? 'lsm' : 'explain',
        [],
        route.page === 'lsm' ? { ...route.query, key } : { key },
      );
  }
  return (
    <form onSubmit={submit} role="search">
      <TextInput
        id="go-to-key"
        size="xs"
        placeholder="go to key: user:42, hex:0102"
        aria-label="go to key"
        value={key}
        error={isRefused && 'no key: hex: takes pairs of digits, b64: base64, u64be: a number'}
        onChange={(event) => {
          setIsRefused(false);
          setKey(event.currentTarget.value);
        }}
      />
    </form>
  );
}
