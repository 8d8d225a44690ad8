import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { createRepository, git, randomRepository } from '../../experiment/testing/random-repository.js';
import { prepareJoblens } from '../../testing/joblens.js';

const joblens = prepareJoblens();
const own = mkdtempSync(join(tmpdir(), "joblens kill-é'"));
const other = join(own, 'other');
const bin = join(own, 'bin');
const [countFile, killedFile, outFile] = ['count', 'killed', 'out.lp'].map((name) => join(own, name)) as [
  ...[string, string, string],
];
afterAll(() => {
  joblens.remove();
  rmSync(own, { recursive: true, force: true });
});

/** A git that, when it is asked for the KILL_AT-th time, kills who asks and itself after so many turns of a loop. */
const KILLING_GIT = `#!/bin/sh
n=$(($(cat "$COUNT_FILE") + 1))
echo $n > "$COUNT_FILE"
[ $n = "$KILL_AT" ] || exec "$REAL_GIT" "$@"
"$REAL_GIT" "$@" &
turn=0
while [ $turn -lt "$KILL_AFTER" ]; do turn=$((turn + 1)); done
kill -9 $PPID
kill -9 $!
wait
echo killed > "$KILLED_FILE"
`;

beforeAll(() => {
  mkdirSync(other);
  git(other, 'init', '--quiet');
  writeFileSync(join(other, 'x'), 'x\n');
  git(other, 'add', 'x');
  git(other, 'commit', '--quiet', '--message=x');
  mkdirSync(bin);
  writeFileSync(join(bin, 'git'), KILLING_GIT);
  chmodSync(join(bin, 'git'), 0o755);
});

/**
 * It ends once the snapshot is killed, or stored where it asks git less often. A busy machine may let the snapshot give
 * up before that: then nothing is killed or stored, and the command ends by itself.
 */
const COMMAND = `looks=0
until [ -s "$KILLED_FILE" ] || grep -q manifest= "$OUT_FILE" || [ $looks -ge 400 ]; do looks=$((looks + 1)); sleep 0.05; done
echo here; exit 3`;

/** Runs the command in a repository, with all that is asked of a run. */
function runIn(
  cwd: string,
  environment: Readonly<Record<string, string>>
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const args = ['run', '--job', 'k-(1)', '--user', 'ann', '--mode', 'enabled', '--reproduce', 'full', '--out', outFile];
  const child = spawn(joblens.command, [...args, '--', 'sh', '-c', COMMAND], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'ignore'] },
    env: { HOME: joblens.folder, JOBLENS_LOG_LEVEL: 'error', JOBLENS_HEALTH: 'off', ...environment },
  });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout }));
  });
}

/** Every file below a folder. git renews the times of objects that it would write again. */
function fingerprint(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const time = path.includes('/.git/objects/') ? '' : statSync(path).mtimeMs;
      return `${path} ${time} ${readFileSync(path).toString('base64')}`;
    });
}

const killing = fc.record({
  repository: randomRepository,
  at: fc.integer({ min: 1, max: 12 }),
  after: fc.oneof(fc.constant(0), fc.nat({ max: 20_000 })),
});

it(
  'leaves the repository as it is, without a lock, and the command undisturbed when it is killed in the middle',
  async () => {
    const REAL_GIT = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    let kills = 0;
    await fc.assert(
      fc.asyncProperty(killing, async ({ repository, at, after }) => {
        const folder = mkdtempSync(join(joblens.folder, 'r'));
        createRepository(folder, other, repository);
        const scratch = mkdtempSync(join(own, 'scratch'));
        const before = fingerprint(folder);
        writeFileSync(countFile, '0');
        writeFileSync(outFile, '');
        rmSync(killedFile, { force: true });
        const ended = await runIn(folder, {
          ...{
            PATH: `${bin}:${env['PATH']}`,
            REAL_GIT,
            TMPDIR: scratch,
            KILL_AT: String(at),
            KILL_AFTER: String(after),
          },
          ...{ COUNT_FILE: countFile, KILLED_FILE: killedFile, OUT_FILE: outFile },
        });
        expect([ended.code, ended.stdout]).toEqual([3, 'here\n']);
        expect(fingerprint(folder)).toEqual(before);
        kills += readdirSync(own).includes('killed') ? 1 : 0;
        rmSync(folder, { recursive: true });
        rmSync(scratch, { recursive: true });
      }),
      { numRuns: randomCases(8), endOnFailure: true }
    );
    expect(kills).toBeGreaterThan(0);
  },
  600_000 * Math.max(1, randomCases(1))
);
