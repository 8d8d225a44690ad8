/** One project a workspace; `test/` holds what crosses them. Slow suites (real servers, browser) raise their own timeouts. */
export default {
  // A machine that is busy with other things must not fail a test.
  testTimeout: 120_000,
  projects: ['core', 'ingester', 'plugin', 'standalone', 'test'].map((folder) => `<rootDir>/${folder}/jest.config.mjs`),
};
