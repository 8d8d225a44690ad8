import fc from 'fast-check';
import { UserGroups } from '../ingester/src/gateway/user-groups.js';
import { toPathBytes, toPathText } from '../ingester/src/host/path-bytes.js';
import { accountingArgs, createDelimiter, parseAccounting } from '../ingester/src/sources/slurm/parse-accounting.js';
import { endArgs, parseEnds } from '../ingester/src/sources/slurm/parse-end.js';
import { QueueReader } from '../ingester/src/sources/slurm/parse-queue.js';
import { parseSlurmConfig } from '../ingester/src/slurm/slurm-config.js';
import { parseGpuLine } from '../ingester/src/usage/gpu-watch.js';
import { ProcessTree } from '../ingester/src/usage/process-tree.js';

/** Pieces of names that delimit, end, quote or escape somewhere, or are no UTF-8. */
const PIECES = [
  ...['\n', '\r', '|', '\t', '"', "'", '\\', ',', ':', ';', '=', '(', ')', '[', ']', '{', '}', '%', ' ', '-', '.'],
  ...[
    '\x1f',
    '\x1b',
    '\x7f',
    '\x01',
    '\u2028',
    '\u00e9',
    '\u{1f680}',
    '"jobs": [',
    '\\"',
    '\\n',
    '}, {',
    'null',
    '7',
    'a',
  ],
].map((text) => Buffer.from(text));
const BAD_BYTES = ['e9', 'ff', 'c3', 'e282', 'f0', 'edb3a9'].map((hex) => Buffer.from(hex, 'hex'));
const NAME = fc
  .array(fc.constantFrom(...PIECES, ...BAD_BYTES), { maxLength: 8 })
  .map((pieces) => Buffer.concat(pieces));

const JOB = fc.record({
  ...{ id: fc.integer({ min: 1, max: 1e9 }), uid: fc.integer({ min: 0, max: 1e6 }) },
  ...{ name: NAME, partition: NAME, account: NAME, user: NAME, nodes: NAME, folder: NAME, comment: NAME },
});
type Job = typeof JOB extends fc.Arbitrary<infer T> ? T : never;
const JOBS = fc.uniqueArray(JOB, { maxLength: 6, selector: ({ id }) => id });

const join = (parts: ReadonlyArray<Buffer | string>): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** A string as json-c prints it, which Slurm uses: control characters and slashes escaped, other bytes as they are. */
function quote(bytes: Buffer): Buffer {
  const escaped = [...bytes].map((byte) => {
    if (byte === 0x22 || byte === 0x5c || byte === 0x2f) return Buffer.from([0x5c, byte]);
    return byte < 0x20 ? Buffer.from(`\\u${byte.toString(16).padStart(4, '0')}`) : Buffer.from([byte]);
  });
  return join(['"', ...escaped, '"']);
}

/** A percent sign and a backslash in the name of an output are for Slurm. */
function withoutSigns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte) => byte !== 0x25 && byte !== 0x5c));
}

function printQueue(jobs: readonly Job[]): Buffer {
  const records = jobs.flatMap(({ id, uid, name, partition, account, user, nodes, folder, comment }, i) => [
    i === 0 ? '' : ',\n',
    `{ "job_id": ${id}, "user_id": ${uid}, "job_state": "RUNNING", "batch_flag": true, "comment": `,
    ...[quote(comment), ', "name": ', quote(name), ', "partition": ', quote(partition), ', "account": '],
    ...[quote(account), ', "user_name": ', quote(user), ', "nodes": ', quote(nodes)],
    ...[', "current_working_directory": ', quote(join(['/home/', folder])), ', "standard_output": '],
    ...[quote(join(['/home/', withoutSigns(folder), '/out (1)'])), '}'],
  ]);
  return join(['{ "meta": {}, "jobs": [', ...records, '], "errors": [] }\n']);
}

/** The fields that sacct is asked for, each by what prints it. */
function printFields(
  args: readonly string[],
  values: Readonly<Record<string, Buffer | string>>,
  delimiter: string
): Buffer {
  const fields = /^--format=(.*)$/.exec(args.find((arg) => arg.startsWith('--format=')) ?? '')?.[1]?.split(',') ?? [];
  return join([...fields.flatMap((field, i) => [i === 0 ? '' : delimiter, values[field] ?? '']), '\n']);
}

