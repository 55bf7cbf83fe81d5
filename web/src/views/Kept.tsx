// SPDX-License-Identifier: Apache-2.0
// Recent targets and named views, on the first page.
import { Button } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { TargetSummary } from '@/api/openapi';
import { ask, Client } from '@/engine/client';
import { useEngines } from '@/engine/context';
import type { Engine } from '@/engine/engine';
import {
  forgetTargets,
  forgetView,
  linkOfRecipe,
  linkOfView,
  namedViews,
  recentTargets,
  type Recipe,
} from '@/lib/kept';
import { kindName, isKind } from '@/lib/kinds';

interface Open {
  engine: 'h' | 'w';
  target: TargetSummary;
}

// What is open at this moment, on both engines.
function useOpen(): Open[] {
  const { http, wasm } = useEngines();
  const engines = [http, wasm].filter((engine): engine is Engine => engine !== null);
  const lists = useQueries({
    queries: engines.map((engine) => ({
      queryKey: [engine.letter, 'landing'],
      queryFn: () => new Client(engine).get(ask('/targets', {})),
    })),
  });
  return lists.flatMap(({ data }, i) =>
    (data?.targets ?? []).map((target) => ({ engine: engines[i]!.letter, target })),
  );
}

interface Place {
  name: string;
  engine: 'h' | 'w';
  recipe?: Recipe;
}

function linkTo({ name, engine, recipe }: Place, open: Open[], view = ''): string | null {
  const there = open.find((one) => one.engine === engine && one.target.name === name);
  if (there) return linkOfView(view || 'overview', engine, there.target.id);
  return recipe ? linkOfRecipe(recipe, view) : null;
}

const kHow = { h: 'serve it again on this address', w: 'open it again from its place' };

export function Kept() {
  const [, setChanges] = useState(0);
  const open = useOpen();
  const recent = recentTargets();
  const views = namedViews();
  const change = (what: () => void) => () => {
    what();
    setChanges((n) => n + 1);
  };
  return (
    <>
      {recent.length > 0 && (
        <section className="panel" aria-labelledby="recent">
          <header className="panel-head">
            <h2 id="recent">Recent</h2>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={change(forgetTargets)}>
              Clear
            </Button>
          </header>
          <ul>
            {recent.map((one) => {
              const link = linkTo(one, open);
              return (
                <li key={`${one.engine} ${one.name}`}>
                  {link ? <a href={link}>{one.name}</a> : one.name}{' '}
                  <span className="muted">
                    {isKind(one.kind) ? kindName(one.kind) : ''}
                    {link ? '' : `; ${kHow[one.engine]}`}
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {views.length > 0 && (
        <section className="panel" aria-labelledby="views">
          <header className="panel-head">
            <h2 id="views">Named views</h2>
            <span className="muted">kept in this browser</span>
          </header>
          <ul>
            {views.map((one) => {
              const link = linkTo({ ...one, name: one.target }, open, one.view);
              return (
                <li key={one.title}>
                  {link ? <a href={link}>{one.title}</a> : one.title}{' '}
                  <span className="muted">
                    of {one.target}
                    {link ? '' : `; ${kHow[one.engine]}`}
                  </span>{' '}
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    aria-label={`forget ${one.title}`}
                    onClick={change(() => forgetView(one.title))}
                  >
                    Forget
                  </Button>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </>
  );
}
