import { Option as CommanderOption } from 'commander';
import { LONGEST_DURATION_MS } from '../config/value-types.js';
import { createSystemClock } from '../clock/clock.js';
import { withDeadline } from '../clock/deadline.js';
import { listSecrets, type OptionGroup, readOptions, type TypedOptions } from '../config/option.js';
import type { Environment } from '../host/host.js';
import { SUBCOMMANDS } from './subcommands.js';

/** The options of a subcommand alone. */
function findOwn(name: string): OptionGroup['options'] {
  return SUBCOMMANDS.find((subcommand) => subcommand.name === name)?.groups[0]?.options ?? {};
}

function readOwn(name: string, typed: TypedOptions, environment: Environment = {}): unknown {
  const values = readOptions(findOwn(name), typed, environment);
  return values.ok ? values.value : values.error;
}

describe.each(SUBCOMMANDS)('the argument of $name', ({ argument }) => {
  it('says what completes it, where it is a job', () => {
    expect(argument?.completes?.[0]).toBe(/\bjob\b/.test(argument?.form ?? '') ? 'job' : undefined);
  });
});

describe.each(SUBCOMMANDS)('the options of $name', ({ groups }) => {
  const options = groups.flatMap((group) => Object.entries(group.options));

  it('have the names that commander gives them, once each', () => {
    const names = options.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const [name, { flags }] of options) {
      if (flags !== undefined)
        expect(name).toMatch(new RegExp(`^${new CommanderOption(flags).attributeName()}(Ms|Bytes)?$`));
    }
  });

  it('say what completes them, where the flag (not of a folder) or its placeholder names a job, user, state, topic or key', () => {
    const placed = options.flatMap(([, { flags = '', completes }]) => {
      const named = /^--(?:(?:from|to)-)?(job|user|state|topic)(?= (?!<dir>))|<(job|state|topic)>|[<|](key)>/.exec(
        flags
      );
      const kind = named?.slice(1).find((each: string | undefined) => each !== undefined);
      return kind === undefined ? [] : [{ flags, kind, completes }];
    });
    // A state that jobs pass through is a state, too.
    expect(placed.filter(({ kind, completes }) => kind !== completes?.replace('past-', ''))).toEqual([]);
  });

  it('have valid defaults', () => {
    for (const [, option] of options) expect(option.read(undefined)).toMatchObject({ ok: true });
  });
});

/** What names or tells a length of time, for options that nobody has thought of yet. */
const LOOKS_TIMED =
  /Ms$|timeout|interval|grace|patience|retention|shard|period|<(?:s|ms|seconds|minutes|hours|days|time|length|duration)>|\b(?:seconds|minutes|hours|days|how (?:long|often))\b/i;
/** A server keeps points for so long: `retention` and `shard` become no timers, and are bounded all the same. */
const OF_A_SERVER: readonly string[] = ['retention', 'shard'];
const LENGTHS = [
  '0',
  '1e-9',
  '0.001',
  '1',
  '2147483.647',
  '2147483.648',
  '2592000',
  '4294967.296',
  '1e9',
  '3155760000',
];
const TOO_LONG = ['3155760001', '1e10', '1e15', '1e300', '1e308', `1${'0'.repeat(400)}`, 'Infinity', 'NaN', '-1'];
const LONGEST_NS = 2n ** 63n;

describe.each(SUBCOMMANDS)('the times that options of $name tell', ({ groups }) => {
  const options = groups.flatMap(({ options: each }) => Object.entries(each));
  const timed = options.filter(
    ([name, { flags = '', help, isDuration, words }]) =>
      isDuration === true || (words === undefined && LOOKS_TIMED.test(`${name} ${flags} ${help}`))
  );
  const suffixes = ['', ...['ms', 's', 'm', 'h', 'd', 'w']];
  const texts = [...LENGTHS, ...TOO_LONG].flatMap((text) => suffixes.map((suffix) => text + suffix));

  it('are refused, or are times that timers and programs know', () => {
    for (const [name, { read, isDuration, isList }] of timed) {
      if (isList) continue;
      for (const text of texts) {
        const found = read({ by: `--${name}`, texts: [text] });
        if (!found.ok) expect(found.error).toMatch(/must be/);
        else if (typeof found.value === 'function') {
          const timeNs = (found.value as (nowMs: number) => bigint)(1.8e12);
          expect(timeNs < 0n ? -timeNs : timeNs).toBeLessThan(LONGEST_NS);
        } else if (typeof found.value === 'number') {
          expect(found.value).toBeLessThanOrEqual(LONGEST_DURATION_MS);
          // It must say that it is one, so that all that is tried here is tried with it.
          expect([name, isDuration === true || OF_A_SERVER.includes(name)]).toEqual([name, true]);
        }
      }
    }
  });

  it('are not over at once where they are long', async () => {
    jest.useFakeTimers();
    for (const [name, { read, isDuration }] of timed) {
      for (const text of isDuration === true ? [...LENGTHS, ...LENGTHS.map((length) => `${length}s`)] : []) {
        const found = read({ by: `--${name}`, texts: [text] });
        const ms = found.ok ? Number(found.value) : 0;
        if (ms <= 2) continue;
        const stop = new AbortController();
        let isOver = false;
        const waits = [
          createSystemClock().sleep(ms, stop.signal),
          withDeadline(
            ms,
            [stop.signal],
            (late) => new Promise<void>((end) => late.addEventListener('abort', () => end()))
          ),
        ].map((wait) => wait.then(() => (isOver = true)));
        await jest.advanceTimersByTimeAsync(2);
        expect([name, text, isOver]).toEqual([name, text, false]);
        stop.abort();
        await Promise.all(waits);
      }
    }
    jest.useRealTimers();
  });
});

