// SPDX-License-Identifier: Apache-2.0
// Changes one record, for who may. First the new value is typed, as text, hex or JSON; then it says what
// will be written over what, and how the command line does the same. If another has changed the record
// meanwhile, nothing is written.
import { Button, Checkbox, Modal, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { useClient, useFamilyPath, useTarget } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { fromHex, toHex } from '@/lib/bytes';
import { plural } from '@/lib/format';
import { BytesText } from '@/ui/small';
import { Loading, ProblemNote } from '@/ui/states';
import {
  bytesOf,
  commandOf,
  formOf,
  isSame,
  keyOf,
  kForms,
  kMostBytes,
  readNow,
  send,
  textOf,
  type Change,
  type Form,
  type Now,
} from './edit';

// A change that was made, and what it was made of.
export interface Made {
  change: Change;
  before: Now;
  seq: string | undefined;
}

// What is to be done: with a key, or with one that is still to be typed.
export type Task =
  { what: 'add' } | { what: 'edit' | 'delete'; key: Uint8Array } | { what: 'undo'; made: Made };

const kStale = 'The record has been changed since it was read. Nothing was written.';

const kTitles = { add: 'New record', edit: 'Edit', delete: 'Delete', undo: 'Undo' };

export function RecordEditor({
  task,
  onMade,
  onClose,
}: {
  task: Task;
  onMade: (made: Made) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState<Uint8Array | null>(null); // The key of a new record.
  const key = task.what === 'add' ? typed : task.what === 'undo' ? task.made.change.key : task.key;
  return (
    <Modal
      opened
      onClose={onClose}
      title={kTitles[task.what]}
      size="lg"
      closeButtonProps={{ 'aria-label': 'close' }}
    >
      {key === null ? (
        <KeyForm onKey={setTyped} />
      ) : (
        <OfKey task={task} of={key} onMade={onMade} onClose={onClose} />
      )}
    </Modal>
  );
}

function KeyForm({ onKey }: { onKey: (key: Uint8Array) => void }) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const meant = keyOf(text);
    if ('wrong' in meant) setWrong(meant.wrong);
    else onKey(meant.bytes);
  };
  return (
    <form className="edit-record" onSubmit={submit}>
      <TextInput
        label="key"
        description="text, hex:0102, b64:AQI=, u64be:258 or esc:a\x00"
        {...focusIf(true)}
        spellCheck={false}
        value={text}
        error={wrong}
        onChange={(event) => {
          setWrong('');
          setText(event.currentTarget.value);
        }}
      />
      <div className="toolbar">
        <Button type="submit" size="xs">
          Go on
        </Button>
      </div>
    </form>
  );
}

// Once the key is known: reads what it has now, which a change will expect.
function OfKey({
  task,
  of: key,
  onMade,
  onClose,
}: {
  task: Task;
  of: Uint8Array;
  onMade: (made: Made) => void;
  onClose: () => void;
}) {
  const { now, problem, readAgain } = useNow(key);
  const [change, setChange] = useState<Change | null>(() => firstChange(task));
  if (problem) return <ProblemNote problem={problem} retry={readAgain} />;
  if (!now) return <Loading what="reading the record" />;
  const why = whyNot(task, key, now);
  if (why) return <p role="alert">{why}</p>;
  if (change)
    return (
      <Confirm
        change={change}
        now={now}
        onChange={setChange}
        onBack={task.what === 'delete' || task.what === 'undo' ? onClose : () => setChange(null)}
        onStale={readAgain}
        onMade={onMade}
      />
    );
  return <ValueForm of={key} now={now} onChange={setChange} />;
}

// Read once: not anew when the database changes, as what a page shows is. What is typed was made of this.
function useNow(key: Uint8Array) {
  const client = useClient();
  const { t, cf } = useFamilyPath();
  const hex = toHex(key);
  const [now, setNow] = useState<Now | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isOver = false;
    const unlessOver = (then: () => void) => !isOver && then();
    readNow(client!, { t, cf }, fromHex(hex)).then(
      (found) => unlessOver(() => setNow(found)),
      (error: unknown) => unlessOver(() => setProblem(toProblem(error))),
    );
    return () => {
      isOver = true;
    };
  }, [client, t, cf, hex, turn]);
  const readAgain = () => {
    setNow(null);
    setProblem(null);
    setTurn(turn + 1);
  };
  return { now, problem, readAgain };
}

