// SPDX-License-Identifier: Apache-2.0
import { createTheme, Modal, Tooltip } from '@mantine/core';

// Colours and fonts are in styles/tokens.css.
export const theme = createTheme({
  defaultRadius: 'sm',
  fontFamily: 'var(--font)',
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false } }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: true } },
    }),
  },
});
