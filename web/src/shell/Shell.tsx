// SPDX-License-Identifier: Apache-2.0
// The frame around every page: bar, navigation, page, status.
import { useHotkeys } from '@mantine/hooks';
import { Component, lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { TargetSummary } from '@/api/openapi';
import { ask, Client } from '@/engine/client';
import { useEngines, useResource, useRoot } from '@/engine/context';
import type { Engine } from '@/engine/engine';
import { toProblem, type Problem } from '@/engine/problem';
import { recipeOf, rememberTarget } from '@/lib/kept';
import { may } from '@/lib/rights';
import { formatRoute, goTo, useRoute } from '@/lib/route';
import { usePageMemory } from '@/lib/scroll';
import { Empty, Loading, ProblemNote } from '@/ui/states';
import { announceNeighbour, useKeys } from './keyboard';
import { LiveProvider } from './live';
import { LossNote } from './LossNote';
import { LostNote } from './LostNote';
import { Nav } from './Nav';
import { kPages, whyNot } from './pages';
import { useStatsRecorder } from './stats_log';
import { StatusBar } from './StatusBar';
import { TopBar } from './TopBar';
import { useVerbs } from './verbs';

// Loaded when they are first asked for.
const ViewMenu = lazy(() => import('./ViewMenu'));
const Palette = lazy(() => import('./Palette'));
const ShortcutSheet = lazy(() => import('./ShortcutSheet'));

class Boundary extends Component<
  { place: string; children: ReactNode },
  { problem: Problem | null }
> {
  override state = { problem: null };
  static getDerivedStateFromError(error: unknown) {
    return { problem: toProblem(error) };
  }
  override componentDidUpdate(before: { place: string }) {
    if (before.place !== this.props.place && this.state.problem) this.setState({ problem: null });
  }
  override render() {
    const { problem } = this.state;
    return problem ? (
      <ProblemNote problem={problem} retry={() => this.setState({ problem: null })} />
    ) : (
      this.props.children
    );
  }
}

export function Shell() {
  const { route, go } = useRoute();
  const { http, wasm } = useEngines();
  const [helpShown, setHelpShown] = useState(false);
  const [refused, setRefused] = useState<Problem | null>(null); // What the palette began.
  const [paletteAsked, setPaletteAsked] = useState(0); // How often.
  const openPalette = () => setPaletteAsked((times) => times + 1);
  useHotkeys([['mod+K', openPalette]], []);
  const root = useRoot();
  const targets = useResource(ask('/targets', {}));
  const target = targets.data?.targets.find((t) => t.id === route.target);
  const page = kPages.find((p) => p.id === route.page);
  const seesAll =
    target !== undefined && root.data !== undefined && may(root.data.rights, 'read', target.name);
  useStatsRecorder(target?.live && seesAll ? target.id : null);
  const engineGone = (route.engine === 'h' && !http) || (route.engine === 'w' && !wasm);

  const main = useRef<HTMLElement>(null);
  usePageMemory(main, [route.engine, route.target, route.cf, route.page, ...route.rest].join('/'));

  // The server's only target is what the user came for.
  const first = useFirstTarget();
  useEffect(() => {
    if (route.engine === null && route.page === 'landing' && first)
      location.replace(`#/h/t/${first}/overview`);
  }, [route.engine, route.page, first]);

  useSeenFamily(target, seesAll);

  useEffect(() => {
    if (!target || !route.engine) return;
    const recipe = recipeOf(route.engine, target.id);
    const { name, kind } = target;
    rememberTarget({ name, kind, engine: route.engine, ...(recipe && { recipe }) });
  }, [target, route.engine]);

  useEffect(() => {
    document.title = [page?.title, target?.name, 'Varve'].filter(Boolean).join(' · ');
  }, [page, target]);

  useKeys({
    goPage: (key) => {
      const to = kPages.find((p) => p.key === key);
      if (!to || whyNot(to, target, root.data)) return false;
      go(to.id);
      return true;
    },
    help: () => setHelpShown(true),
    neighbour: announceNeighbour,
  });

  const verbs = useVerbs({
    target,
    targets: targets.data?.targets ?? [],
    root: root.data,
    onHelp: () => setHelpShown(true),
    onProblem: setRefused,
  });

  let content: ReactNode;
  const why = page ? whyNot(page, target, root.data) : null;
  if (!page) content = <Empty>There is no page “{route.page}”.</Empty>;
  else if (page.needsTarget && engineGone) content = <Gone engine={route.engine} />;
  else if (page.needsTarget && root.error && !root.data)
    content = <ProblemNote problem={toProblem(root.error)} retry={() => void root.refetch()} />;
  else if (page.needsTarget && !targets.data) content = <Loading what="asking what is open" />;
  else if (why)
    content = (
      <Empty>
        {page.title}: {why}.
      </Empty>
    );
  else
    content = (
      <page.view key={page.needsTarget ? `${route.engine}${route.target}${route.cf}` : page.id} />
    );

  return (
    <LiveProvider
      target={route.target}
      isLive={target?.live ?? false}
      follows={route.engine === 'h' && target?.kind === 'db' && seesAll}
    >
      <div className="shell">
        <a
          className="skip"
          href="#main"
          onClick={(event) => {
            event.preventDefault();
            document.getElementById('main')?.focus();
          }}
        >
          Skip to the page
        </a>
        <TopBar
          target={target}
          targets={targets.data?.targets ?? []}
          onHelp={() => setHelpShown(true)}
          onPalette={openPalette}
        >
          {target && page?.needsTarget && (
            <Suspense>
              <ViewMenu target={target} onProblem={setRefused} />
            </Suspense>
          )}
        </TopBar>
        <Nav target={target} root={root.data} />
        <main id="main" tabIndex={-1} ref={main}>
          <Boundary place={`${route.page}${route.target}`}>
            <LostNote />
            {refused && <ProblemNote problem={refused} retry={() => setRefused(null)} />}
            {page?.needsTarget && <LossNote />}
            <Suspense fallback={<Loading lines={6} />}>{content}</Suspense>
          </Boundary>
        </main>
        <StatusBar />
        <Suspense>
          {paletteAsked > 0 && <Palette verbs={verbs} asked={paletteAsked} />}
          {helpShown && <ShortcutSheet onClose={() => setHelpShown(false)} />}
        </Suspense>
      </div>
    </LiveProvider>
  );
}

function useFirstTarget(): string | null {
  const { http } = useEngines();
  const [first, setFirst] = useState<{ id: string; of: Engine } | null>(null);
  useEffect(() => {
    if (!http) return;
    let current = true;
    void new Client(http).get(ask('/targets', {})).then(
      ({ targets }) => {
        if (current && targets.length === 1) setFirst({ id: targets[0]!.id, of: http });
      },
      () => undefined, // The page says what is wrong.
    );
    return () => {
      current = false;
    };
  }, [http]);
  return first && first.of === http ? first.id : null; // Somebody else may see others.
}

// Of who may see some families only, one of these is shown: not the default one in any case.
function useSeenFamily(target: TargetSummary | undefined, seesAll: boolean) {
  const { route } = useRoute();
  const asks = target?.kind === 'db' && !seesAll;
  const seen = useResource(asks ? ask('/targets/{t}/cfs', { path: { t: target.id } }) : null).data;
  useEffect(() => {
    const [first] = seen?.cfs ?? [];
    if (!first || route.cf !== 'default') return;
    if (!seen?.cfs.some(({ cf }) => cf === 'default'))
      goTo(formatRoute({ ...route, cf: first.cf }), true);
  }, [seen, route]);
}

function Gone({ engine }: { engine: string | null }) {
  return engine === 'w' ? (
    <Empty>
      This link shows a file that was opened in a tab of its own. Nothing of it was kept:{' '}
      <a href="#/">open it again</a>.
    </Empty>
  ) : (
    <Empty>
      This page needs the token that <code>varve serve</code> printed: open the whole address that
      it printed, or <a href="#/">paste the token or sign in</a>.
    </Empty>
  );
}
