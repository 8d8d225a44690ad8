// The order of suites (jest's option --testSequencer): first those that start real components. They wait more than they compute, so
// the others fill the time beside them; at the end they would be waited for. Then those that compute for long: at the end, one of them
// would leave the other processors without work.
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/** How a suite says that it needs components (test/components.ts). */
const STARTS_COMPONENTS = /\bdescribeWith\b/;
/** How a suite asks for many cases (test/random-cases.ts, fast-check). */
const TRIES_RANDOM_CASES = /\brandomCases\(|\bfc\.assert\(/;

/** @param {string} path */
function findTurn(path) {
  const suite = readFileSync(path, 'utf8');
  if (STARTS_COMPONENTS.test(suite)) return 0;
  return TRIES_RANDOM_CASES.test(suite) ? 1 : 2;
}

module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests).map((test) => ({ test, turn: findTurn(test.path) }));
    return sorted.sort((a, b) => a.turn - b.turn).map(({ test }) => test);
  }
};
