// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { RootDocument, TargetSummary } from '@/api/openapi';
import { useRoute } from '@/lib/route';
import { kPages, whyNot } from './pages';

// Pages that are reached from another one.
const kPlaceOf: Record<string, string> = { file: 'files', block: 'files', plugin: 'plugins' };

export function Nav({
  target,
  root,
}: {
  target: TargetSummary | undefined;
  root: RootDocument | undefined;
}) {
  const { route, link } = useRoute();
  const [told, setTold] = useState(''); // Why the page under the pointer or the focus cannot be shown.
  const shown = kPlaceOf[route.page] ?? route.page;
  return (
    <nav aria-label="Pages">
      <ul>
        {kPages
          .filter((page) => !page.hidden)
          .map((page) => {
            const why = whyNot(page, target, root);
            if (why) {
              return (
                <li key={page.id}>
                  <span
                    className="nav-off"
                    aria-disabled="true"
                    tabIndex={0}
                    onPointerEnter={() => setTold(why)}
                    onPointerLeave={() => setTold('')}
                    onFocus={() => setTold(why)}
                    onBlur={() => setTold('')}
                  >
                    {page.title}
                    <span className="sr-only">: {why}</span>
                  </span>
                </li>
              );
            }
            return (
              <li key={page.id}>
                <a href={link(page.id)} aria-current={page.id === shown ? 'page' : undefined}>
                  {page.title}
                  {page.key && <kbd aria-hidden="true">g {page.key}</kbd>}
                </a>
              </li>
            );
          })}
      </ul>
      <p className="nav-told" aria-hidden="true">
        {told}
      </p>
    </nav>
  );
}
