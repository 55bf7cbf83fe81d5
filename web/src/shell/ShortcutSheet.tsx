// SPDX-License-Identifier: Apache-2.0
import { Modal, Switch } from '@mantine/core';
import { setKeysOn, useKeysOn } from './keyboard';
import { kPages } from './pages';

const kKeys: [string, string][] = [
  ['⌘K, Ctrl-K', 'search pages and verbs'],
  ['/', 'filter'],
  ['[ and ]', 'previous and next file, block or edit'],
  ['← → + −', 'pan and zoom a map that has the focus'],
  ['j k, ↑ ↓', 'rows of a table that has the focus'],
  ['Enter', 'open'],
  ['Esc', 'close'],
  ['c', "copy the first panel's command line"],
  ['?', 'this sheet'],
];

export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const on = useKeysOn();
  return (
    <Modal opened onClose={onClose} title="Keys" size="lg">
      <Switch
        label="single keys act"
        checked={on}
        onChange={(event) => setKeysOn(event.currentTarget.checked)}
      />
      <dl className="keys">
        {kKeys.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
        {kPages
          .filter((page) => page.key)
          .map((page) => (
            <div key={page.id}>
              <dt>
                <kbd>g {page.key}</kbd>
              </dt>
              <dd>{page.title}</dd>
            </div>
          ))}
      </dl>
    </Modal>
  );
}
