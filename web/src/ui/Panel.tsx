// SPDX-License-Identifier: Apache-2.0
// A titled part of a page. What it shows can be had as the API's JSON and from the command line.
import { Button, CopyButton, Modal, Popover } from '@mantine/core';
import { useId, useState, type ReactNode } from 'react';
import { useClient } from '@/engine/context';
import type { Asked } from '@/engine/client';
import { toProblem } from '@/engine/problem';

interface PanelProps {
  title: string;
  source?: Asked<unknown>; // The resource that it shows.
  cli?: string; // The command that prints the same.
  actions?: ReactNode;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

export function Panel({ title, source, cli, actions, wide, className, children }: PanelProps) {
  const id = useId();
  return (
    <section
      className={`panel${wide ? ' wide' : ''}${className ? ` ${className}` : ''}`}
      aria-labelledby={id}
    >
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        <div className="panel-actions">
          {actions}
          {cli && <CliButton line={cli} />}
          {source && <JsonButton title={title} source={source} />}
        </div>
      </header>
      {children}
    </section>
  );
}

export function CliButton({ line }: { line: string }) {
  return (
    <Popover position="bottom-end" shadow="md" width={420}>
      <Popover.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          data-cli={line}
          aria-label="CLI: the command line"
        >
          CLI
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <p className="muted">The same from the command line:</p>
        <pre className="cli">{line}</pre>
        <CopyButton value={line}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Popover.Dropdown>
    </Popover>
  );
}

function JsonButton({ title, source }: { title: string; source: Asked<unknown> }) {
  const client = useClient();
  const [text, setText] = useState<string | null>(null);
  const [opened, setOpened] = useState(false);

  async function show() {
    setOpened(true);
    setText(null);
    try {
      setText(JSON.stringify(await client!.get(source), null, 2));
    } catch (error) {
      setText(JSON.stringify(toProblem(error), null, 2));
    }
  }

  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={() => void show()}
        disabled={!client}
      >
        JSON
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={`${title}, as JSON`}
        size="xl"
        closeButtonProps={{ 'aria-label': 'close' }}
        lockScroll={false}
      >
        <p className="mono muted">GET {source.url}</p>
        <pre className="json" tabIndex={0}>
          {text ?? 'asking…'}
        </pre>
        <CopyButton value={text ?? ''}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy} disabled={text === null}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Modal>
    </>
  );
}
