import { endArgs, parseEnds } from './parse-end.js';

const [MB, GB] = [2 ** 20, 2 ** 30];

/** Lines of sacct; steps run from 100 to 200 unless they say more. */
const job = (id: string, state: string, reqMem = '', nodes = 1): string =>
  [id, state, '', '', reqMem, nodes, 100, 200].join('\x1f');
const step = (id: string, task: string, total: string, nodes = 1, start = 100, end: number | string = 200): string =>
  [id, 'COMPLETED', task, total === '' ? '' : `cpu=00:00:01,mem=${total},vmem=9G`, '', nodes, start, end].join('\x1f');
const usedBytes = (...lines: string[]): number | undefined => parseEnds(lines.join('\n')).get(7)?.usedBytes;

describe('the end of a job in accounting', () => {
  it('has the memory that it used and asked for, and who cancelled it', () => {
    const text = [
      ...[job('7', 'OUT_OF_MEMORY', '12G'), step('7.batch', '12.50G', '12.50G')],
      ...[job('8', 'CANCELLED by 1001', '8G', 2), job('9', 'FAILED', '4Gn', 2), job('10', 'FAILED', '2Gc'), ''],
    ].join('\n');
    expect([...parseEnds(text)]).toEqual([
      [7, { usedBytes: 12.5 * GB, requestedBytes: 12 * GB }],
      [8, { cancelledByUid: 1001, requestedBytes: 4 * GB }],
      [9, { requestedBytes: 4 * GB }],
      [10, {}],
    ]);
  });

  it.each([
    ['all tasks of a step', 256, [step('7.batch', '4M', '4M', 1, 90, 99), step('7.0', '64M', '256M')]],
    [
      'the steps that ran beside each other',
      96,
      [step('7.0', '64M', '64M', 1, 100, 150), step('7.1', '32M', '32M', 1, 149)],
    ],
    [
      'the larger of two steps in turn',
      64,
      [step('7.0', '64M', '64M', 1, 100, 150), step('7.1', '32M', '32M', 1, 150)],
    ],
    ['a step within a second', 64, [step('7.0', '64M', '64M', 1, 100, 100)]],
    ['a step that still runs', 65, [step('7.batch', '1M', '1M', 1, 100, 'Unknown'), step('7.0', '64M', '64M')]],
    ['a step without the sum of its tasks', 12, [step('7.0', '12M', '')]],
  ])('adds the memory of %s', (_, megabytes, steps) => {
    expect(usedBytes(job('7', 'COMPLETED'), ...steps)).toBe(megabytes * MB);
  });

  it('takes the memory of several nodes as spread evenly, but a task is on one', () => {
    const several = job('7', 'COMPLETED', '8G', 2);
    expect(usedBytes(several, step('7.0', '64M', '256M', 2))).toBe(128 * MB);
    expect(usedBytes(several, step('7.0', '64M', '64M'), step('7.1', '64M', '64M'))).toBe(64 * MB);
    expect(usedBytes(several, step('7.0', '200M', '256M', 2))).toBe(200 * MB);
  });

  it('has no memory of steps that ended before they were sampled', () => {
    expect(parseEnds([job('7', 'FAILED'), step('7.batch', '0', '0')].join('\n')).get(7)).toEqual({});
  });

  it('is asked for with all jobs at once', () => {
    expect(endArgs([7, 8])).toContain('--jobs=7,8');
  });
});
