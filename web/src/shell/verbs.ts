// SPDX-License-Identifier: Apache-2.0
// What the command palette offers: pages, targets, and things to do with what is shown.
import { useQueryClient } from '@tanstack/react-query';
import type { JobBody, RootDocument, TargetSummary } from '@/api/openapi';
import { answerOf } from '@/engine/client';
import { useClient, useFamilyPath } from '@/engine/context';
import { toProblem, type Problem } from '@/engine/problem';
import { may } from '@/lib/rights';
import { goTo, useRoute } from '@/lib/route';
import type { Verb } from './Palette';
import { kPages, whyNot } from './pages';
import { useOtherTheme } from './theme';

interface Shown {
  target: TargetSummary | undefined;
  targets: TargetSummary[];
  root: RootDocument | undefined;
  onHelp: () => void;
  onProblem: (problem: Problem | null) => void;
}

export function useVerbs({ target, targets, root, onHelp, onProblem }: Shown): Verb[] {
  const { route, go } = useRoute();
  const pages = kPages
    .filter((page) => !page.hidden && !whyNot(page, target, root))
    .map((page) => ({
      id: page.id,
      label: `Go to ${page.title}`,
      description: page.key ? `g ${page.key}` : '',
      onClick: () => go(page.id),
    }));
  const others = targets.map((other) => ({
    id: `target-${other.id}`,
    label: `Show ${other.name}`,
    description: other.kind,
    onClick: () => goTo(`#/${route.engine ?? 'h'}/t/${other.id}/overview`),
  }));
  const keys = { id: 'keys', label: 'Show the keys', description: '?', onClick: onHelp };
  return [
    ...pages,
    ...others,
    ...useWork(target, root, onProblem),
    ...commandsShown(),
    useThemeVerb(),
    {
      id: 'copy-link',
      label: 'Copy a link to this view',
      description: 'without the token',
      onClick: () => copy(location.href),
    },
    ...(target ? kSaving : []),
    keys,
  ];
}

const kSaving: Verb[] = (['html', 'png', 'svg'] as const).map((format) => ({
  id: `save-${format}`,
  label:
    format === 'html' ? 'Save this view as a page' : `Save this view as ${format.toUpperCase()}`,
  description: 'a file that needs nothing else',
  onClick: () => void import('./save_view').then(({ saveView }) => saveView(format)),
}));

const copy = (text: string) => void navigator.clipboard.writeText(text);

// Each panel says how to get the same from the command line (ui/Panel.tsx).
function commandsShown(): Verb[] {
  return [...document.querySelectorAll<HTMLElement>('main [data-cli]')].map((button, i) => {
    const line = button.dataset.cli ?? '';
    return {
      id: `cli-${i}`,
      label: `Copy the command: ${line}`,
      description: button.closest('section')?.querySelector('h2')?.textContent ?? '',
      onClick: () => copy(line),
    };
  });
}

function useThemeVerb(): Verb {
  const { other, change } = useOtherTheme();
  return { id: 'theme', label: `Use the ${other} theme`, description: '', onClick: change };
}

// Jobs, and what changes a running database; what they do is seen where they lead.
function useWork(
  target: TargetSummary | undefined,
  root: RootDocument | undefined,
  onProblem: Shown['onProblem'],
) {
  const client = useClient();
  const queries = useQueryClient();
  const { go } = useRoute();
  const path = useFamilyPath();
  if (!client || !target || !root) return [];
  const run = async (asked: () => Promise<unknown>, page: string) => {
    onProblem(null);
    try {
      await asked();
    } catch (error) {
      return onProblem(toProblem(error));
    }
    await queries.invalidateQueries();
    go(page);
  };
  const begin = (body: JobBody, page: string) => {
    const params = { path: { t: path.t } };
    void run(
      async () => answerOf(await client.api().POST('/targets/{t}/jobs', { params, body })),
      page,
    );
  };
  const flush = () => {
    const params = { path };
    void run(
      async () => answerOf(await client.api().POST('/targets/{t}/cfs/{cf}:flush', { params })),
      'lsm',
    );
  };
  const work: Verb[] = [];
  const { capabilities, rights } = root;
  const seesAll = may(rights, 'read', target.name);
  if (
    seesAll &&
    capabilities.jobs.includes('verify') &&
    (target.kind === 'db' || target.kind === 'sst')
  )
    work.push({
      id: 'verify',
      label: 'Verify every checksum',
      description: target.name,
      onClick: () => begin({ kind: 'verify' }, 'findings'),
    });
  if (target.live && capabilities.write && may(rights, 'write', target.name, path.cf))
    work.push(
      {
        id: 'flush',
        label: `Flush ${path.cf}`,
        description: 'its memtable becomes a table of level 0',
        onClick: flush,
      },
      {
        id: 'compact',
        label: `Compact all of ${path.cf}`,
        description: 'in the background',
        onClick: () => begin({ kind: 'compact', cf: path.cf }, 'lsm'),
      },
    );
  return work;
}
