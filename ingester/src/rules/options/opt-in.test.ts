import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseOptIn } from './opt-in.js';
import { readOptIn } from './read-opt-in.js';

const DEFAULT = { mode: 'enabled', nonfinite: 'log', metadata: ['json'] };
const KINDS = 'a list of json, python-dict, logfmt, {regex: …}, {preset: …}';
const SIGNALS = 'signals (a list of at most 50 signals), reproduce (off, basic, full)';
const SHARE = 'a list of at most 100 users, and groups as group:NAME';
const ALLOWED = `allowed are mode (enabled, metadata, disabled), nonfinite (log, metadata), metadata (${KINDS}), ${SIGNALS}, share (${SHARE})`;

describe('parseOptIn', () => {
  it.each([
    ['nothing', '', DEFAULT],
    ['white space', ' \n\n', DEFAULT],
    ['a comment', '# later\n', DEFAULT],
    ['an empty document', '---\n', DEFAULT],
    ['a byte order mark', '\ufeffmode: disabled\n', { ...DEFAULT, mode: 'disabled' }],
    ['a mode', 'mode: metadata\n', { ...DEFAULT, mode: 'metadata' }],
    [
      'both options',
      'mode: "disabled" # now\nnonfinite: metadata',
      { ...DEFAULT, mode: 'disabled', nonfinite: 'metadata' },
    ],
    ['a kind of metadata', 'metadata: logfmt', { ...DEFAULT, metadata: ['logfmt'] }],
    ['no kind of metadata', 'metadata: []', { ...DEFAULT, metadata: [] }],
    [
      'kinds of metadata',
      "metadata: [json, python-dict, {regex: 'loss=(?<loss>[-\\d.e]+)'}, {preset: auto}]",
      { ...DEFAULT, metadata: ['json', 'python-dict', { regex: 'loss=(?<loss>[-\\d.e]+)' }, { preset: 'auto' }] },
    ],
    ['those who may see the job', 'share: ["a.b-c (d)", "group:ml"]', { ...DEFAULT, share: ['a.b-c (d)', 'group:ml'] }],
    ['JSON', '{"mode": "metadata"}', { ...DEFAULT, mode: 'metadata' }],
    ['an empty mapping', '{}', DEFAULT],
  ])('takes %s', async (_name, text, config) => {
    expect(await parseOptIn(text)).toEqual({ ok: true, value: { config, ignored: [] } });
  });

  it.each([
    ['an unknown mode', 'mode: all', 1, 1, 'option mode is "all"; allowed are enabled, metadata, disabled'],
    [
      'signals that are no list',
      'signals: foo',
      1,
      1,
      'option signals is "foo"; allowed is a list of at most 50 signals',
    ],
    ['one name that is no list', 'share: bob', 1, 1, `option share is "bob"; allowed is ${SHARE}`],
    ['a group without a name', 'share: ["group:"]', 1, 1, 'option share has a value that is not allowed; allowed is '],
    ['a misspelt share', 'shares: [bob]', 1, 1, 'unknown option "shares"; is share meant? '],
    ['a mode without value', '\nmode:\n', 2, 1, 'option mode is null; allowed are enabled, metadata, disabled'],
    ['a misspelt key', '# x\nmode: enabled\n  \nmod: 1', 4, 1, `unknown option "mod"; is mode meant? ${ALLOWED}`],
    ['a key in capitals', 'MODE: disabled', 1, 1, 'unknown option "MODE"; is mode meant? '],
    ['a key with a hyphen', 'retention: x\nnon-finite: log', 2, 1, 'unknown option; is nonfinite meant? '],
    ['a key of the plural', 'signal: []', 1, 1, 'unknown option "signal"; is signals meant? '],
    ['a mode as a key', 'disabled: true', 1, 1, 'unknown option "disabled"; is mode meant? '],
    ['a key with a mode in its name', 'logging.mode: disabled', 1, 1, 'unknown option; is mode meant? '],
    ['a word', 'enabled', 1, 1, `not a mapping of options; ${ALLOWED}`],
    ['a list', '- mode: enabled', 1, 1, `not a mapping of options; ${ALLOWED}`],
    ['broken YAML', 'mode: [enabled', 1, 15, 'not valid YAML: '],
    [
      'an expression in double quotes',
      'metadata: {regex: "(?<a>\\d+)"}',
      1,
      25,
      'not valid YAML: Invalid escape sequence \\d; an expression needs single quotes around it',
    ],
    [
      'a key of 1,100 characters',
      `${'k -('.repeat(275)}: x`,
      1,
      1,
      'not valid YAML: The : indicator must be at most 1024 chars',
    ],
    [
      'aliases of aliases',
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]',
      1,
      1,
      'aliases make it too large',
    ],
    ['a tab as indent', 'mode:\n\t- x', 2, 1, 'not valid YAML: '],
    ['a key twice', 'mode: enabled\nmode: disabled', 2, 1, 'not valid YAML: Map keys must be unique'],
    [
      'an unknown kind',
      'mode: enabled\nmetadata:\n  - json\n  - xml',
      4,
      5,
      `metadata is not valid: item 2: allowed is ${KINDS}`,
    ],
    ['a kind that is a mapping of more', 'metadata: {regex: a, preset: b}', 1, 11, `metadata is not valid: allowed is`],
    [
      'an unknown preset',
      'metadata: {preset: foo}',
      1,
      11,
      'metadata is not valid: allowed presets are auto, hugging-face, ',
    ],
    [
      'an expression that is none',
      "metadata: [{regex: 'x (?<a>['}]",
      1,
      12,
      'item 1: the expression is not valid at its character 8: ',
    ],
    [
      'an expression that looks ahead',
      "metadata: [{regex: 'x(?=y)'}]",
      1,
      12,
      'item 1: the expression is not valid at its character 2: ',
    ],
    ['an expression without a name', "metadata: {regex: 'x'}", 1, 11, 'the expression has no named group'],
    ['two documents', 'mode: enabled\n---\nmode: disabled', 2, 1, 'a second YAML document; one is allowed'],
  ])('refuses %s and says where', async (_name, text, line, column, message) => {
    const parsed = await parseOptIn(text);
    expect(parsed).toMatchObject({ ok: false, error: { line, column } });
    if (!parsed.ok) expect(parsed.error.message).toContain(message);
  });
});