function firstChange(task: Task): Change | null {
  if (task.what === 'delete') return { op: 'delete', key: task.key };
  if (task.what !== 'undo') return null;
  const { change, before } = task.made;
  return before.value
    ? { op: 'put', key: change.key, value: before.value }
    : { op: 'delete', key: change.key };
}

function whyNot(task: Task, key: Uint8Array, now: Now): string | null {
  const isThere = now.sha256 !== undefined;
  switch (task.what) {
    case 'add':
      return isThere ? 'There is a record of that key: edit that one.' : null;
    case 'undo':
      return isSame(now.value, task.made.change.value ?? null) &&
        isThere === (task.made.change.op === 'put')
        ? null
        : 'It has been changed since, so there is nothing to undo.';
    case 'delete':
      return isThere ? null : 'It is not there any more.';
    case 'edit':
      if (!isThere) return 'It is not there any more.';
      if (now.hasColumns)
        return 'Its value has columns: a new value would drop all of them but one. This page does not change such records.';
      if (now.value === null || key.length + now.len > kMostBytes)
        return `With ${plural(now.len, 'byte')} it is too long to be typed: varve put takes a value from a file.`;
      return null;
  }
}

function ValueForm({
  of: key,
  now,
  onChange,
}: {
  of: Uint8Array;
  now: Now;
  onChange: (change: Change) => void;
}) {
  const old = now.value ?? new Uint8Array();
  const [form, setForm] = useState<Form>(() => formOf(old));
  const [text, setText] = useState(() => textOf(old, form) ?? '');
  const [wrong, setWrong] = useState('');

  // What is typed stays what it means, if the other form can say it.
  const changeForm = (to: Form) => {
    const meant = bytesOf(text, form);
    const same = 'bytes' in meant ? textOf(meant.bytes, to) : null;
    if (same === null) return setWrong(`this cannot be typed as ${to}`);
    setWrong('');
    setForm(to);
    setText(same);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const meant = bytesOf(text, form);
    if ('wrong' in meant) return setWrong(meant.wrong);
    const value = meant.bytes;
    if (key.length + value.length > kMostBytes)
      return setWrong(`longer than ${plural(kMostBytes, 'byte')}: varve put takes it from a file`);
    if (now.value && isSame(now.value, value)) return setWrong('this is what is there');
    onChange({ op: 'put', key, value });
  };
  return (
    <form className="edit-record" onSubmit={submit}>
      <p>
        <KeyText of={key} />
      </p>
      <NativeSelect
        size="xs"
        label="type the value as"
        value={form}
        data={kForms}
        onChange={(event) => changeForm(kForms.find((one) => one === event.currentTarget.value)!)}
      />
      <Textarea
        label="new value"
        classNames={{ input: 'mono' }}
        size="xs"
        rows={10}
        {...focusIf(true)}
        spellCheck={false}
        value={text}
        error={wrong}
        onChange={(event) => {
          setWrong('');
          setText(event.currentTarget.value);
        }}
      />
      <div className="toolbar">
        <Button type="submit" size="xs">
          Look at the change
        </Button>
      </div>
    </form>
  );
}

