// SPDX-License-Identifier: Apache-2.0
// Pages, targets and verbs, by their names.
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { useEffect } from 'react';

export type Verb = SpotlightActionData;

// Opens whenever it has been `asked` for once more.
export default function Palette({ verbs, asked }: { verbs: Verb[]; asked: number }) {
  useEffect(() => spotlight.open(), [asked]);
  return (
    <Spotlight
      actions={verbs}
      shortcut={null}
      nothingFound="Nothing of that name"
      searchProps={{ placeholder: 'Page, target or verb…', 'aria-label': 'search' }}
      lockScroll={false}
      highlightQuery
    />
  );
}
