import { appendFileSync, closeSync, existsSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import type { DiscoveredJob } from '../file-discovery.js';
import { ann, createWatched } from './testing/watched.js';

jest.setTimeout(3_600_000);

const runs = randomCases(25);
const STEP_MS = 100;
const BEGIN_MS = 1_795_241_000_000;

interface SharingJob {
  readonly id: string;
  /** When it really began, ended and wrote; Slurm tells whole seconds only. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly writeMs: readonly number[];
  readonly doesAppend: boolean;
  /** By default all are. */
  readonly isLogged?: boolean;
}

/** Jobs in a row: gaps between them, how long each runs, when it writes. */
function row(isSameSecondAllowed: boolean): fc.Arbitrary<SharingJob[]> {
  const one = fc.record({
    gapMs: fc.integer({ min: 4, max: 40 }),
    runMs: fc.integer({ min: 3, max: 90 }),
    writes: fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 8 }),
  });
  const each = fc.array(one, { minLength: 2, maxLength: 5 });
  // With fewer jobs than attempts, some jobs are requeued.
  return fc.tuple(fc.boolean(), each, fc.integer({ min: 1, max: 9 })).map(([doesAppend, attempts, jobCount]) => {
    let nowMs = BEGIN_MS;
    return attempts.map(({ gapMs, runMs, writes }, i) => {
      let sinceMs = nowMs + gapMs * STEP_MS;
      const isSameSecond = Math.floor(sinceMs / 1000) === Math.floor(nowMs / 1000);
      if (isSameSecond && doesAppend && !isSameSecondAllowed) sinceMs += 1000;
      nowMs = sinceMs + runMs * STEP_MS;
      const writeMs = [...new Set(writes.map((at) => sinceMs + (at % runMs) * STEP_MS))].sort((a, b) => a - b);
      return { id: String((i % jobCount) + 1), sinceMs, untilMs: nowMs, writeMs, doesAppend };
    });
  });
}

const second = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** squeue's answer, asked at `knownMs`, about all jobs that have begun. The attempts of a job have its id. */
function listJobs(all: readonly SharingJob[], path: string, knownMs: number, nowMs: number): DiscoveredJob[] {
  const open = new Set(all.filter((job) => knownMs < job.untilMs).map(({ id }) => id));
  const begun = new Map(all.filter(({ sinceMs }) => sinceMs <= knownMs).map((job) => [job.id, job] as const));
  return [...begun.values()].map(({ id, sinceMs, untilMs }) => {
    const hasEnded = untilMs <= knownMs;
    return {
      ...{ id, owner: ann, isEnded: !open.has(id) && nowMs >= second(untilMs) + 5000 },
      files: [{ path, stream: 'stdout' as const, isShared: [...open].some((other) => other !== id) }],
      writing: { sinceMs: second(sinceMs), knownMs, ...(hasEnded && { untilMs: second(untilMs) }) },
    };
  });
}

const linesOf = (jobs: readonly SharingJob[], id: string): string[] =>
  jobs.filter((job) => job.id === id).flatMap(({ writeMs }) => writeMs.map((ms) => `job ${id} at ${ms - BEGIN_MS}`));

const touch = (path: string, ms: number): void => utimesSync(path, ms / 1000, ms / 1000);

/** Plays a job at that time: opens its file as Slurm does, and prints. */
function write(
  { id, sinceMs, writeMs, doesAppend, isLogged }: SharingJob,
  path: string,
  nowMs: number,
  optInPath: string
): void {
  if (sinceMs === nowMs) {
    if (isLogged === false) rmSync(optInPath, { force: true });
    else writeFileSync(optInPath, '');
    const isChanged = !doesAppend || !existsSync(path);
    closeSync(openSync(path, doesAppend ? 'a' : 'w'));
    if (isChanged) touch(path, nowMs);
  }
  if (!writeMs.includes(nowMs)) return;
  appendFileSync(path, `job ${id} at ${nowMs - BEGIN_MS}\n`);
  touch(path, nowMs);
}

/** Lets the jobs run and be watched; squeue is asked every two seconds. `killMs`: when the watcher is killed. */
async function play(
  jobs: readonly SharingJob[],
  killMs: readonly number[] = [],
  before = ''
): Promise<Map<string, string[]>> {
  const watched = createWatched('', true);
  const path = watched.at('serial.log');
  watched.nowMs = BEGIN_MS;
  if (before !== '') {
    writeFileSync(path, before);
    touch(path, BEGIN_MS - 3_600_000);
  }
  const endMs = Math.max(...jobs.map(({ untilMs }) => untilMs)) + 12_000;
  let knownMs = 0;
  for (let nowMs = BEGIN_MS; nowMs <= endMs; nowMs += STEP_MS) {
    for (const each of jobs) write(each, path, nowMs, watched.optInPath);
    if (nowMs % 2000 === 0) knownMs = nowMs;
    if (killMs.includes(nowMs)) {
      watched.commit();
      watched.kill();
    }
    await watched.pass(STEP_MS, nowMs % 1000 === 500 ? listJobs(jobs, path, knownMs, nowMs) : undefined);
  }
  const ids = [...new Set(jobs.map(({ id }) => id))];
  const logs = new Map(ids.map((id) => [id, watched.log(id)]));
  await watched.close();
  return logs;
}

