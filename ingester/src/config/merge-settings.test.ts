import { mergeSettings } from './merge-settings.js';
import type { Environment, Machine } from '../host/host.js';
import type { TypedOptions } from './option.js';
import type { Settings } from './settings.js';

const MACHINE: Machine = {
  host: 'node7',
  userName: 'ann',
  homeFolder: '/home/ann',
  workFolder: '/work',
  pid: 42,
  nowMs: Date.UTC(2026, 10, 21, 3, 4, 5),
  monotonicMs: 5000,
};

function merge(options: TypedOptions, environment: Environment = {}): Omit<Settings, 'secrets'> {
  const settings = mergeSettings(options, environment, MACHINE);
  if (!settings.ok) throw new Error(settings.error);
  return settings.value;
}

describe('job and user', () => {
  const SLURM = { SLURM_JOB_ID: '123', SLURM_JOB_USER: 'bob', SLURM_JOB_NAME: 'train', SLURM_JOB_PARTITION: 'gpu' };
  it.each([
    ['a plain shell', {}, {}, { job: 'node7-20261121-030405-42', user: 'ann' }],
    ['options', { job: 'a/1', user: 'eve' }, SLURM, { job: 'a/1', user: 'eve' }],
    ['a Slurm job', {}, SLURM, { job: '123', user: 'bob' }],
    [
      'a task of an array',
      {},
      { ...SLURM, SLURM_ARRAY_JOB_ID: '120', SLURM_ARRAY_TASK_ID: '4' },
      { job: '120_4', user: 'bob' },
    ],
    ['one task of one', {}, { ...SLURM, SLURM_PROCID: '0', SLURM_NTASKS: '1' }, { job: '123', user: 'bob' }],
    [
      'one of several tasks',
      {},
      { ...SLURM, SLURM_PROCID: '3', SLURM_NTASKS: '8' },
      { job: '123', user: 'bob', task: '3' },
    ],
    [
      'a step of one task in a job of several',
      {},
      { ...SLURM, SLURM_PROCID: '0', SLURM_NTASKS: '8', SLURM_STEP_NUM_TASKS: '1' },
      { job: '123', user: 'bob' },
    ],
    ['empty variables', {}, { SLURM_JOB_ID: '' }, { job: 'node7-20261121-030405-42', user: 'ann' }],
    [
      'a pod',
      {},
      { KUBERNETES_SERVICE_HOST: '10.0.0.1', HOSTNAME: 'train-x7k2p' },
      { job: 'train-x7k2p', user: 'ann' },
    ],
    [
      'a pod of an indexed job',
      {},
      { KUBERNETES_SERVICE_HOST: '10.0.0.1', HOSTNAME: 'train-3-x7k2p', JOB_COMPLETION_INDEX: '3' },
      { job: 'train', user: 'ann', task: '3' },
    ],
  ])('come from %s', (_name, options, environment, source) => {
    expect(merge(options, environment).source).toEqual(source);
  });

  it.each([
    ['Slurm', {}, SLURM, 'alpha/123'],
    ['a shell', {}, {}, 'alpha/node7-20261121-030405-42'],
    ['the command line, which says all', { job: '7' }, SLURM, '7'],
  ])('have a prefix with an id from %s', (_name, options, environment, job) => {
    expect(merge({ ...options, jobPrefix: 'alpha/' }, environment).source.job).toBe(job);
    const settings = merge(options, { ...environment, JOBLENS_JOB_PREFIX: 'alpha/' });
    expect([settings.source.job, settings.options.jobPrefix]).toEqual([job, 'alpha/']);
  });

  it.each([
    ['of Slurm', {}, { ...SLURM, SLURM_CLUSTER_NAME: 'gpu-2' }, 'gpu-2/123'],
    ['of another', {}, { ...SLURM, SLURM_CLUSTER_NAME: 'b(1).x' }, 'b(1).x/123'],
    ['none', {}, {}, 'node7-20261121-030405-42'],
    ['of Slurm, with the whole id', { job: '7' }, { ...SLURM, SLURM_CLUSTER_NAME: 'gpu-2' }, '7'],
  ])('have the cluster in their prefix: %s', (_name, options, environment, job) => {
    expect(merge({ ...options, jobPrefix: '{cluster}/' }, environment).source.job).toBe(job);
  });

  it('come with what Slurm says of the job', () => {
    const array = { ...SLURM, SLURM_ARRAY_JOB_ID: '120', SLURM_ARRAY_TASK_ID: '4', SLURM_JOB_NUM_NODES: '2' };
    expect(merge({ tag: ['a=b=c', 'd='] }, array).description).toEqual({
      name: 'train',
      queue: 'gpu',
      nodes: 2,
      schedulerId: '123',
      tags: { a: 'b=c', d: '' },
    });
    expect(merge({ name: 'mine' }, SLURM).description.name).toBe('mine');
  });

  it('are of an experiment and a group, which are tags, and have a note', () => {
    const named = { tag: ['a=b', 'group=x'], experiment: 'sweep (1)', group: 'lr = 0.1', note: 'first try' };
    expect(merge(named, SLURM).description).toMatchObject({
      note: 'first try',
      tags: { a: 'b', experiment: 'sweep (1)', group: 'lr = 0.1' },
    });
    expect(merge({}, SLURM).description).not.toHaveProperty('tags');
  });

  it.each([
    [{ SLURM_JOB_CPUS_PER_NODE: '4(x2),2' }, { requestedCpus: 10 }],
    [{ SLURM_MEM_PER_NODE: '65536' }, { requestedMemoryBytes: 64 * 2 ** 30 }],
    [{ SLURM_MEM_PER_NODE: '0' }, {}],
    [{ SLURM_MEM_PER_CPU: '1024', SLURM_CPUS_ON_NODE: '4' }, { requestedMemoryBytes: 4 * 2 ** 30 }],
    [
      { SLURM_GPUS_ON_NODE: '2', SLURM_JOB_NUM_NODES: '3' },
      { nodes: 3, requestedGpus: 6 },
    ],
    [{ SLURM_JOB_START_TIME: '1700000000', SLURM_JOB_END_TIME: '1700003600' }, { timeLimitS: 3600 }],
  ])('come with what it asked Slurm for: %j', (variables, requested) => {
    const { name, queue, schedulerId, ...found } = merge({}, { ...SLURM, ...variables }).description;
    expect([name, queue, schedulerId]).toEqual(['train', 'gpu', '123']);
    expect(found).toEqual(requested);
  });
});

