import { nodeProject } from '../jest.config.base.mjs';

/** A package of modules alone. */
const JOSE = {
  'node_modules/jose/.*\\.js$': ['@swc/jest', { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }],
};

export default {
  ...nodeProject,
  displayName: 'ingester',
  transform: { ...nodeProject.transform, ...JOSE },
  transformIgnorePatterns: ['/node_modules/(?!jose/)'],
};
