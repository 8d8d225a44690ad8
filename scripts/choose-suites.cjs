// Which suites of jest run in this turn (run-jest.mjs); jest's option --filter.
const { readFileSync } = require('node:fs');
const { env } = require('node:process');

/** At the begin of a line of a suite, followed by the reason. */
const MARK = /^\/\/ Runs alone: \S/m;

/** @param {string[]} paths */
module.exports = (paths) => {
  if (env.JOBLENS_SUITES === 'again') return { filtered: paths };
  const isAloneWanted = env.JOBLENS_SUITES === 'alone';
  return { filtered: paths.filter((path) => MARK.test(readFileSync(path, 'utf8')) === isAloneWanted) };
};
