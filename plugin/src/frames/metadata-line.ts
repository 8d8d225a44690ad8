import type { LineCondition } from './severity.js';

/**
 * For the store (RE2) and for this page: a line that is no JSON object from its first to its last character. Both read
 * it alike, since what one of them shows, the other counts.
 */
const NO_OBJECT = '^[ \\t]*(?:[^ \\t{]|$)|^[ \\t]*\\{[ \\t]*(?:[^ \\t"]|$)|[^ \\t}][ \\t]*$';
const MATCHER = new RegExp(NO_OBJECT);

/** Lines beside the metadata, which the graph and the table show. */
export const NO_METADATA: LineCondition = { source: NO_OBJECT, isMatch: (line) => MATCHER.test(line) };
