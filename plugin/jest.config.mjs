import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { nodeProject } from '../jest.config.base.mjs';

const nodeModules = new URL('../node_modules/', import.meta.url);

function readPackageNames() {
  const names = readdirSync(nodeModules).filter((name) => !name.startsWith('.'));
  const scopes = names.filter((name) => name.startsWith('@'));
  const scoped = scopes.flatMap((scope) =>
    readdirSync(new URL(`${scope}/`, nodeModules)).map((name) => `${scope}/${name}`)
  );
  return [...names.filter((name) => !name.startsWith('@')), ...scoped];
}

/** Packages that jest cannot require as they are. */
function isEsModule(name) {
  const file = new URL(`${name}/package.json`, nodeModules);
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).type === 'module';
}

const esModules = readPackageNames().filter((name) => !name.startsWith('@joblens/') && isEsModule(name));

export default {
  ...nodeProject,
  displayName: 'plugin',
  testEnvironment: '<rootDir>/.config/jest/environment.cjs',
  testMatch: ['**/*.test.ts', '**/*.test.tsx'],
  transform: {
    '^.+\\.(?:[cm]?js|tsx?)$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          target: 'es2022',
          transform: { react: { runtime: 'classic' } },
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/node_modules/)?(?:${esModules.join('|')})/)`],
  moduleNameMapper: {
    ...nodeProject.moduleNameMapper,
    '\\.(css|svg)$': '<rootDir>/.config/jest/emptyModule.cjs',
    '^react-inlinesvg$': '<rootDir>/.config/jest/inlineSvg.cjs',
  },
  setupFiles: [...nodeProject.setupFiles, '<rootDir>/.config/jest/setup.cjs'],
};
