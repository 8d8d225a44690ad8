/** One project per workspace; `test/` holds what crosses them. Slow suites (real servers, browser) raise their timeouts. */
export default {
  // A busy machine must not fail a test.
  testTimeout: 300_000,
  projects: ['client', 'core', 'ingester', 'plugin', 'standalone', 'test'].map(
    (folder) => `<rootDir>/${folder}/jest.config.mjs`
  ),
};
