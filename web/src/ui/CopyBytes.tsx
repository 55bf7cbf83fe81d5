// SPDX-License-Identifier: Apache-2.0
// Copies a key or a value in the form that is needed elsewhere.
import { Button, Menu } from '@mantine/core';
import type { Bytes } from '@/api/openapi';
import { count } from '@/lib/format';
import { copyForms } from '@/lib/bytes';

export function CopyBytes({ of, what }: { of: Bytes | undefined; what: string }) {
  if (!of || of.len === 0) return null;
  const known = of.truncated ? `the first bytes of ${count(of.len)}` : '';
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          aria-label={`copy: the ${what}, in several forms`}
        >
          copy
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {known && <Menu.Label>{known}</Menu.Label>}
        {copyForms(of).map(({ form, text }) => (
          <Menu.Item key={form} onClick={() => void navigator.clipboard.writeText(text)}>
            as {form}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
