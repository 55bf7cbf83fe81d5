// SPDX-License-Identifier: Apache-2.0
// A script of one's own: run at once, step by step, or played at a speed; the last step undone.
import { Button, Checkbox, FileButton, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Given } from '@/engine/engine';
import { useRoute } from '@/lib/route';
import { Panel } from '@/ui/Panel';
import { OptionControls } from './OptionControls';
import { engineOptions, optionsOf, optionsText } from './options';
import { Reference } from './Reference';
import { ScriptError, linesOf, parseLine } from './script';
import { ScriptEditor } from './ScriptEditor';
import type { Game } from './useGame';

const kFirst =
  'put apple red\nput pear green\nflush\nput apple yellow\ndelete pear\nflush\nwork\nput plum blue\nflush\ncompact';
const kSpeeds = [
  { value: '2000', label: 'a step in two seconds' },
  { value: '1000', label: 'a step a second' },
  { value: '250', label: 'four steps a second' },
];

export function ScriptPanel({ game }: { game: Game }) {
  const { route, setQuery } = useRoute();
  const [script, setScript] = useState(route.query.script ?? kFirst);
  const [at, setAt] = useState(0);
  const [one, setOne] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const [speed, setSpeed] = useState('1000');
  const [playing, setPlaying] = useState(false);
  const lines = linesOf(script);
  const keep = route.query.keep === '1';
  const options = optionsOf(route.query.options);
  const ready = game.session !== null && !game.busy;
  const ended = at >= lines.length;

  async function start(anew: boolean, given?: Given) {
    setAt(0);
    setPlaying(false);
    if (keep) void navigator.storage.persist(); // Else the browser may give its space to others.
    const kept = keep ? { name: 'playground', anew } : undefined;
    await game.restart(engineOptions(options), kept, given);
  }
  async function bring(zip: File | null) {
    if (!zip) return;
    const files = await game.guarded(async () => (await import('./archive')).filesOf(zip));
    if (files) await start(true, { files });
  }
  async function run(next: string[]) {
    setTrouble(null);
    try {
      next.forEach(parseLine); // All of it makes sense, or nothing is done.
    } catch (error) {
      if (error instanceof ScriptError) setTrouble(error.message);
      setPlaying(false);
      return false;
    }
    return game.run(next);
  }
  async function step(most: number) {
    if (await run(lines.slice(at, at + most))) setAt(Math.min(lines.length, at + most));
  }
  async function undo() {
    setPlaying(false);
    if (await game.undo()) setAt(Math.max(0, at - 1));
  }
  useEffect(() => {
    if (!playing || game.busy) return;
    const timer = setTimeout(() => {
      if (ended) setPlaying(false);
      else void step(1);
    }, Number(speed));
    return () => clearTimeout(timer);
  });
  const button = { size: 'compact-sm', variant: 'default' } as const;
  return (
    <Panel title="Script">
      <ScriptEditor script={script} onChange={setScript} minRows={7} maxRows={18} />
      <p className="muted">
        next: {ended ? 'the end' : <code>{lines[at]}</code>} ({at} of {lines.length})
      </p>
      <div className="toolbar">
        <Button size="compact-sm" onClick={() => void start(game.kept)} loading={game.busy}>
          {game.session ? 'Start anew' : 'Start'}
        </Button>
        <Button {...button} disabled={!ready || ended} onClick={() => void step(1)}>
          Step
        </Button>
        <Button {...button} disabled={!ready || ended} onClick={() => void step(lines.length)}>
          Run
        </Button>
        <Button
          {...button}
          disabled={!game.session || (ended && !playing)}
          onClick={() => setPlaying(!playing)}
        >
          {playing ? 'Pause' : 'Play'}
        </Button>
        <Button
          {...button}
          disabled={!ready || game.kept || game.log.length === 0}
          onClick={() => void undo()}
        >
          Undo
        </Button>
        <NativeSelect
          size="xs"
          aria-label="speed"
          value={speed}
          data={kSpeeds}
          onChange={(event) => setSpeed(event.currentTarget.value)}
        />
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          onClick={() => setQuery({ script })}
        >
          Put into the link
        </Button>
      </div>
      <form
        className="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          void run([one]).then((done) => {
            if (done) setOne('');
          });
        }}
      >
        <TextInput
          size="xs"
          aria-label="one step"
          placeholder="one step: put key value"
          value={one}
          onChange={(event) => setOne(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" disabled={!ready || !one}>
          Do it
        </Button>
      </form>
      {trouble && (
        <p className="bad" role="alert">
          {trouble}
        </p>
      )}
      <OptionControls
        values={options}
        onChange={(next) => setQuery({ options: optionsText(next) })}
        label="Options of the next start"
      />
      <Reference />
      <div className="toolbar">
        <Checkbox
          size="xs"
          label="keep the database in this browser"
          checked={keep}
          disabled={game.busy}
          onChange={(event) => setQuery({ keep: event.currentTarget.checked ? '1' : undefined })}
        />
        <FileButton accept=".zip,application/zip" onChange={(zip) => void bring(zip)}>
          {(props) => (
            <Button {...props} {...button} disabled={game.busy}>
              Open a downloaded database
            </Button>
          )}
        </FileButton>
      </div>
      {keep && !game.kept && (
        <p className="muted">Start opens the one that is kept, if there is one.</p>
      )}
    </Panel>
  );
}