describe('the options of a source alone', () => {
  it.each([
    [
      'run',
      { separate: false, metrics: false, metricsIntervalMs: 10_000, reproduce: undefined, input: [], dryRun: false },
    ],
    ['pipe', { stream: 'stdout', tee: false }],
    ['start', { state: undefined, port: undefined, demo: true }],
    [
      'watch',
      {
        ...{ slurm: false, slurmIntervalMs: 2000, hookFile: '/var/spool/joblens-hooks/events' },
        ...{ metrics: false, metricsIntervalMs: 10_000 },
        ...{ quietTimeoutMs: 600_000, merged: false, beside: false, health: { host: '127.0.0.1', port: 8093 } },
      },
    ],
    [
      'serve',
      {
        http: { host: '127.0.0.1', port: 8186 },
        udp: { host: '127.0.0.1', port: 8092 },
        tcp: { host: '127.0.0.1', port: 8094 },
        health: { host: '127.0.0.1', port: 8095 },
        allowHost: [],
        serveToken: undefined,
        databases: [],
        jobTag: [],
        user: undefined,
        keepTypes: false,
      },
    ],
  ])('have defaults: %s', (name, values) => {
    expect(readOwn(name, {})).toEqual(values);
  });

  it.each([
    ['off', undefined],
    ['9000', { host: '127.0.0.1', port: 9000 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['[::1]:8093', { host: '::1', port: 8093 }],
  ])('take %s as an address to listen on', (text, address) => {
    expect(readOwn('watch', { health: text })).toMatchObject({ health: address });
    expect(readOwn('serve', {}, { JOBLENS_HEALTH: text })).toMatchObject({ health: address });
    const addresses = { http: address, udp: address, tcp: address };
    expect(readOwn('serve', { http: text, udp: text, tcp: text })).toMatchObject(addresses);
  });

  it('put an option before its variable', () => {
    const address = { host: '127.0.0.1', port: 1 };
    expect(readOwn('watch', { health: '1' }, { JOBLENS_HEALTH: '2' })).toMatchObject({ health: address });
  });

  it('are switched off by --no-NAME, of which commander makes a name that is false', () => {
    expect(readOwn('start', { demo: true })).toMatchObject({ demo: true });
    expect(readOwn('start', { demo: false, port: '0' })).toMatchObject({ demo: false, port: 0 });
  });

  it.each([
    ['start', { port: '65536' }, {}, '--port must be a number from 0 to 65535; got "65536"'],
    ['start', { port: '-1' }, {}, '--port must be a number from 0 to 65535; got "-1"'],
    ['pipe', { stream: 'x' }, {}, '--stream must be stdout or stderr; got "x"'],
    ['watch', { health: 'localhost' }, {}, '--health must be HOST:PORT, PORT or off; got "localhost"'],
    ['watch', { hookFile: 'events' }, {}, '--hook-file must be a path that begins with /; got "events"'],
    [
      'watch',
      { slurmInterval: '0' },
      {},
      '--slurm-interval must be a number of seconds above 0, and at most 3155760000; got "0"',
    ],
    ['serve', {}, { JOBLENS_HEALTH: 'x' }, 'JOBLENS_HEALTH must be HOST:PORT, PORT or off; got "x"'],
    ['serve', { http: '127.0.0.1:99999' }, {}, '--http must be HOST:PORT, PORT or off; got "127.0.0.1:99999"'],
    ['serve', { udp: '' }, {}, '--udp must be HOST:PORT, PORT or off; got ""'],
    ['serve', { tcp: 'a b:1' }, {}, '--tcp must be HOST:PORT, PORT or off; got "a b:1"'],
    [
      'serve',
      {},
      { JOBLENS_SERVE_TOKEN: 'é' },
      'JOBLENS_SERVE_TOKEN must be a token of printable ASCII characters, or unset to ask for no token; got other characters',
    ],
  ])('of %s refuse %j with %j in one line', (name, typed, environment, message) => {
    expect(readOwn(name, typed, environment)).toBe(message);
  });
});

describe('listSecrets', () => {
  it('finds the tokens and passwords of all variables, also of those that another one goes before', () => {
    const environment = {
      ...{ JOBLENS_TOKEN: 'a ', INFLUX_TOKEN: 'b', JOBLENS_PASSWORD: 'c', INFLUX_PASSWORD: '' },
      ...{ JOBLENS_SERVE_TOKEN: 'd', INFLUX_USER: 'ann' },
    };
    const groups = SUBCOMMANDS.flatMap((subcommand) => subcommand.groups);
    const secrets = groups.flatMap(({ options }) => listSecrets(options, { token: 't', url: 'u' }, environment));
    expect([...new Set(secrets)].sort()).toEqual(['a', 'b', 'c', 'd', 't']);
  });
});
