import { nodeProject } from '../jest.config.base.mjs';

/** Packages of modules alone, which the commands read. */
const MODULES = 'hyparquet|hyparquet-writer|jose';

export default {
  ...nodeProject,
  displayName: 'test',
  transform: {
    ...nodeProject.transform,
    [`node_modules/(?:${MODULES})/.*\\.js$`]: [
      '@swc/jest',
      { jsc: { target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${MODULES})/)`],
};
