// SPDX-License-Identifier: Apache-2.0
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const source = new URL('./src', import.meta.url).pathname;

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/openapi.d.ts'] },
  ...tseslint.configs.strict,
  hooks.configs.flat['recommended-latest'],
  { rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [
        createNodeResolver({ extensions: ['.ts', '.tsx', '.d.ts'], alias: { '@': [source] } }),
      ],
    },
    // Code that is loaded when first shown counts as well: nothing imports what shows it.
    rules: { 'import-x/no-cycle': ['error', { ignoreExternal: true }] },
  },
);
