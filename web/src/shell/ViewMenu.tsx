// SPDX-License-Identifier: Apache-2.0
// What can be done with a view as a whole: give it a name, copy its link, save it as a file.
import { ActionIcon, Button, Menu, Modal, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { TargetSummary } from '@/api/openapi';
import { toProblem, type Problem } from '@/engine/problem';
import { keepView, recipeOf, viewOf } from '@/lib/kept';
import { useRoute } from '@/lib/route';
import { saveView, type ViewFormat } from './save_view';

const kFormats: [ViewFormat, string][] = [
  ['html', 'Save as a page'],
  ['png', 'Save as PNG'],
  ['svg', 'Save as SVG'],
];

interface ViewMenuProps {
  target: TargetSummary;
  onProblem: (problem: Problem | null) => void;
}

export default function ViewMenu({ target, onProblem }: ViewMenuProps) {
  const { route } = useRoute();
  const [naming, setNaming] = useState(false);
  const [title, setTitle] = useState('');
  function name(event: FormEvent) {
    event.preventDefault();
    const engine = route.engine ?? 'h';
    const recipe = recipeOf(engine, route.target);
    keepView({
      title: title.trim(),
      target: target.name,
      engine,
      view: viewOf(route),
      ...(recipe && { recipe }),
    });
    setNaming(false);
  }
  // The menu has closed by then, and is not in the picture.
  const save = (format: ViewFormat) =>
    void saveView(format).catch((error: unknown) => onProblem(toProblem(error)));
  return (
    <>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <ActionIcon size="sm" variant="default" title="this view" aria-label="… this view">
            …
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              setTitle(document.title.replace(/ · Varve$/, ''));
              setNaming(true);
            }}
          >
            Name this view
          </Menu.Item>
          <Menu.Item onClick={() => void navigator.clipboard.writeText(location.href)}>
            Copy its link
          </Menu.Item>
          {kFormats.map(([format, label]) => (
            <Menu.Item key={format} onClick={() => save(format)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={naming}
        onClose={() => setNaming(false)}
        title="Name this view"
        closeButtonProps={{ 'aria-label': 'close' }}
        lockScroll={false}
      >
        <form onSubmit={name}>
          <TextInput
            label="It will be on the first page of this browser under this name"
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" size="compact-sm" mt={8} disabled={!title.trim()}>
            Keep it
          </Button>
        </form>
      </Modal>
    </>
  );
}
