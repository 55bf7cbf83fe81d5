// SPDX-License-Identifier: Apache-2.0
import hooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/openapi.d.ts'] },
  ...tseslint.configs.strict,
  hooks.configs.flat['recommended-latest'],
  {
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[property.name='waitForTimeout']",
          message:
            'A test waits for a condition (waitForFunction, waitForSelector), not for a time.',
        },
      ],
    },
  },
  {
    // Every table can be saved.
    files: ['src/**/*.tsx'],
    ignores: ['src/ui/PlainTable.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXOpeningElement[name.name='table']",
          message: 'A table is a DataGrid or a PlainTable: it has CSV and JSON.',
        },
      ],
    },
  },
  {
    // What a value is, is checked by a guard, or known to the compiler: no cast says so.
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/**/*.test.{ts,tsx}'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: { '@typescript-eslint/no-unsafe-type-assertion': 'error' },
  },
);
