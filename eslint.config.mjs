import fs from 'node:fs';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const services = fs.readdirSync(new URL('./services', import.meta.url));

/**
 * The layers of a service (ARCHITECTURE.md): imports point one way,
 * main → service → http | rpc | consumers | workers → use-cases → domain, storage.
 */
const mayNotImport = {
  http: ['rpc', 'consumers', 'workers', 'service', 'main'],
  rpc: ['http', 'consumers', 'workers', 'service', 'main'],
  consumers: ['http', 'rpc', 'workers', 'service', 'main'],
  workers: ['http', 'rpc', 'consumers', 'service', 'main'],
  'use-cases': ['http', 'rpc', 'consumers', 'workers', 'service', 'main'],
  storage: ['http', 'rpc', 'consumers', 'workers', 'use-cases', 'service', 'main'],
  domain: [
    'http',
    'rpc',
    'consumers',
    'workers',
    'use-cases',
    'storage',
    'adapters',
    'generated',
    'config',
    'service',
    'main',
  ],
};
const layerPattern = (layer) =>
  layer === 'service' || layer === 'main' || layer === 'config'
    ? `(^|/)${layer}[.]js$`
    : `(^|/)[.]{1,2}/(.*/)?${layer}/`;

const otherServices = services.map((name) => ({
  group: [`@trunkline/${name}`, `@trunkline/${name}/*`, `**/services/${name}/**`],
  message: 'No service imports another: ask it over RPC (packages/rpc) or listen to its events.',
}));

const layers = Object.entries(mayNotImport).map(([layer, forbidden]) => ({
  files: [`services/*/src/${layer}/**/*.ts`],
  ignores: ['**/*.test.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          ...otherServices,
          ...forbidden.map((name) => ({
            regex: layerPattern(name),
            message: `${layer}/ may not import ${name}: imports point one way (ARCHITECTURE.md).`,
          })),
          ...(layer === 'domain'
            ? [
                {
                  regex: '^(node:|@prisma|express|pg$|undici|@trunkline/(?!errors$|phone$|contracts$))',
                  message: 'domain/ is pure.',
                },
              ]
            : []),
        ],
      },
    ],
  },
}));

const domainIsPure = {
  files: ['services/*/src/domain/**/*.ts'],
  ignores: ['**/*.test.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      { selector: 'AwaitExpression', message: 'domain/ is pure: no await.' },
      {
        selector: "NewExpression[callee.name='Date'][arguments.length=0]",
        message: 'Take the time as an argument.',
      },
      {
        selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
        message: 'Take the time as an argument.',
      },
      {
        selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
        message: 'Take randomness as an argument.',
      },
      { selector: "MemberExpression[object.name='process']", message: 'Take configuration as an argument.' },
    ],
  },
};

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', '**/node_modules/**', '.data/**', 'coverage/**'] },
  ...tseslint.configs.recommended,
  {
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    files: ['services/*/{src,test}/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: otherServices }] },
  },
  {
    files: ['packages/*/src/**/*.ts'],
    ignores: ['packages/embedded/**'],
    rules: { 'no-restricted-imports': ['error', { patterns: otherServices }] },
  },
  ...layers,
  domainIsPure,
  {
    files: [
      '**/*.test.ts',
      'packages/testing/**',
      'tools/**',
      'packages/cli/**',
      'packages/embedded/**',
      'bench/**',
      'e2e/**',
    ],
    rules: { 'no-console': 'off' },
  },
  prettier,
);
