import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigFile } from './read-config-file.js';

const folder = mkdtempSync(join(tmpdir(), 'joblens-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    'JSON',
    '{ "b": 9007199254740993,\n "1": [1e999, -0, 0.1], "__proto__": {} }',
    '{"b":9007199254740993,"1":[1e999,-0,0.1],"__proto__":{}}',
  ],
  [
    'YAML',
    'b: 9007199254740993\nc: [1e999, -12345678901234567890, 0.1, 0x10]\n',
    '{"b":9007199254740993,"c":[1e999,-12345678901234567890,0.1,16]}',
  ],
  [
    'YAML that JSON has no word for',
    'a: .inf\nb: .nan\nc: ~\nd: true\ne: "1"\n2: x\n',
    '{"2":"x","a":null,"b":null,"c":null,"d":true,"e":"1"}',
  ],
  [
    'YAML with aliases',
    'a: &x {n: 9007199254740993}\nb: *x\nc: 2026-01-01\n',
    '{"a":{"n":9007199254740993},"b":{"n":9007199254740993},"c":"2026-01-01"}',
  ],
  ['a text alone', 'a b', '"a b"'],
])('reads %s with each number as it was written', async (name, text, json) => {
  const path = join(folder, `${name} (1).conf`);
  writeFileSync(path, text);
  await expect(readConfigFile(path)).resolves.toEqual({ ok: true, value: json });
});

it.each([
  ['{', /neither JSON nor YAML: /],
  [
    `a: &a [${'x,'.repeat(9)}]\n${['b', 'c', 'd', 'e'].map((key, i) => `${key}: &${key} [${`*${'abcd'[i] ?? ''},`.repeat(9)}]`).join('\n')}\n`,
    /^cannot store the configuration .*wrong\.conf: aliases make it too large$/,
  ],
  ['['.repeat(600), /nested more than 500 levels deep/],
])('says what is wrong with %p', async (text, reason) => {
  const path = join(folder, 'wrong.conf');
  writeFileSync(path, text);
  await expect(readConfigFile(path)).resolves.toMatchObject({
    ok: false,
    error: expect.stringMatching(reason) as string,
  });
});