/** Seconds, and tenths of them, from the beginning on. */
const at = (seconds: number): number => BEGIN_MS + Math.round(seconds * 10) * STEP_MS;

function job(
  id: string,
  since: number,
  until: number,
  writes: readonly number[],
  more: Partial<SharingJob> = {}
): SharingJob {
  return { id, sinceMs: at(since), untilMs: at(until), writeMs: writes.map(at), doesAppend: true, ...more };
}

describe('jobs in a row that write to one file', () => {
  it('each get what they wrote, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(row(false), async (jobs) => {
        const logs = await play(jobs);
        for (const [id, log] of logs) expect([id, log]).toEqual([id, linesOf(jobs, id)]);
      }),
      { numRuns: runs }
    );
  });

  it('lose nothing and double nothing also within one second, and when the watcher is killed', async () => {
    const killMs = fc.array(
      fc.integer({ min: 5, max: 300 }).map((at) => BEGIN_MS + at * STEP_MS),
      { maxLength: 3 }
    );
    await fc.assert(
      fc.asyncProperty(row(true), killMs, async (all, kills) => {
        const jobs = all.map((job) => ({ ...job, doesAppend: true }));
        const logs = await play(jobs, kills);
        const written = [...logs.keys()].flatMap((id) => linesOf(jobs, id));
        expect([...logs.values()].flat().sort()).toEqual(written.sort());
      }),
      { numRuns: runs }
    );
  });

  it('keep their bounds over a restart', async () => {
    await fc.assert(
      fc.asyncProperty(row(false), async (jobs) => {
        // Within what a job has written, and before the next one begins.
        const kills = jobs.map(({ untilMs }) => untilMs - (untilMs % 100) - 2500);
        const isQuiet = (ms: number): boolean => jobs.some((job) => ms > job.sinceMs + 4500 && ms < job.untilMs - 2000);
        const logs = await play(jobs, kills.filter(isQuiet));
        for (const [id, log] of logs) expect([id, log]).toEqual([id, linesOf(jobs, id)]);
      }),
      { numRuns: runs }
    );
  });

  it.each([true, false])('begin behind what the file held before (append: %s)', async (doesAppend) => {
    // The first one is seen before it writes.
    const jobs = [job('1', 3, 12, [7, 11], { doesAppend }), job('2', 25, 30, [26], { doesAppend })];
    const logs = await play(jobs, [], 'of last week\n'.repeat(100));
    for (const [id, log] of logs) expect(log).toEqual(linesOf(jobs, id));
  });

  it('keep to themselves what a job wrote that is not logged', async () => {
    const jobs = [
      job('1', 3, 12, [4, 11]),
      job('2', 13, 25, [13.2, 20, 24.8], { isLogged: false }),
      job('3', 26, 36, [26.2, 30]),
      job('4', 36.5, 40, [37], { isLogged: false }),
      job('5', 41, 50, [41.5]),
    ];
    const logs = await play(jobs);
    for (const { id, isLogged } of jobs) expect(logs.get(id)).toEqual(isLogged === false ? [] : linesOf(jobs, id));
  });

  it('cannot be told apart while they run at the same time: the first gets all, and both logs say so', async () => {
    const jobs = [job('1', 3, 20, [4, 12, 19]), job('2', 6, 30, [7, 15, 25, 29]), job('3', 8, 12, [9])];
    const logs = await play(jobs);
    const lines = [...logs.values()].flat();
    const written = [...linesOf(jobs, '1'), ...linesOf(jobs, '2'), ...linesOf(jobs, '3')];
    expect(lines.filter((line) => line.startsWith('job')).sort()).toEqual(written.sort());
    const isNotice = (line: string): boolean => line.startsWith('[notice]');
    expect(logs.get('1')?.filter(isNotice)).toEqual([expect.stringMatching(/output of job [23] is in this log too/)]);
    for (const id of ['2', '3']) {
      const said = expect.stringContaining('the output of this job is in the log of job 1: both write to') as string;
      expect(logs.get(id)?.filter(isNotice)).toEqual([said]);
    }
    expect(logs.get('2')?.slice(1)).toEqual(['job 2 at 25000', 'job 2 at 29000']);
    expect(logs.get('3')).toHaveLength(1);
  });
});
