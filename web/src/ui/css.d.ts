// SPDX-License-Identifier: Apache-2.0
import 'react';

// Styles may set the variables of the style sheets.
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
