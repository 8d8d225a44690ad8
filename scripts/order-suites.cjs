// The order of suites (jest's option --testSequencer): first those that start real components. They wait more than they compute, so
// the others fill the time beside them; at the end they would be waited for.
const { readFileSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/** How a suite says that it needs components (test/components.ts). */
const STARTS_COMPONENTS = /\bdescribeWith\(/;

module.exports = class extends Sequencer {
  sort(tests) {
    const isSlow = (path) => STARTS_COMPONENTS.test(readFileSync(path, 'utf8'));
    const sorted = super.sort(tests).map((test) => ({ test, turn: isSlow(test.path) ? 0 : 1 }));
    return sorted.sort((a, b) => a.turn - b.turn).map(({ test }) => test);
  }
};
