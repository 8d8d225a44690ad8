import { nodeProject } from '../jest.config.base.mjs';

export default {
  ...nodeProject,
  displayName: 'ingester',
  globalSetup: '<rootDir>/../test/run-folder.mjs',
  globalTeardown: '<rootDir>/../test/run-folder-teardown.mjs',
};
