// SPDX-License-Identifier: Apache-2.0
// Where a visit begins: what a server offers, and files dropped on the page.
import { Button, FileButton, TextInput } from '@mantine/core';
import { useEffect, useRef, useState, type DragEvent, type FormEvent } from 'react';
import type { TargetSummary } from '@/api/openapi';
import { ask, Client } from '@/engine/client';
import { useEngines } from '@/engine/context';
import type { DroppedFile, Engine } from '@/engine/engine';
import { ofToken } from '@/engine/http';
import { toProblem, type Problem } from '@/engine/problem';
import { offersSignIn, signIn } from '@/engine/session';
import { filesOf } from '@/lib/drop';
import { fetchFile, fetchLinked } from '@/lib/fetched';
import { bytes, plural } from '@/lib/format';
import { fetchSample } from '@/lib/gallery';
import { linkOfView, setRecipe, type Recipe } from '@/lib/kept';
import { kindName } from '@/lib/kinds';
import { recognize, type Recognized } from '@/lib/recognize';
import { goTo, parseRoute, useRoute } from '@/lib/route';
import { ProblemNote, Shown } from '@/ui/states';
import { Kept } from './Kept';
import { useQuery } from '@tanstack/react-query';

interface Looked {
  file: DroppedFile;
  is: Recognized;
}

export default function Landing() {
  const { http, wasm } = useEngines();
  return (
    <div className="page">
      {!http && <SignInPanel />}
      <DropZone />
      <Gallery />
      <div className="columns">
        <Kept />
      </div>
      <div className="columns">
        {http && <Targets engine={http} title="Served to this page" />}
        {wasm && <Targets engine={wasm} title="Open in this tab" />}
        <section className="panel">
          <header className="panel-head">
            <h2>Without a database at hand</h2>
          </header>
          <p>
            The <a href="#/playground">playground</a> runs the real engine in this tab: put, flush,
            compact, and see every byte move.
          </p>
        </section>
        <section className="panel">
          <header className="panel-head">
            <h2>A big or a running database</h2>
          </header>
          <p>Let it be served on its own machine:</p>
          <pre className="cli">varve serve ./db</pre>
          {!http && <Token />}
        </section>
      </div>
    </div>
  );
}

