import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { plainComments } from './scripts/plain-comments.mjs';

/** What each folder may import (ARCHITECTURE.md, "The parts"). */
function layer(folder, forbidden, message) {
  return {
    files: [`${folder}/src/**/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: forbidden, message }] }] },
  };
}

/**
 * The files that may read the wall clock, which anyone may set: for times that are stored or shown, and to compare with
 * such times. Intervals and deadlines are kept by `Clock.monotonicMs`.
 */
const INGESTER_WALL_TIME_FILES = [
  'clock/{clock,steady-time}.ts',
  'host/report.ts',
  'main.ts',
  // The name of a job in a plain shell.
  'config/job-identity.ts',
  // The slots of heartbeats and standstills, and when jobs started and ended.
  'rules/{told/heartbeat-log,job-log-parts,told/standstill-log}.ts',
  'sources/run/run.ts',
  'usage/usage-sampler.ts',
  // Compared with the times of files.
  'peers/{command-file,open-peers}.ts',
  'sources/watch/{entry-loggers,entry-poller,files/file-follower,files/tracked-file,watched-file,watcher}.ts',
  'sources/writers/{file-claims,other-loggers,own-outputs}.ts',
  // Compared with the times of points.
  'row-jobs/row-job.ts',
  // Compared with Slurm's times.
  'sources/slurm/{followed-job,node-usage,slurm-discovery}.ts',
  // Compared with a server's times.
  'operate/check-server.ts',
  'operate/check-site.ts',
  'sinks/influxdb/read-answer.ts',
  // The times of tokens, of audit lines and of now() in queries.
  'gateway/{change-tokens,gateway,gateway-server,signed-identity,user-tokens}.ts',
  // The range of a question.
  'cli/complete-values.ts',
  'read-back/*/*.ts',
];

/** The same for the page and its server. */
const PAGE_WALL_TIME_FILES = [
  // Times of questions, and what is compared with stored times.
  'plugin/src/datasource/{ad-hoc,datasource}.ts',
  'plugin/src/panel/{EmptyView,cause,job-cases}.{ts,tsx}',
  'plugin/src/query-types/*/{analytics,compare,compare-frames,diff,failures,groups,job-marks,job-ranges,jobs,last-points,lost-jobs,run-groups,sort-parts,spans,why}.{ts,tsx}',
  'plugin/src/store/health.ts',
  'plugin/src/views/gantt/hooks/use-present.ts',
  'standalone/src/store/http/{http-api,made-rows}.ts',
  // The times of demo jobs.
  'standalone/src/{main,start}.ts',
];

const WALL_TIME_FILES = [...INGESTER_WALL_TIME_FILES.map((file) => `ingester/src/${file}`), ...PAGE_WALL_TIME_FILES];

const TAKE_MONOTONIC = 'The wall clock may be set: take monotonicMs, or name the file in WALL_TIME_FILES.';

/** `#name` is private when the program runs, too. */
const WRITE_HASH_NAME = {
  selector:
    ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"], TSParameterProperty)[accessibility="private"]',
  message: 'Write #name.',
};

/** `new Date()` and `Date()` read the wall clock, too. */
const READ_NO_DATE = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: TAKE_MONOTONIC },
  { selector: 'CallExpression[callee.name="Date"]', message: TAKE_MONOTONIC },
];

export default tseslint.config(
  // AssemblyScript has a compiler of its own (ingester/assembly/build.mjs).
  {
    ignores: ['**/dist/', '**/node_modules/', '**/.cache/', 'plugin/.config/', '**/coverage/', 'ingester/assembly/*/'],
  },
  js.configs.recommended,
  {
    plugins: { joblens: { rules: { 'plain-comments': plainComments } } },
    rules: { 'no-duplicate-imports': 'error', 'joblens/plain-comments': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // One import a module: `import { type A, b }`, and `import type { A }` where nothing is needed when the program runs.
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `const { part, ...rest } = row` leaves one out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Prettier does not wrap comments.
      'max-len': ['error', { code: 1000, comments: 120, ignoreUrls: true }],
      'no-restricted-syntax': ['error', WRITE_HASH_NAME],
      complexity: ['error', 14],
      'max-depth': ['error', 4],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.tsx'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    // One bundle for Grafana 9.5 to 13 has to use what 9.5 has; a test compares the names with the published packages.
    files: ['plugin/**/*.{ts,tsx}'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', Buffer: 'readonly' } },
  },
  {
    files: ['{client,core,ingester,standalone}/src/**/*.ts'],
    ignores: ['**/main.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Only main.ts touches process: take it as an argument.' },
      ],
    },
  },
  {
    files: ['{client,core}/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'core and client have no clock: take the time as an argument.' },
        { object: 'Math', property: 'random', message: 'core and client have no randomness: take it as an argument.' },
      ],
    },
  },
  {
    files: ['{ingester,plugin,standalone}/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/testing/**', ...WALL_TIME_FILES],
    rules: {
      'no-restricted-properties': [
        'error',
        ...[{ property: 'nowMs' }, { object: 'Date', property: 'now' }].map((place) => ({
          ...place,
          message: TAKE_MONOTONIC,
        })),
      ],
    },
  },
  {
    files: ['{client,core,ingester,plugin,standalone}/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', WRITE_HASH_NAME, ...READ_NO_DATE] },
  },
  {
    // What people print, name and type takes time in proportion to its length. Where a bound does it, say which one.
    files: ['{client,core,ingester,plugin,standalone}/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/testing/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': 'error',
    },
  },
  layer('client', ['node:*', '@joblens/*', '@grafana/*'], 'The client is pure and imports nothing.'),
  layer('core', ['node:*', '@joblens/*', '@grafana/*'], 'core is pure and imports nothing.'),
  layer('ingester', ['@grafana/*', '@joblens/standalone'], 'The ingester may import core only.'),
  layer(
    'plugin',
    ['node:*', '@joblens/ingester', '@joblens/standalone'],
    'The plugin may import core and @grafana/* only.'
  )
);
