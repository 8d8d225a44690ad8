import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { createSettlingFollower } from './follow-log.js';

const bar = (line: string): LogLine => ({ job: '1', user: 'ann', timeNs: 1n, stream: 'stdout', kind: 'output', line });

describe('a log that is followed elsewhere than on a terminal', () => {
  const follow = (): { show: (text: string, atMs: number, isLast?: boolean) => Promise<readonly string[]> } => {
    const printed: string[] = [];
    const follower = createSettlingFollower((lines) => {
      printed.push(...lines.map(({ line }) => line));
      return Promise.resolve(true);
    });
    return {
      show: async (text, atMs, isLast = false) => {
        expect(await follower.show([bar(text)], atMs, isLast)).toBe(true);
        return printed.splice(0);
      },
    };
  };

  it('shows a line that changes only once it stays as it is, and again when it changes after that', async () => {
    const { show } = follow();
    expect(await show("bar (a.b) '10%'", 0)).toEqual([]);
    expect(await show("bar (a.b) '50%'", 1900)).toEqual([]);
    expect(await show("bar (a.b) '50%'", 3800)).toEqual([]);
    expect(await show("bar (a.b) '50%'", 3900)).toEqual(["bar (a.b) '50%'"]);
    expect(await show("bar (a.b) '50%'", 9900)).toEqual([]);
    expect(await show("bar (a.b) '75%'", 10_000)).toEqual([]);
    expect(await show("bar (a.b) '100%'", 11_000, true)).toEqual(["bar (a.b) '100%'"]);
  });
});
