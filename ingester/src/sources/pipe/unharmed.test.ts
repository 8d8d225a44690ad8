import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { readLog, storePoints } from '../../testing/stored-points.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

let files = 0;
/** Options that log into a file of its own, and functions that read the file. */
function logInto(): { path: string; options: string; size: () => number; read: () => string[] } {
  files += 1;
  const path = join(joblens.folder, `out-${files}.lp`);
  return {
    path,
    options: `--mode enabled --job j --user ann --limit-lines 1e9 --limit-bytes 1e9 --out ${path}`,
    size: () => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
    read: () => readLog(storePoints(readFileSync(path, 'utf8').trimEnd().split('\n'))),
  };
}

/**
 * Runs a bash script in which $JOBLENS is the command. Returns its output once every process that holds it has ended.
 */
function runScript(script: string, environment: Record<string, string> = {}): { stdout: string; stderr: string } {
  const path = join(joblens.folder, 'script.sh');
  writeFileSync(path, script);
  const { PATH, ...rest } = { PATH: process.env['PATH'] ?? '', ...environment };
  const env = { PATH, HOME: joblens.folder, JOBLENS: joblens.command, JOBLENS_LOG_LEVEL: 'warn', ...rest };
  return spawnSync('bash', [path], { env, encoding: 'utf8', timeout: 90_000 });
}

describe('a program that writes to joblens pipe', () => {
  /** Waits in the middle until joblens was harmed. */
  const COUNT = `for i in $(seq 3000); do
    echo $i
    [ $i != 1000 ] || { touch go; until [ -e harmed ]; do sleep 0.02; done; }
    [ $((i % 100)) != 0 ] || sleep 0.02
  done; echo "wrote all" >&2`;
  const COUNTED = Array.from({ length: 3000 }, (_, i) => `${i + 1}\n`).join('');
  /** A folder of its own, in which joblens reads from descriptor 3, and is sent a signal once it logs. */
  const harm = (signal: string, { path, options }: { path: string; options: string }): string => `
    mkdir ${path}.d; cd ${path}.d
    exec 3> >(echo $BASHPID > pid; exec $JOBLENS pipe ${options})
    (until [ -e go ] && [ -s ${path} ]; do sleep 0.02; done; kill -${signal} $(cat pid); touch harmed) &
    (${COUNT}) >&3`;

  it.each(['KILL', 'TERM'])(
    'writes to its end after SIG%s of joblens; with --tee every byte passes through',
    (signal) => {
      const { options, path } = logInto();
      const { stdout, stderr } = runScript(harm(signal, { path, options: `--tee ${options}` }));
      expect(stdout).toBe(COUNTED);
      expect(stderr).toContain('wrote all\n');
    }
  );

  it('writes to its end without --tee too', () => {
    expect(runScript(harm('KILL', logInto())).stderr.split('\n').sort()).toEqual([
      '',
      'joblens ended before the program that it logs; the output of that still passes through, but it is not logged any more',
      'wrote all',
    ]);
  });

  it('is read where there can be no pipes', () => {
    const { options, read } = logInto();
    const folder = mkdtempSync(join(joblens.folder, 'no-mkfifo-'));
    writeFileSync(join(folder, 'mkfifo'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect(runScript(`echo a | PATH=${folder}:$PATH $JOBLENS pipe --tee ${options}`)).toMatchObject({
      stdout: 'a\n',
      stderr: '',
    });
    expect(read()).toEqual(['a']);
  });

  it('does not have to wait when it logs with --tee and the log has a fault', () => {
    const spoil = join(joblens.folder, 'spoil.cjs');
    const deed = `clearInterval(timer); require('fs').writeFileSync('harmed', ''); throw new Error('spoilt');`;
    const { path, options } = logInto();
    // Joblens that is still starting would say that it cannot.
    const isLogging = `require('fs').existsSync('go') && require('fs').existsSync('${path}') && require('fs').statSync('${path}').size > 0`;
    writeFileSync(spoil, `const timer = setInterval(() => { if (${isLogging}) { ${deed} } }, 20);`);
    const { stdout, stderr } = runScript(
      `mkdir ${path}.d; cd ${path}.d; (${COUNT}) | JOBLENS_NODE_OPTIONS='--require ${spoil}' $JOBLENS pipe --tee ${options}`
    );
    expect(stdout).toBe(COUNTED);
    expect(stderr).toContain('joblens: the logging has failed; the job continues');
    expect(stderr).toContain('wrote all\n');
  });
});

describe('joblens pipe at SIGTERM', () => {
  it('logs what stands in the pipe', async () => {
    const out = logInto();
    const child = joblens.start(['pipe', ...out.options.split(' ').map((word) => (word === '1e9' ? '1e5' : word))]);
    const lines = Array.from({ length: 150_000 }, (_, i) => `${i}`);
    child.write(`${lines.join('\n')}\n`);
    await until(() => out.size() > 0);
    child.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 143, signal: null });
    expect(out.read()).toEqual(lines);
  });

  it('goes on while its writer still has something to say', () => {
    const out = logInto();
    // More than the pipe holds, without a pause: each program that it starts might come late.
    const last = 'for i in $numbers; do echo last $i; done';
    runScript(`cd ${joblens.folder}; exec 3> >(echo $BASHPID > pid; exec $JOBLENS pipe ${out.options})
      echo first >&3; until grep -qs first ${out.path}; do sleep 0.02; done
      numbers=$(seq 20000); pid=$(cat pid); kill -TERM $pid; ${last} >&3; exec 3>&-; wait $!`);
    expect(out.read()).toEqual(['first', ...Array.from({ length: 20_000 }, (_, i) => `last ${i + 1}`)]);
  });
});

describe('joblens pipe in a batch script', () => {
  it('loses nothing at the end of the script', () => {
    const out = logInto();
    const script = `exec > >($JOBLENS pipe --tee ${out.options}) 2>&1
trap 'code=$?; exec >&- 2>&-; wait $!; exit $code' EXIT
seq 20000; exit 7`;
    expect(runScript(script)).toMatchObject({ status: 7, stderr: '' });
    expect(out.read()).toHaveLength(20_000);
  });
});
