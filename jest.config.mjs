/** Tests run from TypeScript source: nothing has to be built first. */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: {
    customExportConditions: ['@trunkline/source', 'node', 'node-addons', 'require', 'default'],
  },
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/e2e', '<rootDir>/tools'],
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
  moduleNameMapper: { '^([.]{1,2}/.*)[.]js$': '$1' },
  transform: {
    '^.+[.]ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
  globalSetup: '<rootDir>/tools/jest/global-setup.ts',
  globalTeardown: '<rootDir>/tools/jest/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/tools/jest/after-env.ts'],
  testTimeout: 30_000,
};