describe('where to write', () => {
  const INFLUX = {
    INFLUX_HOST: 'http://db:8086',
    INFLUX_TOKEN: ' secret ',
    INFLUX_ORG: 'lab',
    INFLUX_BUCKET: 'jobs',
  };
  it.each([
    ['nothing', {}, {}, undefined],
    ['--out', { out: 'x.lp' }, INFLUX, { kind: 'file', path: 'x.lp' }],
    ['--out -', { out: '-' }, INFLUX, { kind: 'stdout' }],
    [
      'the environment',
      {},
      INFLUX,
      {
        kind: 'influxdb',
        connection: { url: 'http://db:8086', token: 'secret', org: 'lab', bucket: 'jobs', api: 'auto' },
      },
    ],
    [
      'options before the environment',
      { url: 'https://x', token: 't', org: 'o', bucket: 'b', api: 'v1' },
      INFLUX,
      { kind: 'influxdb', connection: { url: 'https://x', token: 't', org: 'o', bucket: 'b', api: 'v1' } },
    ],
    [
      'a database of 1.x with a user',
      { url: 'http://db', database: 'd' },
      { INFLUX_USER: 'u', INFLUX_PASSWORD: 'p' },
      { kind: 'influxdb', connection: { url: 'http://db', bucket: 'd', user: 'u', password: 'p' } },
    ],
    ['the default bucket', { url: 'http://db' }, {}, { kind: 'influxdb', connection: { bucket: 'joblens' } }],
  ])('is given by %s', (_name, options, environment, destination) => {
    const found = merge(options, environment).destination;
    if (destination === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(destination);
  });
});

describe('other settings', () => {
  it('have defaults', () => {
    expect(merge({})).toMatchObject({
      optIn: { kind: 'file', path: '/home/ann/.logoptin', isExplicit: false },
      limits: { bytesPerSecond: 20_000_000, linesPerSecond: 100_000 },
      spool: { root: '/home/ann/.local/state/joblens/spool', maxBytes: 2 ** 30 },
      rejectedPath: '/home/ann/.local/state/joblens/rejected-node7-20261121-030405-42.lp',
      options: {
        bufferBytes: 32 * 2 ** 20,
        onFull: 'drop',
        logFormat: 'text',
        drainTimeoutMs: 10_000,
        logLevel: 'info',
      },
    });
  });

  it.each([
    ['0', '0'],
    ['0.5', '7'],
  ])('take --limit-bytes %s and --limit-lines %s, 0 for none', (limitBytes, limitLines) => {
    expect(merge({ limitBytes, limitLines }).limits).toEqual({
      bytesPerSecond: Number(limitBytes) * 1e6 || Infinity,
      linesPerSecond: Number(limitLines) || Infinity,
      maxTables: 1000,
    });
  });

  it('put a mode before a file', () => {
    expect(merge({ mode: 'metadata', optin: 'f' }).optIn).toEqual({ kind: 'mode', mode: 'metadata' });
    expect(merge({ optin: 'f' }).optIn).toEqual({ kind: 'file', path: 'f', isExplicit: true });
  });

  it('keep the rejected points of a job with any name in one folder', () => {
    expect(merge({ job: '../../etc/x' }, { XDG_STATE_HOME: '/s' }).rejectedPath).toBe(
      '/s/joblens/rejected-.._.._etc_x.lp'
    );
  });

  it.each([
    [{ mode: 'all' }, {}, '--mode must be enabled, metadata or disabled; got "all"'],
    [{ api: 'v3' }, {}, '--api must be auto, v1 or v2; got "v3"'],
    [{ url: 'db:8086' }, {}, '--url must be an address that begins with http:// or https://; got "db:8086"'],
    [
      {},
      { INFLUX_HOST: 'ftp://db' },
      'INFLUX_HOST must be an address that begins with http:// or https://; got "ftp://db"',
    ],
    [{ token: 'a\nb' }, {}, '--token must be a token of printable ASCII characters; got other characters'],
    [
      {},
      { INFLUX_TOKEN: 'x', JOBLENS_TOKEN: 'é' },
      'JOBLENS_TOKEN must be a token of printable ASCII characters; got other characters',
    ],
    [{ limitBytes: '-1' }, {}, '--limit-bytes must be a number, 0 or more; got "-1"'],
    [{ limitLines: 'many' }, {}, '--limit-lines must be a number, 0 or more; got "many"'],
    [{ buffer: '0' }, {}, '--buffer must be a number above 0; got "0"'],
    [{ spoolSize: 'Infinity' }, {}, '--spool-size must be a number above 0; got "Infinity"'],
    [{ onFull: 'wait' }, {}, '--on-full must be drop or block; got "wait"'],
    [{ logFormat: 'xml' }, {}, '--log-format must be text or json; got "xml"'],
    [{ drainTimeout: '-1' }, {}, '--drain-timeout must be a number of seconds from 0 to 3155760000; got "-1"'],
    [{ tag: ['a=b', 'x'] }, {}, '--tag must be KEY=VALUE; got "x"'],
    [{ logLevel: 'loud' }, {}, '--log-level must be silent, error, warn, info or debug; got "loud"'],
    [{}, { JOBLENS_LOG_LEVEL: 'loud\n' }, 'JOBLENS_LOG_LEVEL must be silent, error, warn, info or debug; got "loud"'],
    [
      {},
      { INFLUX_HOST: 'http://ann:secret@db:8086' },
      'INFLUX_HOST must be an address without a password, for messages show it: set INFLUX_USER and INFLUX_PASSWORD; got "http://***@db:8086"',
    ],
    [{ url: 'ann:secret@db' }, {}, '--url must be an address that begins with http:// or https://; got "***@db"'],
    [
      { url: 'http:\\\\ann:secret@db' },
      {},
      '--url must be an address without a password, for messages show it: set INFLUX_USER and INFLUX_PASSWORD; got "http:\\\\\\\\***@db"',
    ],
    [{ url: 'db?token=secret#a' }, {}, '--url must be an address that begins with http:// or https://; got "db?***"'],
    [{ job: '' }, {}, '--job must be at least one character long; got ""'],
    [{ user: '' }, {}, '--user must be at least one character long; got ""'],
  ])('refuse %j with %j in one line', (options, environment, message) => {
    expect(mergeSettings(options, environment, MACHINE)).toEqual({ ok: false, error: message });
  });

  it.each([
    ['http://h/?token=secret', 'http://h/'],
    ['https://h:1/a(b)/?u=ann&p=a@b#secret', 'https://h:1/a(b)/'],
    ['http://h#secret', 'http://h'],
    ['http://h', 'http://h'],
  ])('keep of the address %s what may be shown', (address, url) => {
    for (const settings of [merge({ url: address }, {}), merge({}, { INFLUX_HOST: address })])
      expect(settings.destination).toMatchObject({ connection: { url } });
  });
});