function printAccounting(jobs: readonly Job[], delimiter: string): Buffer {
  const args = accountingArgs(0, delimiter);
  return join(
    jobs.map(({ id, uid, name, partition, account, user, nodes, folder }, i) =>
      printFields(
        args,
        {
          ...{ JobIDRaw: String(id), JobID: String(id), UID: String(uid), State: 'COMPLETED', Submit: String(i + 1) },
          ...{
            Start: '5',
            End: '6',
            ExitCode: '0:0',
            NNodes: '1',
            TimelimitRaw: 'UNLIMITED',
            NCPUS: '1',
            ReqTRES: 'cpu=1',
          },
          ...{ JobName: name, Partition: partition, Account: account, User: user, NodeList: nodes },
          WorkDir: join(['/home/', folder]),
        },
        delimiter
      )
    )
  );
}

const bytesOf = (text: string): string => Buffer.from(toPathBytes(text)).toString('hex');

describe('what programs print, with any names in it', () => {
  it('is read back by squeue', () => {
    const reader = new QueueReader();
    fc.assert(
      fc.property(JOBS, (jobs) => {
        const queue = reader.read(printQueue(jobs));
        const read = queue.ok ? queue.value.jobs : [];
        expect(read.map(({ rawId }) => rawId)).toEqual(jobs.map(({ id }) => id));
        for (const [i, { uid, name, partition, account, user, nodes, folder }] of jobs.entries()) {
          const job = read[i];
          expect(job?.uid).toBe(uid);
          const found = [job?.name, job?.partition, job?.account ?? '', job?.nodeList, job?.workdir];
          const printed = [name, partition, account, nodes, join(['/home/', folder])];
          expect(found.map((text) => bytesOf(text ?? ''))).toEqual(printed.map((bytes) => bytes.toString('hex')));
          expect(bytesOf(job?.user ?? '')).toBe(user.length === 0 ? bytesOf(String(uid)) : user.toString('hex'));
          const out = join(['/home/', withoutSigns(folder), '/out (1)']);
          expect(job?.stdoutPaths.map(bytesOf)).toEqual([out.toString('hex')]);
        }
      })
    );
  });

  it('is read back from sacct', () => {
    fc.assert(
      fc.property(JOBS, (jobs) => {
        const delimiter = createDelimiter();
        const read = parseAccounting(toPathText(printAccounting(jobs, delimiter)), delimiter);
        expect(read.map(({ rawId, uid, state }) => [rawId, uid, state])).toEqual(
          jobs.map(({ id, uid }) => [id, uid, 'COMPLETED'])
        );
        for (const [i, { name, partition, account, user, nodes, folder, uid }] of jobs.entries()) {
          const job = read[i];
          const found = [job?.name, job?.partition, job?.account ?? '', job?.nodeList, job?.workdir, job?.user];
          const owner = user.length === 0 ? Buffer.from(String(uid)) : user;
          const printed = [name, partition, account, nodes, join(['/home/', folder]), owner];
          expect(found.map((text) => bytesOf(text ?? ''))).toEqual(printed.map((bytes) => bytes.toString('hex')));
        }
      })
    );
  });

  it.each(['JobIDRaw', 'UID', 'Submit'])("is nobody's where sacct leaves %s empty", (field) => {
    const delimiter = createDelimiter();
    const values = { JobIDRaw: '7', JobID: '7', UID: '1000', Submit: '5', State: 'COMPLETED', [field]: '' };
    const text = printFields(accountingArgs(0, delimiter), values, delimiter).toString();
    expect(parseAccounting(text, delimiter)).toEqual([]);
  });

  it('has no names where the ends of jobs are asked for', () => {
    const [delimiter = ''] = endArgs([7]).flatMap((arg) => /^--delimiter=([^]*)$/.exec(arg)?.[1] ?? []);
    const values = { JobIDRaw: '7', State: 'CANCELLED by 12', ReqMem: '', NNodes: '' };
    expect(parseEnds(printFields(endArgs([7]), values, delimiter).toString())).toEqual(
      new Map([[7, { cancelledByUid: 12 }]])
    );
  });

  it('makes nobody a member of an account by a delimiter in the name of another', async () => {
    const odd = NAME.map((bytes) => toPathText(bytes)).filter((name) => !/[\n]/.test(name));
    await fc.assert(
      fc.asyncProperty(odd, odd, async (account, user) => {
        const groups = new UserGroups({
          sources: ['slurm'],
          clock: { monotonicMs: () => 0, sleep: () => Promise.resolve() },
          report: { error: fail, warn: fail, info: fail, debug: fail },
          runProgram: (_program, args) =>
            Promise.resolve(args.includes('account') ? 'physics|ann\n' : `physics|bob\n${account}|${user}\n`),
        });
        await groups.refresh();
        const isSure = !account.includes('|') && !user.includes('|') && account !== '' && user !== '';
        if (isSure) expect(groups.groupsOf(user)).toContain(account);
        if (user !== 'bob' || account !== 'physics') expect(groups.groupsOf('bob')).toEqual(['physics']);
        const [head = ''] = account.split('|');
        if (account.includes('|')) expect(groups.groupsOf(account.split('|')[1] ?? '')).not.toContain(head);
      })
    );
  });

  it("is read back from Slurm's configuration, also with equals signs and spaces", () => {
    const value = NAME.map((bytes) => toPathText(bytes).replace(/\n/g, '').trim());
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Z]\w{1,20}$/), value), (config) => {
        const lines = Object.entries(config).map(([name, text]) => `${name.padEnd(23)} = ${text}`);
        const read = parseSlurmConfig(['Configuration data as of 2026-01-01T00:00:00', ...lines, ''].join('\n'));
        expect(Object.fromEntries(read)).toEqual(config);
      })
    );
  });

  it('counts the time of processes of any name', () => {
    fc.assert(
      fc.property(NAME, (bytes) => {
        // The kernel cuts names of processes, and escapes line feeds and backslashes in their status (proc(5)).
        const name = bytes.subarray(0, 15).toString('latin1');
        const numbers = Array.from({ length: 40 }, (_, i) => (i >= 10 && i <= 13 ? 100 : i));
        const stat = `7 (${name}) S 1 ${numbers.slice(1).join(' ')}\n`;
        const escaped = name.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
        const status = `Name:\t${escaped}\nVmRSS:\t    2048 kB\nRssFile:\t    1024 kB\nRssShmem:\t       0 kB\n`;
        const texts = new Map([
          ['/proc/7/stat', stat],
          ['/proc/7/status', status],
          ['/proc/7/io', 'read_bytes: 5\n'],
        ]);
        const files = { read: (path: string) => texts.get(path), list: () => ['7'] };
        expect(new ProcessTree(files, 7).read()).toEqual({
          ...{ cpuSeconds: 4, memoryBytes: 2 ** 21, readBytes: 5, writtenBytes: undefined },
        });
      })
    );
  });

  it.each([
    ['0, 97, 100', [0, { percent: 97, memoryBytes: 100 * 2 ** 20 }]],
    ['1, [N/A], [Not Supported]', [1, { percent: undefined, memoryBytes: undefined }]],
    ['2, , ', [2, { percent: undefined, memoryBytes: undefined }]],
    [', 97, 100', undefined],
    ['-1, 97, 100', undefined],
    ['NVIDIA "A100, 80 GB", 97, 100', undefined],
  ])('is read of nvidia-smi: %s', (line, expected) => {
    expect(parseGpuLine(line)).toEqual(expected);
  });

  it('is as long as it was, whatever bytes are in it', () => {
    fc.assert(
      fc.property(fc.array(NAME, { maxLength: 20 }), (names) => {
        const bytes = Buffer.concat(names);
        expect(Buffer.from(toPathBytes(toPathText(bytes)))).toEqual(bytes);
      })
    );
  });
});

function fail(message: string): never {
  throw new Error(message);
}
