// SPDX-License-Identifier: Apache-2.0
import { createTheme } from '@mantine/core';

// Colours and fonts are in styles/tokens.css. Components are named, not imported: the first page needs few of them.
export const theme = createTheme({
  defaultRadius: 'sm',
  fontFamily: 'var(--font)',
  components: {
    Modal: { defaultProps: { lockScroll: false } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true } } },
  },
});
