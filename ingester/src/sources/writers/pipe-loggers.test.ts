import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type Shell, startShell } from '../../testing/shell.js';
import { readLog, storePoints } from '../../testing/stored-points.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const JOB = "a-b.(1) 'x'";
const LEFT =
  /^joblens: job a-b\.\(1\) 'x' of ann: joblens (run|pipe) \(process \d+\) logs .*, so it is not logged here, too$/;

let scripts = 0;
interface Scene {
  readonly shell: Shell;
  readonly outPath: string;
  readonly points: () => Point[];
  readonly log: () => string[];
  readonly said: () => string[];
  readonly tell: (name: string) => void;
}

/** Starts a script of bash: `$run` and `$pipe` log the job into a file, `$J` is joblens, `$dir` a folder of its own. */
function start(script: string): Scene {
  scripts += 1;
  const folder = join(joblens.folder, `scene (${scripts})`);
  const outPath = join(folder, 'out.lp');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  }
  const prefix = `J=$1 dir=$2 out=$2/out.lp JOB="${JOB}"; export J dir out JOB
    run() { "$J" run --mode enabled --job "$JOB" --user ann --out "$out" "$@"; }
    pipe() { "$J" pipe --mode enabled --job "$JOB" --user ann --out "$out" "$@"; }
    export -f run pipe
    until_told() { until [ -e "$dir/$1" ]; do sleep 0.02; done; }; export -f until_told\n`;
  const shell = startShell(joblens, `${prefix}${script}`, [folder], { JOBLENS_LOG_LEVEL: 'info' });
  const points = (): Point[] =>
    existsSync(outPath) ? storePoints(readFileSync(outPath, 'utf8').split('\n').slice(0, -1)) : [];
  return {
    ...{ shell, outPath, points },
    log: () => readLog(points().filter(({ tags }) => tags.get('stream') === 'stdout')),
    said: () =>
      shell
        .stderr()
        .split('\n')
        .filter((line) => LEFT.test(line)),
    tell: (name) => writeFileSync(join(folder, name), ''),
  };
}

const PRINTED = 'one\n{"n": 1}\ntwo é\n';
const PROGRAMS = {
  both: `printf 'one\\n{"n": 1}\\ntwo é\\n'; exit 3`,
  print: 'echo one; until_told killed; for i in $(seq 2000); do echo "line $i"; done; until_told seen; echo last',
};

describe('two joblens of one job in one pipe', () => {
  it.each([
    ['run within run', `run -- bash -c 'run -- "$dir/both"'`, 3],
    ['run within run within run', `run -- bash -c 'run -- bash -c "run -- \\"\\$dir/both\\""'`, 3],
    ['run into pipe', `run -- "$dir/both" | pipe --tee`, 3],
    ['run into tee into pipe', `run -- "$dir/both" | tee "$dir/copy" | pipe --tee`, 3],
    ['pipe into pipe', `"$dir/both" | pipe --tee | pipe --tee`, 3],
    ['pipe within run', `run -- bash -o pipefail -c '"$dir/both" | pipe --tee'`, 3],
    ['run into pipe within run', `run -- bash -o pipefail -c 'run -- "$dir/both" | pipe --tee'`, 3],
  ])('log each line once: %s', async (_name, script, code) => {
    const scene = start(`set -o pipefail; ${script}`);
    expect(await scene.shell.ended).toBe(code);
    expect(scene.shell.stdout()).toBe(PRINTED);
    expect(scene.log().filter((line) => /one|two/.test(line))).toEqual(['one', 'two é']);
    expect(scene.points().filter(({ measurement }) => measurement === 'job_metadata')).toHaveLength(1);
    expect(scene.said().length).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ['of another job', `run -- bash -c '"$J" run --mode enabled --job other --out "$out" -- echo one'`, 2],
    ['that logs in another mode', `run -- bash -c '"$J" run --mode metadata --job "$JOB" --out "$out" -- echo one'`, 1],
    ['into another place', `run -- bash -c 'out="$out.2" run -- echo one'; cat "$out.2" >> "$out"`, 2],
    ['whose output goes elsewhere', `run -- bash -c 'run -- echo one > "$dir/file" 2>&1'`, 1],
    ['whose output is changed on its way', `run -- echo one | sed s/one/one/ | pipe`, 2],
    ['behind one that has not opted in', `run -- echo one | "$J" pipe --tee --job "$JOB" --user ann --out "$out"`, 1],
  ])('both log where one must: %s', async (_name, script, count) => {
    const scene = start(script);
    expect(await scene.shell.ended).toBe(0);
    expect(scene.log().filter((line) => line === 'one')).toHaveLength(count);
    expect(scene.said()).toEqual([]);
  });

  it('tell the state of the job once, as the outer run sees it', async () => {
    const scene = start(`run --name outer -- bash -c 'run --name inner --tag lr=0.1 -- bash -c "exit 9"; true'`);
    expect(await scene.shell.ended).toBe(0);
    const changes = scene.points().filter(({ measurement }) => measurement === 'job_transition');
    expect(changes.map(({ tags }) => tags.get('to_state'))).toEqual(['RUNNING', 'COMPLETED']);
    const described = scene.points().filter(({ measurement }) => measurement === 'job');
    expect(described.filter(({ fields }) => fields.get('state') === 'FAILED')).toEqual([]);
  });

  it.each([
    ['run', `run -- bash -c 'run -- "$dir/print"'`],
    ['pipe', `run -- "$dir/print" | pipe --tee`],
  ])('lose nothing when the one that logs is killed: %s', async (_kind, script) => {
    const scene = start(script);
    await until(() => scene.log().includes('one') && scene.said().length > 0);
    const logger = /process (\d+)/.exec(scene.said()[0] ?? '')?.[1];
    process.kill(Number(logger), 'SIGKILL');
    scene.tell('killed');
    await until(() => scene.log().includes('line 2000'));
    scene.tell('seen');
    await scene.shell.ended;
    const lines = scene.log();
    const all = Array.from({ length: 2000 }, (_, i) => `line ${i + 1}`);
    expect(lines.filter((line) => line.startsWith('line '))).toEqual(all);
    expect(lines).toContain('last');
    expect(scene.shell.stdout()).toBe(['one', ...all, 'last', ''].join('\n'));
  });

  it('leave nothing behind', async () => {
    const scene = start(`run -- bash -c 'run -- echo one' | pipe --tee`);
    expect(await scene.shell.ended).toBe(0);
    const pids = scene.said().map((line) => Number(/process (\d+)/.exec(line)?.[1]));
    expect(pids.length).toBeGreaterThan(0);
    expect(listNotes().filter(({ by }) => pids.includes(by[0]))).toEqual([]);
  });
});

function listNotes(): { by: [number, string] }[] {
  const folder = join('/dev/shm', `joblens-${process.geteuid?.() ?? 0}`);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('pipe-')) : [];
  return names.flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as { by: [number, string] }];
    } catch {
      // It has been removed meanwhile.
      return [];
    }
  });
}
