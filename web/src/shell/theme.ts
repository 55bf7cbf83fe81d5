// SPDX-License-Identifier: Apache-2.0
import { createTheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

// Colours and fonts are in styles/tokens.css. Components are named, not imported: the first page needs few of them.
export const theme = createTheme({
  defaultRadius: 'sm',
  fontFamily: 'var(--font)',
  components: {
    Modal: { defaultProps: { lockScroll: false } },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true } } },
  },
});

// The theme that is not shown, and what changes to it.
export function useOtherTheme() {
  // Without that it would add a <style>, which the policy of the page forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return { other, change: () => setColorScheme(other) };
}
