import { findLeastShare, foldNodeFailures, type NodeJob } from './node-failures.js';

const jobs = (node: string, failed: number, total: number, reason = 'node failure (1)'): NodeJob[] =>
  Array.from({ length: total }, (_, at) => ({
    ...{ node, isFailed: at < failed, endedMs: 1000 + at },
    ...(at < failed && { reason }),
  }));

describe('nodes on which failures add up', () => {
  it('are in the order of what is to be reckoned with at least: one of one does not come first', () => {
    const nodes = foldNodeFailures([
      ...jobs('n-once', 1, 1),
      ...jobs('n (bad)', 9, 12),
      ...jobs('n.busy', 12, 400),
      ...jobs('n-good', 0, 50),
    ]);
    expect(nodes.map(({ node, failures, jobs: all }) => [node, failures, all])).toEqual([
      ['n (bad)', 9, 12],
      ['n-once', 1, 1],
      ['n.busy', 12, 400],
    ]);
    expect(nodes[0]).toMatchObject({ share: 0.75, lastMs: 1008, reason: 'node failure (1)' });
  });

  it('say the most frequent reason, whatever its numbers are, in the words of the newest', () => {
    const [node] = foldNodeFailures([
      { node: 'a', isFailed: true, endedMs: 3, reason: 'disk full' },
      { node: 'a', isFailed: true, endedMs: 1, reason: 'ECC error 17' },
      { node: 'a', isFailed: true, endedMs: 2, reason: 'ECC error 18' },
      { node: 'a', isFailed: true, endedMs: undefined },
    ]);
    expect(node?.reason).toBe('ECC error 18');
  });

  it('have the lower end of the interval that Wilson gave', () => {
    // Wilson (1927) and Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20.
    expect(findLeastShare(81, 263)).toBeCloseTo(0.2553, 4);
    expect(findLeastShare(15, 148)).toBeCloseTo(0.0624, 4);
    expect(findLeastShare(0, 20)).toBe(0);
    expect(findLeastShare(1, 1)).toBeCloseTo(0.2065, 4);
    expect(findLeastShare(0, 0)).toBe(0);
  });
});
