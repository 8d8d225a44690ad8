import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** What each folder may import (ARCHITECTURE.md, "The parts"). */
function layer(folder, forbidden, message) {
  return {
    files: [`${folder}/src/**/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group: forbidden, message }] }] },
  };
}

export default tseslint.config(
  // AssemblyScript has a compiler of its own (ingester/assembly/build.mjs).
  {
    ignores: ['**/dist/', '**/node_modules/', '**/.cache/', 'plugin/.config/', '**/coverage/', 'ingester/assembly/*/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `const { part, ...rest } = row` leaves one out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Prettier does not wrap comments.
      'max-len': ['error', { code: 1000, comments: 120, ignoreUrls: true }],
      // `#name` is private when the program runs, too.
      'no-restricted-syntax': [
        'error',
        {
          selector:
            ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"], TSParameterProperty)[accessibility="private"]',
          message: 'Write #name.',
        },
      ],
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
    files: ['{core,ingester,standalone}/src/**/*.ts'],
    ignores: ['**/main.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Only main.ts touches process: take it as an argument.' },
      ],
    },
  },
  {
    files: ['core/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'core has no clock: take the time as an argument.' },
        { object: 'Math', property: 'random', message: 'core has no randomness: take it as an argument.' },
      ],
    },
  },
  layer('core', ['node:*', '@joblens/*', '@grafana/*'], 'core is pure and imports nothing.'),
  layer('ingester', ['@grafana/*', '@joblens/standalone'], 'The ingester may import core only.'),
  layer(
    'plugin',
    ['node:*', '@joblens/ingester', '@joblens/standalone'],
    'The plugin may import core and @grafana/* only.'
  )
);
