import { accountingArgs, createDelimiter, parseAccounting } from './parse-accounting.js';
import { readRecording } from './testing/recordings.js';

/** That of the recording. */
const DELIMITER = '\x1f';
const REQUEST = 'billing=8,cpu=8,gres/gpu:a100=2,gres/gpu=2,mem=8G,node=2';

describe('parseAccounting', () => {
  const attempts = parseAccounting(readRecording('sacct-22.05'), DELIMITER);

  it.each([
    ['21', { state: 'TIMEOUT', startedMs: 1795241845000, endedMs: 1795241918000, name: 'limit' }],
    ['22', { state: 'FAILED', exitCode: 7, name: 'fail 7', uid: 0, user: 'root', workdir: '/home/ann/jobs' }],
    ['23', { state: 'CANCELLED' }],
    ['25_1', { rawId: 32, state: 'COMPLETED', exitCode: 0, stdoutPaths: ['/home/ann/jobs/slurm-25_1.out'] }],
    ['28', { state: 'CANCELLED', nodeList: '' }],
    ['30', { state: 'RUNNING', user: 'ann', uid: 1001 }],
  ])('reads of job %s: %j', (id, part) => {
    expect(attempts.find((attempt) => attempt.id === id)).toMatchObject(part);
  });

  it('tells the attempts of a requeued job apart', () => {
    expect(attempts.filter(({ id }) => id === '27')).toMatchObject([
      { restarts: 0, state: 'REQUEUED', submittedMs: 1795241886000, endedMs: 1795241889000 },
      { restarts: 1, state: 'COMPLETED', submittedMs: 1795241889000, exitCode: 0 },
    ]);
  });

  it('says why an attempt ended that was followed by another', () => {
    const line = (state: string, submit: number, end: number): string =>
      [
        7,
        7,
        state,
        0,
        'root',
        'main',
        submit,
        submit,
        end,
        '0:0',
        2,
        'n[1-2]',
        '/w',
        'a|b',
        'physics',
        90,
        8,
        REQUEST,
      ].join('\x1f');
    const text = `${line('COMPLETED', 30, 40)}\n${line('NODE_FAIL', 10, 20)}\n${line('PREEMPTED', 20, 30)}\n`;
    expect(parseAccounting(text, DELIMITER)).toMatchObject([
      { restarts: 0, state: 'REQUEUED', reason: 'NODE_FAIL', name: 'a|b', nodes: 2 },
      { restarts: 1, state: 'REQUEUED', reason: 'PREEMPTED' },
      { restarts: 2, state: 'COMPLETED' },
    ]);
    expect(parseAccounting(text, DELIMITER)[0]).toMatchObject({
      ...{ account: 'physics', timeLimitMs: 5_400_000, requestedCpus: 8, requestedGpus: 2 },
      requestedBytes: 4 * 2 ** 30,
    });
  });

  it.each([
    ['7:0', { exitCode: 7 }],
    ['0:15', { exitCode: 143 }],
    // Slurm's dummy signal of a job that was killed for memory.
    ['0:125', {}],
  ])('reads the exit code %s', (code, expected) => {
    const line = [7, 7, 'FAILED', 0, 'root', 'main', 10, 10, 20, code, 1, 'n1', '/w', 'a', '', 'UNLIMITED', 1, 'cpu=1'];
    const [{ exitCode, timeLimitMs } = {}] = parseAccounting(line.join(DELIMITER), DELIMITER);
    expect({ ...(exitCode !== undefined && { exitCode }) }).toEqual(expected);
    expect(timeLimitMs).toBeUndefined();
  });

  it('says no exit code of a job that was stopped, and no end of one that runs', () => {
    expect(attempts.find(({ id }) => id === '21')).not.toHaveProperty('exitCode');
    expect(attempts.find(({ id }) => id === '30')).not.toHaveProperty('endedMs');
    expect(attempts.find(({ id }) => id === '28')).not.toHaveProperty('startedMs');
  });

  it.each(['', 'x', 'a\x1fb'])('leaves %j out', (text) => {
    expect(parseAccounting(text, DELIMITER)).toEqual([]);
  });

  it('asks from a time on, in whole seconds', () => {
    expect(accountingArgs(1_795_241_886_999, DELIMITER)).toContain('--starttime=uts1795241886');
    expect(accountingArgs(-5, DELIMITER)).toContain('--starttime=uts0');
  });

  it.each([
    'a\nb',
    '\n',
    '\n\n7\n',
    'a|b',
    `"it's" (1)`,
    '\t\r\x1f\x1b[1m\x00',
    '|',
    '\n8|8|COMPLETED|0|',
    '%s \u00e9',
    '',
  ])('reads a job that is named %j, and those around it', (odd) => {
    const delimiter = createDelimiter();
    const record = (id: number, name: string, workdir: string): string =>
      [id, id, 'COMPLETED', 0, 'root', 'main', 100, 100, 200, '0:0', 1, 'n1', workdir, name, 'x', 90, 8, REQUEST].join(
        delimiter
      );
    const text = `${record(7, 'first', '/w')}\n${record(8, odd, `/w/${odd}`)}\n${record(9, 'last', '/w')}\n`;
    expect(parseAccounting(text, delimiter)).toMatchObject([
      { rawId: 7, name: 'first', state: 'COMPLETED' },
      { rawId: 8, name: odd, workdir: `/w/${odd}`, state: 'COMPLETED' },
      { rawId: 9, name: 'last', state: 'COMPLETED' },
    ]);
  });
});
