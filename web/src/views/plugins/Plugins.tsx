// SPDX-License-Identifier: Apache-2.0
// The plugins of this page: what each shows, where it is from; adding and removing them.
import { Button, FileButton } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTarget } from '@/engine/context';
import { bytes } from '@/lib/format';
import { useRoute } from '@/lib/route';
import { forgetPlugin, keepPlugin } from '@/plugins/kept';
import {
  forgetRunning,
  runningOf,
  usePlugins,
  useReadPluginsAgain,
  type Plugin,
} from '@/plugins/use_plugins';
import { Panel } from '@/ui/Panel';
import { Empty, Shown } from '@/ui/states';

const kTextMax = 1 << 20;

interface Told {
  isBad: boolean;
  says: string;
}

export default function Plugins() {
  const plugins = usePlugins();
  const readAgain = useReadPluginsAgain();
  const [told, setTold] = useState<Told | null>(null);
  const actions = useRef(0);

  // What the last action has to tell is what is shown, also if one before it ends later.
  const begin = (says: string) => {
    const action = ++actions.current;
    setTold({ isBad: false, says });
    return (outcome: Told) => {
      if (action === actions.current) setTold(outcome);
    };
  };
  const adding = async (what: string, textOf: () => Promise<string>) => {
    const tell = begin(`Reading ${what} …`);
    try {
      const text = await textOf();
      const { name, title } = await runningOf(text).manifest();
      await keepPlugin({ name, text });
      await readAgain();
      tell({ isBad: false, says: `${title} was added: this browser keeps it.` });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      tell({ isBad: true, says: `${what} was not added: ${why}.` });
    }
  };
  const remove = async ({ name, text, manifest }: Plugin) => {
    const tell = begin(`Removing ${manifest.title} …`);
    await forgetPlugin(name);
    forgetRunning(text);
    await readAgain();
    tell({ isBad: false, says: `${manifest.title} was removed.` });
  };
  const addFile = async (file: File) => {
    if (file.size > kTextMax) throw new Error(`it is larger than ${bytes(kTextMax)}`);
    return file.text();
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Plugins</h1>
        <span className="muted">read keys and values of your own kind, and draw views</span>
      </div>
      <Panel
        title="Yours"
        actions={
          <FileButton
            accept=".js,text/javascript"
            inputProps={{ id: 'plugin-file', 'aria-label': 'plugin to add' }}
            onChange={(file) => {
              if (file) void adding(file.name, () => addFile(file));
            }}
          >
            {(props) => (
              <Button size="compact-xs" variant="light" {...props}>
                Add a file
              </Button>
            )}
          </FileButton>
        }
      >
        {told && (
          <p role={told.isBad ? 'alert' : 'status'} className={told.isBad ? 'bad' : undefined}>
            {told.says}
          </p>
        )}
        <Shown of={plugins} what="reading the plugins">
          {({ good, bad }) => (
            <>
              {good.length + bad.length === 0 && (
                <Empty>None yet: add a file, or one of those below.</Empty>
              )}
              <ul className="plugins">
                {good.map((plugin) => (
                  <li key={plugin.name}>
                    <About plugin={plugin} onRemove={() => void remove(plugin)} />
                  </li>
                ))}
                {bad.map(({ from, name, why }) => (
                  <li key={`${from} ${name}`}>
                    <strong>{name}</strong> <span className="muted">of the {from}</span>
                    <p className="bad">is not used: {why}</p>
                    {from === 'browser' && (
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-label={`remove ${name}`}
                        onClick={() => void forgetPlugin(name).then(readAgain)}
                      >
                        Remove
                      </Button>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Shown>
      </Panel>
      <div className="columns">
        <Panel title="Come with the app">
          <ul className="plugins">
            {__PLUGINS__.map(({ name, title, about }) => (
              <li key={name}>
                <strong>{title}</strong>
                <p>{about}</p>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`add ${title}`}
                  disabled={plugins.data?.good.some((one) => one.name === name) ?? true}
                  onClick={() => void adding(title, () => shipped(name))}
                >
                  Add
                </Button>
              </li>
            ))}
          </ul>
        </Panel>
        <Panel title="What a plugin may do">
          <p>
            It is one file of JavaScript. It runs in an interpreter of its own, inside of
            WebAssembly, where there is no network, no page, no storage and no token. It gets the
            keys and values that are shown, and what its view asks of the open target; it gives text
            and figures, which this page draws. One that takes too long is ended.
          </p>
          <p>
            What it says may still be wrong: the bytes are always beside it. How to write one is in{' '}
            <code>web/docs/plugins.md</code>; <code>varve serve --plugins DIR</code> offers a folder
            of them.
          </p>
        </Panel>
      </div>
    </div>
  );
}

async function shipped(name: string): Promise<string> {
  const response = await fetch(new URL(`plugins/${name}.js`, document.baseURI));
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}

function About({ plugin, onRemove }: { plugin: Plugin; onRemove: () => void }) {
  const { link } = useRoute();
  const { target } = useTarget().data ?? {};
  const { manifest, from, file } = plugin;
  const reads = [manifest.key && 'keys', manifest.value && 'values'].filter(Boolean).join(' and ');
  return (
    <>
      <strong>{manifest.title}</strong>{' '}
      <span className="muted">
        {manifest.name}
        {manifest.version && ` ${manifest.version}`}, {bytes(plugin.text.length)},{' '}
        {from === 'browser' ? 'kept by this browser' : `of the server: ${file ?? ''}`}
      </span>
      {manifest.about && <p>{manifest.about}</p>}
      <div className="toolbar">
        {reads && (
          <span>
            reads {reads}
            {target && (target.kind === 'db' || target.kind === 'sst') && (
              <>
                :{' '}
                <a
                  href={link('data', [], {
                    ...(manifest.key && { keys: plugin.name }),
                    ...(manifest.value && { values: plugin.name }),
                  })}
                >
                  show the data so
                </a>
              </>
            )}
          </span>
        )}
        {manifest.view && (
          <span>
            {target ? (
              <a href={link('plugin', [plugin.name])}>open its view</a>
            ) : (
              'has a view of what is open'
            )}
          </span>
        )}
        {from === 'browser' && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`remove ${manifest.title}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        )}
      </div>
    </>
  );
}
