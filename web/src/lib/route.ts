// SPDX-License-Identifier: Apache-2.0
// Every state of the app is a link:
//
//   #/h/t/t1/cf/default/lsm?edit=180&from=a&to=m&sel=123
//    │    │      │      │   └ what the page shows
//    │    │      │      └ page, and what of it: "file/123", "block/123/0"
//    │    │      └ column family
//    │    └ target
//    └ engine: h a server's, w this tab's; "#/" and "#/playground" have none
import { newEntry } from './scroll';
import { useCallback, useMemo, useSyncExternalStore } from 'react';

export interface Route {
  engine: 'h' | 'w' | null;
  target: string;
  cf: string;
  page: string; // "landing", "overview", "lsm", "file", …
  rest: string[];
  query: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?', 2);
  const query = Object.fromEntries(new URLSearchParams(search));
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const route: Route = {
    engine: null,
    target: '',
    cf: 'default',
    page: 'landing',
    rest: [],
    query,
  };
  const [engine] = parts;
  if (engine === 'h' || engine === 'w') {
    route.engine = engine;
    parts.shift();
    route.target = takeNamed(parts, 't') ?? '';
    route.cf = takeNamed(parts, 'cf') ?? 'default';
  }
  route.page = parts.shift() ?? (route.target ? 'overview' : 'landing');
  route.rest = parts;
  return route;
}

// ["t", "t1", …]: takes both away.
function takeNamed(parts: string[], name: string): string | undefined {
  return parts[0] === name && parts.length > 1 ? parts.splice(0, 2)[1] : undefined;
}

export function formatRoute(route: Route): string {
  const parts: string[] = [];
  if (route.engine) {
    parts.push(route.engine);
    if (route.target) {
      parts.push('t', route.target);
      if (route.cf !== 'default') parts.push('cf', route.cf);
    }
  }
  // Without a page, a link to a target leads to its overview.
  if (route.page !== 'landing' || route.target) parts.push(route.page, ...route.rest);
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(route.query)) if (value) search.set(name, value);
  const text = search.toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${text ? `?${text}` : ''}`;
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('popstate', changed);
  };
}

export function goTo(hash: string, replace = false): void {
  if (hash === location.hash) return;
  // The same entry of the history keeps its name (scroll.ts).
  if (replace) history.replaceState(history.state, '', hash);
  else history.pushState(newEntry(), '', hash);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

export function useRoute() {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  const route = useMemo(() => parseRoute(hash), [hash]);

  // A link to another page of the same target and family.
  const link = useCallback(
    (page: string, rest: string[] = [], query: Record<string, string> = {}) =>
      formatRoute({ ...route, page, rest, query }),
    [route],
  );
  const go = useCallback(
    (page: string, rest: string[] = [], query: Record<string, string> = {}) =>
      goTo(link(page, rest, query)),
    [link],
  );
  // Changes what the page shows. Kept out of the history unless `push`. Reads the hash anew, so
  // that two changes of one moment both count.
  const setQuery = useCallback((change: Record<string, string | undefined>, push = false) => {
    const now = parseRoute(location.hash);
    const query = Object.fromEntries(
      Object.entries({ ...now.query, ...change }).map(([name, value]) => [name, value ?? '']),
    );
    goTo(formatRoute({ ...now, query }), !push);
  }, []);
  return { route, link, go, setQuery };
}