function DropZone() {
  const { open } = useEngines();
  const [over, setOver] = useState(false);
  const [looked, setLooked] = useState<Looked[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [address, setAddress] = useState('');
  const folder = useRef<HTMLInputElement>(null);

  // `view`: what to show of it, other than its overview.
  async function take(files: DroppedFile[], recipe?: Recipe, view?: string) {
    setProblem(null);
    if (files.length === 0) return;
    setLooked(
      await Promise.all(
        files.slice(0, 12).map(async (file) => ({ file, is: await recognize(file.file) })),
      ),
    );
    try {
      await open(files);
      const { target } = parseRoute(location.hash);
      if (recipe) setRecipe(target, recipe);
      if (view) goTo(linkOfView(view, 'w', target), true);
    } catch (error) {
      setProblem(toProblem(error));
    }
  }

  async function takeFetched(fetched: Promise<DroppedFile[]>) {
    try {
      await take(await fetched);
    } catch (error) {
      setProblem(toProblem(error));
    }
  }

  const { open: linked, sample, view } = useRoute().route.query;
  const wanted = linked ? `open ${linked}` : sample ? `sample ${sample}` : '';
  const asked = useRef(''); // Once, although opening loads the engine and draws this anew.
  useEffect(() => {
    if (asked.current === wanted) return;
    asked.current = wanted;
    const files = linked ? fetchLinked(linked) : sample ? fetchSample(sample) : null;
    const recipe = linked ? { open: linked } : sample ? { sample } : undefined;
    files
      ?.then((all) => take(all, recipe, view))
      .catch((error: unknown) => setProblem(toProblem(error)));
  });

  function takeAddress(event: FormEvent) {
    event.preventDefault();
    void takeFetched(fetchFile(address).then((file) => [file]));
  }
  const plain = (files: Iterable<File>) =>
    [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void filesOf(event.dataTransfer).then((files) => take(files));
  }

  return (
    <section
      className={`drop${over ? ' over' : ''}`}
      data-drop
      aria-label="drop files here"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <h1>Drop a table file, a MANIFEST, a log or a whole database folder</h1>
      <div className="toolbar">
        <FileButton
          multiple
          inputProps={{ id: 'files' }}
          onChange={(files) => void take(plain(files))}
        >
          {(button) => <Button {...button}>Choose files</Button>}
        </FileButton>
        <Button variant="default" onClick={() => folder.current?.click()}>
          Choose folder
        </Button>
        <input
          ref={(element) => {
            folder.current = element;
            element?.setAttribute('webkitdirectory', '');
          }}
          type="file"
          hidden
          aria-label="folder"
          id="folder"
          onChange={(event) => void take(plain(event.currentTarget.files ?? []))}
        />
      </div>
      <form className="toolbar" onSubmit={takeAddress}>
        <TextInput
          size="xs"
          aria-label="address of a file on this host"
          placeholder="or a file on this host: its address"
          w={300}
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" variant="default" disabled={!address}>
          Open address
        </Button>
      </form>
      <p className="muted">
        Read in place by this tab: nothing is uploaded, whatever the size. The page is forbidden to
        talk to anyone but the place it came from.
      </p>
      {looked.length > 0 && (
        <ul>
          {looked.map(({ file, is }) => (
            <li key={file.path}>
              <span className="mono">{file.path}</span>, {bytes(file.file.size)}: {is.what}
            </li>
          ))}
        </ul>
      )}
      {problem && <ProblemNote problem={problem} />}
    </section>
  );
}

function Gallery() {
  if (!__HAS_ENGINE__) return null;
  return (
    <section className="panel" aria-labelledby="gallery">
      <header className="panel-head">
        <h2 id="gallery">Samples</h2>
        <span className="muted">made by RocksDB and LevelDB; they open in this tab</span>
      </header>
      <ul className="gallery">
        {__SAMPLES__.map((sample) => (
          <li key={sample.id}>
            <a href={`#/?sample=${sample.id}`}>{sample.title}</a>
            <span className="muted">
              {sample.says} · {bytes(sample.bytes)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Targets({ engine, title }: { engine: Engine; title: string }) {
  const { disconnect } = useEngines();
  const targets = useQuery({
    queryKey: [engine.letter, 'landing'],
    queryFn: () => new Client(engine).get(ask('/targets', {})),
  });
  return (
    <section className="panel">
      <header className="panel-head">
        <h2>{title}</h2>
        {targets.error && (
          <Button size="compact-xs" variant="default" onClick={disconnect}>
            Forget the token
          </Button>
        )}
      </header>
      <Shown of={targets}>
        {(document) => (
          <ul>
            {document.targets.map((target) => (
              <li key={target.id}>
                <TargetLink engine={engine} target={target} />
              </li>
            ))}
            {document.targets.length === 0 && <li className="muted">{plural(0, 'target')}</li>}
          </ul>
        )}
      </Shown>
    </section>
  );
}

function TargetLink({ engine, target }: { engine: Engine; target: TargetSummary }) {
  return (
    <>
      <a href={`#/${engine.letter}/t/${target.id}/overview`}>{target.name}</a>{' '}
      <span className="muted">
        {kindName(target.kind)}
        {target.live ? ', live' : ''}
      </span>
    </>
  );
}

function SignInPanel() {
  const offers = useQuery({ queryKey: ['sign-in'], queryFn: offersSignIn });
  if (!offers.data) return null;
  return (
    <section className="panel" aria-labelledby="sign-in">
      <header className="panel-head">
        <h2 id="sign-in">Sign in to the server of this page</h2>
      </header>
      <SignIn />
    </section>
  );
}

function SignIn() {
  const { connect } = useEngines();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      connect(await signIn(name.trim(), password));
    } catch (error) {
      setProblem(toProblem(error));
      setPassword('');
      setBusy(false);
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="sign-in" aria-label="Sign in">
      <TextInput
        size="xs"
        label="Name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        autoComplete="username"
        required
        withAsterisk={false}
      />
      <TextInput
        size="xs"
        type="password"
        label="Password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        autoComplete="current-password"
        required
        withAsterisk={false}
      />
      <Button size="xs" type="submit" disabled={busy || !name || !password}>
        Sign in
      </Button>
      {problem && (
        <p className="bad" role="alert">
          {problem.detail ?? problem.title}
        </p>
      )}
    </form>
  );
}

function Token() {
  const { connect } = useEngines();
  const [token, setToken] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    connect(ofToken(token.trim().replace(/^.*#token=/, '')));
  }
  return (
    <form onSubmit={submit} className="toolbar">
      <TextInput
        size="xs"
        label="This page came from varve serve? The token that it printed, or that you were given:"
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        autoComplete="off"
      />
      <Button size="xs" type="submit" variant="default" disabled={!token}>
        Connect
      </Button>
    </form>
  );
}
