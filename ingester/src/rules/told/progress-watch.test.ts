import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { ProgressWatch } from './progress-watch.js';

const RECORDINGS = join(__dirname, '..', '..', 'render', 'testing', 'recordings');
const DURATION_MS = 600_000;
const CHUNKS = 400;

interface Told {
  /** How much of the recording was printed then, 0 to 1. */
  readonly share: number;
  readonly progress: number;
  readonly remainingS: number;
}

/** Prints a recording at an even pace, and returns what is told of the progress in its course. */
async function play(name: string): Promise<readonly Told[]> {
  const output = readFileSync(join(RECORDINGS, `${name}.raw`));
  const test = createPipelineUnderTest();
  test.pipeline.describe({ state: 'RUNNING', startedMs: test.clock.nowMs() });
  const told: Told[] = [];
  for (let i = 0; i < CHUNKS; i += 1) {
    const [from, to] = [i, i + 1].map((at) => Math.round((at * output.length) / CHUNKS));
    await test.write('stdout', output.subarray(from, to));
    test.pipeline.commit();
    await test.clock.advance(DURATION_MS / CHUNKS);
    const point = test.stored().find(({ measurement, fields }) => measurement === 'job' && fields.has('progress'));
    const [progress, remainingS] = [point?.fields.get('progress'), point?.fields.get('remaining_s')];
    if (typeof progress !== 'number' || typeof remainingS !== 'number') continue;
    told.push({ share: (i + 1) / CHUNKS, progress, remainingS });
  }
  test.end();
  return told;
}

describe('the progress of what real programs printed', () => {
  it.each(['tqdm-one-bar', 'tqdm-nested', 'keras-progbar'])('is told of %s', async (name) => {
    const told = (await play(name)).filter(({ share, progress }) => share >= 0.5 && progress < 1);
    expect(told.length).toBeGreaterThan(0.3 * CHUNKS);
    const known = told.filter(({ remainingS }) => remainingS >= 0);
    expect(known.length).toBeGreaterThan(0.8 * told.length);
    // The point is as old as 10 s; the whole is 600 s.
    const errors = known.map(({ share, remainingS }) => Math.abs(share + (1000 * remainingS) / DURATION_MS - 1));
    expect(Math.max(...errors)).toBeLessThan(0.2);
  });

  it('is not told of bars that run side by side', async () => {
    expect(await play('rich-progress')).toEqual([]);
  });
});

describe('a bar that begins again', () => {
  const play = (label: string, rounds: number): readonly number[] => {
    let nowMs = 0;
    const told: number[] = [];
    const watch = new ProgressWatch({ steadyMs: () => nowMs, onEstimate: ({ progress }) => told.push(progress) });
    for (let at = 0; at < rounds * 20; at += 1) {
      nowMs += 1000;
      const done = at % 20;
      const text = `${label}${String(5 * done)}%|███       | ${String(done)}/20 [00:12<00:15,  1.00it/s]\n`;
      watch.noteLines(Buffer.from(text), true);
    }
    return told;
  };

  it('is withdrawn, once', () => {
    const told = play('', 3);
    expect(told.filter((progress) => progress === -1)).toEqual([-1]);
    expect(told.at(-1)).toBe(-1);
    expect(told.at(-2)).toBeCloseTo(0.95);
  });

  it('is not told at all where it is that of an epoch', () => {
    expect(play('Epoch 0: ', 1)).toEqual([]);
  });
});

describe('the last steps of a job that prints many lines at once', () => {
  const print = (from: number, to: number): Buffer =>
    Buffer.from(Array.from({ length: to - from }, (_, i) => `step ${from + i + 1}/3000 loss=0.5\n`).join(''));
  const start = async (): Promise<PipelineUnderTest> => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ state: 'RUNNING', startedMs: test.clock.nowMs() });
    await test.write('stdout', print(0, 1000));
    await test.clock.advance(50);
    await test.write('stdout', print(1000, 3000));
    return test;
  };
  const findProgress = (test: PipelineUnderTest): unknown =>
    test
      .stored()
      .findLast(({ measurement, fields }) => measurement === 'job' && fields.has('progress'))
      ?.fields.get('progress');

  it('are told when the job ends', async () => {
    const test = await start();
    test.end();
    expect(findProgress(test)).toBe(1);
  });

  it('are in the state for the next process when this one ends', () => {
    const watch = new ProgressWatch({ steadyMs: () => 1000, onEstimate: () => undefined });
    watch.noteLines(Buffer.from(print(1, 32)), true);
    expect(watch.state?.tracks.map(({ fraction }) => fraction)).toEqual([32 / 3000]);
    watch.noteLines(Buffer.from('epoch 2/5\n'), true);
    watch.writeDue(true);
    expect(watch.state?.tracks.map(({ label }) => label)).toContain('epoch');
  });

  it('are told in time when the job prints no more', async () => {
    const test = await start();
    for (let i = 0; i < 30; i += 1) {
      await test.clock.advance(500);
      test.pipeline.commit();
    }
    expect(findProgress(test)).toBe(1);
  });
});
