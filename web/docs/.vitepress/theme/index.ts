// SPDX-License-Identifier: Apache-2.0
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import '../../../src/styles/tokens.css';
import './style.css';
import Inspector from './Inspector.vue';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Inspector', Inspector);
  },
} satisfies Theme;
