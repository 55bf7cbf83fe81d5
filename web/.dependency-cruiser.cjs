// SPDX-License-Identifier: Apache-2.0
// No module of the app imports what leads back to it. Code that is loaded when first shown counts as
// well; imports of types alone do not, as nothing of them is left.
module.exports = {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
  },
};
