import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Settings of all Node projects: TypeScript by swc, and workspace packages from their sources, so that tests need no build. */
export const nodeProject = {
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  globalSetup: `${root}test/run-folder.mjs`,
  globalTeardown: `${root}test/run-folder-teardown.mjs`,
  setupFiles: [`${root}test/random-cases.ts`],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript', tsx: true }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: {
    '^@joblens/core/(.*)$': `${root}core/src/$1.ts`,
    '^@joblens/ingester/(http-access|rows-header)$': `${root}ingester/src/net/$1.ts`,
    '^@joblens/ingester/row-jobs$': `${root}ingester/src/row-jobs/row-jobs.ts`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};