describe('parseOptIn of a file that is none', () => {
  it.each([
    'hunter2_mode: x',
    'mode: "hunter2 secret"',
    'mode: {password: hunter2}',
    'password hunter2',
    'key: *hunter2',
    '"hunter2',
    '{mode: enabled} hunter2',
    '\\hunter2: @hunter2',
    'metadata: hunter2',
    'metadata: {preset: hunter2}',
    'metadata: {regex: "(hunter2"}',
    'metadata: {hunter2: x}',
  ])('quotes nothing that may be a secret: %s', async (text) => {
    const parsed = await parseOptIn(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.error.message).not.toContain('unter2');
  });
});

describe('parseOptIn of options of another version', () => {
  it.each([
    ['alone', 'retention: basic', DEFAULT, [{ line: 1, column: 1, word: 'retention' }]],
    [
      'beside known ones',
      'retention: full\nmode: metadata\nkeep (for now): [1, {a: 2}]',
      { ...DEFAULT, mode: 'metadata' },
      [
        { line: 1, column: 1, word: 'retention' },
        { line: 3, column: 1 },
      ],
    ],
    ['that are no texts', '1: x\ntrue: [y]\n~: z', DEFAULT, undefined],
    ['with a secret as a name', '"hunter2 -(": x', DEFAULT, [{ line: 1, column: 1 }]],
    ['with an unknown tag', 'key: !hunter2 x', DEFAULT, [{ line: 1, column: 1, word: 'key' }]],
  ])('ignores them: %s', async (_name, text, config, ignored) => {
    const parsed = await parseOptIn(text);
    expect(parsed).toMatchObject({ ok: true, value: { config, ...(ignored && { ignored }) } });
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });
});

describe('readOptIn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-optin-'));
  const uid = process.geteuid?.() ?? 0;
  const path = (name: string): string => join(folder, name);
  writeFileSync(path('good'), 'mode: metadata');
  writeFileSync(path('bad'), '\n mode: x');
  writeFileSync(path('large'), '#'.repeat(65_537));
  symlinkSync(path('good'), path('link'));
  execFileSync('mkfifo', [path('fifo')]);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('reads a regular file of the owner', async () => {
    expect(await readOptIn(path('good'), uid)).toEqual({ kind: 'config', config: { ...DEFAULT, mode: 'metadata' } });
  });

  it('says in one notice what it ignores', async () => {
    writeFileSync(path('coming'), `retention: off\nmode: metadata\n${'abcdef'.replace(/./g, 'later_$&: 1\n')}`);
    expect(await readOptIn(path('coming'), uid)).toEqual({
      kind: 'config',
      config: { ...DEFAULT, mode: 'metadata' },
      notice:
        `this version does not know, and ignores, options of ${path('coming')}: ` +
        'at 1:1 "retention", 3:1, 4:1, 5:1, 6:1, and 2 more',
    });
  });

  it.each(['none', 'good/under-a-file'])('finds that %s is absent', async (name) => {
    expect(await readOptIn(path(name), uid)).toEqual({ kind: 'absent' });
  });

  it.each([
    ['bad', uid, 'bad:2:2: option mode is "x"; allowed are enabled, metadata, disabled'],
    ['link', uid, 'link: it is a symbolic link; it must be a regular file'],
    ['.', uid, 'it is not a regular file'],
    ['fifo', uid, 'fifo: it is not a regular file'],
    ['large', uid, 'large: it has 65537 bytes; at most 65536 are read'],
    ['good', uid + 1, `good: it belongs to user id ${uid}; it must belong to the owner of the job, ${uid + 1}`],
  ])('refuses %s read for user %i: %s', async (name, owner, message) => {
    const optIn = await readOptIn(path(name), owner);
    expect(optIn.kind).toBe('invalid');
    if (optIn.kind === 'invalid') expect(optIn.message).toContain(message);
  });
});
