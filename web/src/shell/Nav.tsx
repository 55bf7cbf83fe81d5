// SPDX-License-Identifier: Apache-2.0
import { Tooltip } from '@mantine/core';
import type { Capabilities, TargetSummary } from '@/api/openapi';
import { useRoute } from '@/lib/route';
import { kPages, whyNot } from './pages';

export function Nav({
  target,
  capabilities,
}: {
  target: TargetSummary | undefined;
  capabilities: Capabilities | undefined;
}) {
  const { route, link } = useRoute();
  const shown = route.page === 'file' || route.page === 'block' ? 'files' : route.page;
  return (
    <nav aria-label="Pages">
      <ul>
        {kPages
          .filter((page) => !page.hidden)
          .map((page) => {
            const why = whyNot(page, target, capabilities);
            if (why) {
              return (
                <li key={page.id}>
                  <Tooltip label={why} position="right">
                    <span className="nav-off" aria-disabled="true" tabIndex={0}>
                      {page.title}
                      <span className="sr-only">: {why}</span>
                    </span>
                  </Tooltip>
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
    </nav>
  );
}
