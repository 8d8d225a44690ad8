import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobSource } from '@joblens/core/schema/measurements';
import { startEmbeddedStore } from './conformance/targets.js';
import { createInfluxqlClient } from './influxql-client.js';
import { joblens, onTerminal } from './joblens-command.js';
import type { StoreUnderTest } from './store-under-test.js';

const JOB: JobSource = { job: 'é-1.(a)', user: 'ann' };
const NAME = `caf\u00e9 日本 … \x1b[31m ${'x'.repeat(150)}`;
const ROWS = Array.from({ length: 20 }, (_, i) => `{"épo…que (s)": ${i}, "loss": ${1 / (i + 1)}}`);
const ASCII = /^[\0-\x7f]*$/;

let store: StoreUnderTest;
let folder: string;
beforeAll(async () => {
  store = await startEmbeddedStore();
  folder = mkdtempSync(join(tmpdir(), 'joblens-locale-'));
  const client = createInfluxqlClient(store.url);
  await client.post('CREATE DATABASE "joblens"');
  writeFileSync(join(folder, 'printed'), `${ROWS.join('\n')}\nété … 日本\n`);
  const words = ['--job', JOB.job, '--user', JOB.user, '--name', NAME, '--mode', 'enabled'];
  expect(await joblens(['run', ...words, '--', 'cat', join(folder, 'printed')], store.url)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await store.stop();
});

const LOCALES: readonly Readonly<Record<string, string>>[] = [
  { LC_ALL: 'C', LANG: 'en_US.UTF-8' },
  { LC_CTYPE: 'POSIX', LANG: 'en_US.UTF-8' },
  { LANG: 'C' },
];
const COMMANDS: readonly (readonly string[])[] = [
  ['jobs'],
  ['log', JOB.job],
  ['metadata', JOB.job],
  ['metadata', JOB.job, '--tables'],
  ['plot', JOB.job],
  ['plot', JOB.job, 'loss', '--together'],
  ['report', 'job', JOB.job],
  ['events'],
  ['story', JOB.job],
  ['suggest', JOB.job],
  ['doctor'],
  ['run', '--help'],
  ['watch', '--help'],
  ['--help'],
  ['jobs', '--state', 'faild…'],
];

describe.each(LOCALES)('with %j', (locale) => {
  it.each(COMMANDS)('a terminal gets ASCII alone: %s %s %s', async (...words) => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const printed = await onTerminal(70, `${line} 2>&1`, store.url, undefined, locale);
    expect(printed.join('\n')).toMatch(ASCII);
  });
});

const LOCALE = { LC_ALL: 'C' };

it.each(COMMANDS)('a pipe gets what is not of others in ASCII: %s %s %s', async (...words) => {
  const { stdout, stderr } = await joblens(words, store.url, LOCALE);
  const own = [NAME.replaceAll('\x1b', '?'), 'é', '日', '本', '…'].reduce(
    (text, stored) => text.replaceAll(stored, ''),
    stdout
  );
  expect(own).toMatch(ASCII);
  expect(stderr).toMatch(ASCII);
});

it.each([
  ['log', JOB.job],
  ['log', JOB.job, '--json'],
  ['metadata', JOB.job, '--csv'],
  ['export', JOB.job],
  ['jobs', '--json'],
])('a program gets texts as they are stored: %s %s %s', async (...words) => {
  const [ascii, utf8] = [await joblens(words, store.url, LOCALE), await joblens(words, store.url)];
  expect(ascii).toEqual(utf8);
  expect(ascii.stdout).not.toMatch(ASCII);
});

it('messages of run are ASCII, and what the command prints is as it is', async () => {
  writeFileSync(join(folder, 'opt-in'), 'metadata: [nothing]\n');
  const words = ['run', '--optin', join(folder, 'opt-in'), '--out', '/dev/null', '--', 'printf', '…'];
  const { code, stdout, stderr } = await joblens(words, undefined, LOCALE);
  expect([code, stdout]).toEqual([0, '…']);
  expect(stderr).toMatch(/\{regex: \.\.\.\}/);
  expect(stderr).toMatch(ASCII);
  expect((await joblens(words, undefined, { LANG: 'C.UTF-8' })).stderr).toContain('{regex: …}');
});
