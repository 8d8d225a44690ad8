import { createClaimPoint, formatFileClaim, parseFileClaim } from './file-claim.js';

const CLAIM = { kind: 'claim', id: 'a1', file: 'b2', host: 'node-1.(x)' } as const;

describe('the claim of a file', () => {
  it.each([
    [CLAIM, 'claim a1 b2 node-1.(x)'],
    [{ ...CLAIM, kind: 'watch' } as const, 'watch a1 b2 node-1.(x)'],
    [{ ...CLAIM, kind: 'left', host: '' } as const, 'left a1 b2 '],
  ])('is %j as text', (claim, text) => {
    expect(formatFileClaim(claim)).toBe(text);
    expect(parseFileClaim(text)).toEqual(claim);
  });

  it.each(['', 'watch', 'watch a1', 'watch a1 b2', 'watch  b2 h', 'run b2 c3 h', 'watch a1 b2 h i'])(
    'is unknown where the text is %j',
    (text) => {
      expect(parseFileClaim(text)).toBeUndefined();
    }
  );

  it('overwrites no other: not of another job, file, watch or time', () => {
    const source = { job: "a-b.(1) 'x'", user: 'ann' };
    const times = [
      createClaimPoint(source, CLAIM, 1000),
      createClaimPoint({ ...source, job: 'b' }, CLAIM, 1000),
      createClaimPoint(source, { ...CLAIM, file: 'c3' }, 1000),
      createClaimPoint(source, { ...CLAIM, id: 'a2' }, 1000),
      createClaimPoint(source, CLAIM, 1001),
    ].map(({ timeNs }) => timeNs);
    expect(new Set(times).size).toBe(times.length);
    expect(times.every((timeNs) => timeNs >= 1_000_000_000n && timeNs < 1_002_000_000n)).toBe(true);
  });
});
