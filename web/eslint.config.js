// SPDX-License-Identifier: Apache-2.0
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/openapi.d.ts'] },
  ...tseslint.configs.strict,
  hooks.configs.flat['recommended-latest'],
  { rules: { '@typescript-eslint/no-non-null-assertion': 'off' } },
);
