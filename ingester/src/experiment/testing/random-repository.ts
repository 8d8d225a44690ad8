import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import fc from 'fast-check';

const ENVIRONMENT = {
  ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', PATH: env['PATH'] },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
};

/** Runs git for a test, with no settings but those of the repository. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], {
    ...{ cwd: folder, env: ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString();
}

const NAMES = [
  ...[
    'a',
    'b.txt',
    '-rf',
    '--cached',
    'with space',
    ' lead',
    'it"s',
    "it's",
    'back\\slash',
    'é(1).txt',
    '😀',
    'tab\there',
  ],
  ...['src/main.py', 'src/-x', 'src/deep/er/[x]*.py', 'new\nline', '#hash', ':colon', '!bang', '.hidden', 'a.b/c'],
];
const CONTENTS: readonly Buffer[] = [
  ...['', 'one\n', 'no newline at the end', 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n', 'crlf\r\nlines\r\n'],
  ...['diff --git a/x b/x\n', '\r', '\ufeffbom\n', 'é\u2028\n', 'tail  \n\n\n'],
]
  .map((text) => Buffer.from(text))
  .concat([
    Buffer.from([0xff, 0xfe, 0x0a, 0xe9, 0x0a]),
    Buffer.from([0, 1, 2, 3, 255, 10, 0]),
    Buffer.concat([Buffer.alloc(9000, 'x\n'), Buffer.from([0, 0xe9, 10])]),
    Buffer.from(Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join('')),
  ]);

type Edit =
  | { readonly kind: 'write' | 'append'; readonly name: string; readonly content: number }
  | { readonly kind: 'stage' | 'remove' | 'chmod' | 'link' | 'intend' | 'same-size'; readonly name: string }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'submodule' | 'nested' };

const name = fc.constantFrom(...NAMES);
const content = fc.nat({ max: CONTENTS.length - 1 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('write' as const, 'append' as const), name, content }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('stage', 'remove', 'chmod', 'link', 'intend', 'same-size' as const),
      name,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('submodule' as const, 'nested' as const) }) }
);

/** What is committed, and what is done after that. */
export interface RandomRepository {
  readonly committed: ReadonlyArray<readonly [name: string, content: number]>;
  readonly edits: readonly Edit[];
  readonly ignores: boolean;
  readonly isUnborn: boolean;
}

export const randomRepository: fc.Arbitrary<RandomRepository> = fc.record({
  committed: fc.array(fc.tuple(name, content), { maxLength: 10 }),
  edits: fc.array(edit, { maxLength: 12 }),
  ignores: fc.boolean(),
  isUnborn: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});

/** Makes it in an empty folder. `other`: a repository with a commit, for submodules. */
export function createRepository(
  folder: string,
  other: string,
  { committed, edits, ignores, isUnborn }: RandomRepository
): void {
  git(folder, 'init', '--quiet', '--initial-branch=main');
  for (const [each, at] of committed) if (canWrite(folder, each)) put(folder, each, CONTENTS[at]);
  if (ignores) {
    put(folder, '.gitignore', Buffer.from('*.txt\n'));
    put(folder, '.gitattributes', Buffer.from('b* text eol=crlf\na* -text\nsrc/** diff=python\n'));
  }
  if (!isUnborn) {
    git(folder, 'add', '--all', '--force');
    git(folder, 'commit', '--quiet', '--allow-empty', '--message=x');
  }
  for (const each of edits) {
    try {
      apply(folder, other, each);
    } catch {
      // A folder is where a file would be, or the other way round.
    }
  }
}

function canWrite(folder: string, file: string): boolean {
  const place = join(folder, file);
  return !existsSync(place) || lstatSync(place).isFile();
}

function put(folder: string, file: string, bytes: Buffer = Buffer.alloc(0)): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), bytes);
}

function apply(folder: string, other: string, each: Edit): void {
  const place = 'name' in each ? join(folder, each.name) : '';
  switch (each.kind) {
    case 'write':
      put(folder, each.name, CONTENTS[each.content]);
      break;
    case 'append':
      put(folder, each.name, Buffer.concat([readFileSync(place), CONTENTS[each.content] ?? Buffer.alloc(0)]));
      break;
    case 'same-size': {
      // Within the second of the commit, neither size nor time tells of it.
      const bytes = readFileSync(place);
      put(folder, each.name, Buffer.from(bytes.map((byte) => (byte === 0x6f ? 0x75 : byte))));
      break;
    }
    case 'stage':
      git(folder, 'add', '--force', '--', each.name);
      break;
    case 'intend':
      git(folder, 'add', '--force', '--intent-to-add', '--', each.name);
      break;
    case 'remove':
      rmSync(place, { recursive: true });
      break;
    case 'chmod':
      chmodSync(place, 0o755);
      break;
    case 'link':
      rmSync(place, { force: true });
      symlinkSync('nowhere/é', place);
      break;
    case 'rename':
      mkdirSync(dirname(join(folder, each.to)), { recursive: true });
      renameSync(place, join(folder, each.to));
      break;
    case 'submodule':
      git(folder, 'submodule', '--quiet', 'add', '--force', other, 'sub module');
      break;
    case 'nested':
      git(folder, 'clone', '--quiet', other, 'nested-é');
      break;
  }
}
