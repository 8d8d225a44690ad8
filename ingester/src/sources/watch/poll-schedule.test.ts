import { setImmediate } from 'node:timers/promises';
import { PollSchedule } from './poll-schedule.js';
import { createEntry, EntryBook } from './watched-entries.js';

const PATH = '/jobs/long.out';

/** A schedule of one file, which always has more to read; `polls` counts all polls, and those that ran at a time. */
function createSchedule(): { readonly schedule: PollSchedule; readonly polls: { all: number; most: number } } {
  const file = { path: PATH, stream: 'stdout' } as const;
  const entries = new EntryBook();
  entries.add(createEntry({ id: 'long', files: [file] }, file, 0));
  const polls = { all: 0, most: 0 };
  let runningPolls = 0;
  const poll = async (): Promise<number> => {
    polls.all += 1;
    runningPolls += 1;
    polls.most = Math.max(polls.most, runningPolls);
    await setImmediate();
    runningPolls -= 1;
    return 0;
  };
  return { schedule: new PollSchedule({ entries, poll, clock: { monotonicMs: () => 0 }, random: () => 0 }), polls };
}

describe('the schedule of polls', () => {
  it('polls a file with more to read again and again', async () => {
    const { schedule, polls } = createSchedule();
    schedule.startDue();
    while (polls.all < 3) await setImmediate();
    await schedule.finish();
    expect(polls.most).toBe(1);
  });

  it('never polls a file twice at a time, also when it ends during a poll', async () => {
    const { schedule, polls } = createSchedule();
    schedule.startDue();
    await schedule.finish();
    expect(polls).toEqual({ all: 2, most: 1 });
  });

  it('polls each file when it is due, also one that is hurried or whose time was far away', async () => {
    const entries = new EntryBook();
    const names = ['soon (1)', 'far "2"', 'hurried -3'];
    const all = names.map((path) => {
      const entry = createEntry({ id: path, files: [] }, { path, stream: 'stdout' }, 0);
      entries.add(entry);
      return entry;
    });
    const [soon, far, hurried] = all;
    if (soon === undefined || far === undefined || hurried === undefined) throw new Error('there are three');
    [soon.nextMs, far.nextMs, hurried.nextMs] = [500, 5000, 60_000];
    const polls: string[] = [];
    let nowMs = 0;
    const poll = ({ path }: { readonly path: string }): Promise<number> => Promise.resolve(polls.push(path) && 600);
    const schedule = new PollSchedule({ entries, poll, clock: { monotonicMs: () => nowMs }, random: () => 0 });
    const passTo = async (ms: number): Promise<string[]> => {
      nowMs = ms;
      schedule.startDue();
      await schedule.untilIdle();
      return polls.splice(0);
    };
    expect(await passTo(0)).toEqual([]);
    expect(await passTo(500)).toEqual([soon.path]);
    entries.hurry(hurried, 600);
    expect(await passTo(700)).toEqual([hurried.path]);
    expect(await passTo(1100)).toEqual([soon.path]);
    expect(await passTo(1300)).toEqual([hurried.path]);
    expect(new Set(await passTo(5000))).toEqual(new Set(names));
  });
});
