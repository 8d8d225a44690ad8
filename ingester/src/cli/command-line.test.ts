import { prepareJoblens } from '../testing/joblens.js';
import { SUBCOMMANDS } from './subcommands.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const help = async (...command: string[]): Promise<string> => {
  const { code, stdout, stderr } = await joblens.run([...command, '--help']);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.toString();
};
const COMMANDS = SUBCOMMANDS.map(({ name }) => name);

describe('--help', () => {
  it('names the commands and the environment', async () => {
    const text = await help();
    for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^  ${command} `, 'm'));
    for (const name of ['INFLUX_HOST', 'INFLUX_TOKEN', 'JOBLENS_SPOOL', 'JOBLENS_HEALTH', 'JOBLENS_LOG_LEVEL']) {
      expect(text).toContain(name);
    }
  });

  it.each(COMMANDS)('of %s has its options in groups, examples and the exit codes', async (command) => {
    const text = await help(command);
    expect(text).not.toMatch(/^Options:$/m);
    expect(text.match(/^Other:$/gm)).toHaveLength(1);
    expect(text).toMatch(/--log-format <format>[^]*-h, --help +print this\n\nExamples:\n/);
    expect(text.replace(/\s+/g, ' ')).toMatch(/Exit code: .*2 when the options are wrong/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('of watch says first what it follows, and nothing of jobs that wait', async () => {
    const text = await help('watch');
    expect(text.match(/^[A-Z][^\n]*:$/gm)?.slice(0, 3)).toEqual(['Arguments:', 'What to follow:', 'The jobs:']);
    expect(text).not.toMatch(/--on-full|^The job:|^Limits:/m);
  });
});

describe('an option that is wrong', () => {
  it.each([
    [['run', '--on-full', 'no', '--', 'true'], /^joblens: --on-full must be drop or block; got "no"\n$/],
    [['pipe', '--stream', 'x'], /^joblens: --stream must be stdout or stderr; got "x"\n$/],
    [['drain', '--out', 'x'], /^joblens: unknown option '--out'/],
    [['help', 'lgo'], /^joblens: unknown command 'lgo'\n\(Did you mean log\?\)/],
    [['export', '7', '--to', 'a (1).xlsx'], /^joblens: cannot write \.xlsx; give a file that ends with \.jsonl, /],
    [['serve', '--http', 'x'], /^joblens: --http must be HOST:PORT, PORT or off; got "x"\n$/],
    [['watch', '--health', 'x', '.'], /^joblens: --health must be HOST:PORT, PORT or off; got "x"\n$/],
  ])('is said in one line: %j', async (args, message) => {
    const { code, stdout, stderr } = await joblens.run(args);
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toMatch(message);
  });
});

describe('what is said by default', () => {
  const INFO = { JOBLENS_LOG_LEVEL: '' };
  const ON = ['--mode', 'enabled', '--job', '7', '--user', 'ann', '--out', '/dev/null'];

  const ABSENT = `joblens: nothing is logged: there is no ${joblens.folder}/.logoptin; make it (empty is enough) or give --mode enabled\n`;

  it.each<[string, string[], string]>([
    [
      'run of who has opted in',
      ['run', ...ON, '--', 'true'],
      'joblens: logging job 7 of ann, mode enabled, to /dev/null\n',
    ],
    ['run of who has not', ['run', '--', 'true'], ABSENT],
    [
      'run of who has not, with a file to write to',
      ['run', '--out', `${joblens.folder}/none.lp`, '--', 'true'],
      ABSENT,
    ],
    ['run of who has not, for an admin', ['run', '--quiet', '--', 'true'], ''],
    ['pipe of who has not, for an admin', ['pipe', '--quiet'], ''],
    [
      'run --quiet of who has opted in',
      ['run', '--quiet', ...ON, '--', 'true'],
      'joblens: logging job 7 of ann, mode enabled, to /dev/null\n',
    ],
    ['pipe of who has opted in', ['pipe', ...ON], 'joblens: logging job 7 of ann, mode enabled, to /dev/null\n'],
    ['pipe of who has not', ['pipe'], ABSENT],
  ])('by %s', async (_name, args, said) => {
    expect(await joblens.run(args, '', INFO)).toMatchObject({ code: 0, stderr: said });
  });

  it.each([
    ['0', 1],
    ['1', 0],
  ])('by task %s of several: lines: %i', async (rank, lines) => {
    const slurm = { SLURM_JOB_ID: '7', SLURM_PROCID: rank, SLURM_NTASKS: '2' };
    const { stderr } = await joblens.run(['run', ...ON.slice(0, 2), '--out', '/dev/null', '--', 'true'], '', {
      ...INFO,
      ...slurm,
    });
    expect(stderr.split('\n').length - 1).toBe(lines);
    const absent = await joblens.run(['run', '--', 'true'], '', { ...INFO, ...slurm });
    expect(absent.stderr).toBe(lines === 1 ? ABSENT : '');
  });

  it('is an object a line with --log-format json, whatever goes wrong', async () => {
    const away = ['--url', 'http://127.0.0.1:1', '--spool', '/dev/null', '--drain-timeout', '0.2'];
    const options = [
      '--log-format',
      'json',
      '--log-level',
      'debug',
      '--mode',
      'enabled',
      '--config',
      '/none',
      '--job',
      '7',
    ];
    const { stderr } = await joblens.run(['run', ...options, ...away, '--', 'nonesuch']);
    const said = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: string; message: string });
    expect(said.map(({ level, message }) => [level, message.split(' ').slice(0, 3).join(' ')])).toEqual(
      expect.arrayContaining([
        ['warn', 'the spool folder'],
        ['warn', 'cannot read the'],
        ['info', 'logging job 7'],
        ['error', 'cannot run nonesuch:'],
        ['warn', 'cannot reach InfluxDB'],
      ])
    );
    expect(said.at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/: lost, as no spool keeps what waits$/) as unknown,
    });
  });
});