function Confirm({
  change,
  now,
  onChange,
  onBack,
  onStale,
  onMade,
}: {
  change: Change;
  now: Now;
  onChange: (change: Change) => void;
  onBack: () => void;
  onStale: () => void;
  onMade: (made: Made) => void;
}) {
  const client = useClient();
  const queries = useQueryClient();
  const path = useFamilyPath();
  const name = useTarget().data?.target.name ?? '';
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function write() {
    setBusy(true);
    setProblem(null);
    try {
      const seq = await send(client!, path, change, now);
      onMade({ change, before: now, seq });
      await queries.invalidateQueries();
    } catch (error) {
      setProblem(toProblem(error));
      setBusy(false);
    }
  }

  const isPut = change.op === 'put';
  const isStale = problem?.code === 'precondition_failed';
  return (
    <div className="edit-record">
      <dl className="change">
        <Row name="key">
          <KeyText of={change.key} />
          {path.cf !== 'default' && <span className="muted"> in {path.cf}</span>}
        </Row>
        <Row name="is now">
          <ValueText of={now.value} absent={now.sha256 === undefined} length={now.len} />
        </Row>
        <Row name="will be">
          <ValueText of={change.value ?? null} absent={!isPut} length={change.value?.length ?? 0} />
        </Row>
      </dl>
      {!isPut && (
        <Checkbox
          size="xs"
          label="single delete: cheaper, and wrong for a key that was written more than once"
          checked={change.op === 'single_delete'}
          onChange={(event) =>
            onChange({
              op: event.currentTarget.checked ? 'single_delete' : 'delete',
              key: change.key,
            })
          }
        />
      )}
      {now.sha256 !== undefined && (now.value === null || now.hasColumns) && (
        <p className="warn" role="note">
          This page cannot put back what is there now.
        </p>
      )}
      <p className="muted">
        The same from the command line, while no server has the database open:
      </p>
      <pre className="cli" tabIndex={0}>
        {commandOf(change, name, path.cf)}
      </pre>
      {problem && <ProblemNote problem={isStale ? { ...problem, detail: kStale } : problem} />}
      <div className="toolbar">
        <Button
          size="xs"
          {...focusIf(isPut)}
          onKeyDown={unlessHeld}
          loading={busy}
          disabled={isStale}
          onClick={() => void write()}
        >
          {isPut ? 'Write' : 'Delete'}
        </Button>
        <Button
          size="xs"
          variant="default"
          {...focusIf(!isPut)}
          onKeyDown={unlessHeld}
          disabled={busy}
          onClick={onBack}
        >
          Back
        </Button>
        {isStale && (
          <Button size="xs" variant="default" onClick={onStale}>
            Read it again
          </Button>
        )}
      </div>
    </div>
  );
}

// Where the focus goes, whether it is there when the dialog opens or comes later.
const focusIf = (isWanted: boolean) =>
  isWanted ? { autoFocus: true, 'data-autofocus': true } : {};

// A key that is still held from what was pressed before presses nothing here.
function unlessHeld(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function KeyText({ of: raw }: { of: Uint8Array }) {
  const text = textOf(raw, 'text');
  return (
    <>
      <BytesText
        bytes={{ hex: toHex(raw), len: raw.length, ...(text === null ? {} : { text }) }}
        most={400}
      />{' '}
      <span className="muted">{plural(raw.length, 'byte')}</span>
    </>
  );
}

// As it can be typed, all of it.
function ValueText({
  of: raw,
  absent,
  length,
}: {
  of: Uint8Array | null;
  absent: boolean;
  length: number;
}) {
  if (absent) return <span className="muted">no record</span>;
  const size = <span className="muted">{plural(length, 'byte')}</span>;
  if (raw === null || raw.length === 0) return size;
  const form = formOf(raw);
  return (
    <>
      <pre className="value" tabIndex={0}>
        {textOf(raw, form)}
      </pre>
      {form === 'hex' && <span className="muted">hex, </span>}
      {size}
    </>
  );
}

// What was done last, with the way back.
export function LastChange({ made, onUndo }: { made: Made; onUndo: () => void }) {
  const { change, before, seq } = made;
  const couldBePutBack =
    before.sha256 === undefined || (before.value !== null && !before.hasColumns);
  return (
    <section className="record" aria-label="last change">
      <p role="status">
        {change.op === 'put' ? 'Written: ' : 'Deleted: '}
        <KeyText of={change.key} />
        {seq !== undefined && <span className="muted"> at sequence number {seq}</span>}
      </p>
      {couldBePutBack && (
        <>
          <div>
            <span className="muted">before: </span>
            <ValueText of={before.value} absent={before.sha256 === undefined} length={before.len} />
          </div>
          <div className="toolbar">
            <Button size="compact-xs" variant="default" onClick={onUndo}>
              Undo
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
