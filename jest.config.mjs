/** One project a workspace; `test/` holds what crosses them. Slow suites (real servers, browser) raise their own timeouts. */
export default {
  projects: ['core', 'ingester', 'plugin', 'standalone', 'test'].map((folder) => `<rootDir>/${folder}/jest.config.mjs`),
};
