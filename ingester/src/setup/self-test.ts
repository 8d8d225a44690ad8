import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ifThere } from '@joblens/core/result/is-gone';
import { describeFileError } from '../host/file-error.js';
import type { Finding } from '../operate/finding.js';
import { printFindings } from '../operate/print-findings.js';
import type { SessionOptions } from '../session/session-options.js';

const TIMEOUT_MS = 30_000;
const METADATA = '{"epoch": 1, "loss": 0.5}';
const EXIT_CODE = 3;
/** A bar that moves, a row of a table, a line on each stream, and an exit code of its own. */
const PROGRAM = `printf '  0%%\\r100%%\\n${METADATA}\\n'; echo broken >&2; exit ${EXIT_CODE}`;

/** What came out of the job, and what was logged of it. */
interface Outcome {
  readonly exit: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly points: string;
}

type Check = (outcome: Outcome) => boolean;

const CHECKS: readonly (readonly [name: string, passed: string, check: Check])[] = [
  [
    'command',
    'ran as it is: its output and its exit code came through unchanged',
    ({ exit, stdout, stderr }) => exit === EXIT_CODE && stdout === `  0%\r100%\n${METADATA}\n` && stderr === 'broken\n',
  ],
  [
    'log',
    'both streams were logged as a terminal shows them',
    ({ points }) =>
      points.includes('line="100%"') && points.includes('line="broken"') && !points.includes('line="  0%'),
  ],
  ['metadata', `${METADATA} became a row of a table`, ({ points }) => points.includes(' epoch=1,loss=0.5 ')],
  [
    'end',
    'the state and the exit code of the job were logged',
    ({ points }) => points.includes('state="FAILED"') && points.includes(`exit_code=${EXIT_CODE}`),
  ],
];

/** Runs and logs a job with what is installed here, prints what was checked, and returns the exit code. */
export async function selfTest({ host }: SessionOptions): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-self-test-'));
  try {
    const outcome = await runJob(join(host.installFolder, 'bin', 'joblens'), folder, host.environment['PATH']);
    const findings = CHECKS.map(([name, passed, check]): Finding => {
      if (check(outcome)) return { state: 'ok', name, message: passed };
      return { state: 'fail', name, message: explain(name, outcome) };
    });
    return printFindings(host, findings) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing of the user's and the scheduler's environment counts. */
function runJob(launcher: string, folder: string, path = '/usr/bin:/bin'): Promise<Outcome> {
  const out = join(folder, 'points.lp');
  const words = ['run', '--mode', 'enabled', '--job', 'self-test', '--out', out, '--', '/bin/sh', '-c', PROGRAM];
  const env = { PATH: path, HOME: folder, LC_ALL: 'C', JOBLENS_LOG_LEVEL: 'warn', JOBLENS_SITE_FILE: 'off' };
  const child = spawn(launcher, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => void (printed[name] += text));
  return new Promise((resolve) => {
    const end = (exit: number | string): void => resolve({ exit, ...printed, points: readPoints(out) });
    child.once('error', (error) => end(error.message));
    child.once('close', (code, signal) => end(code ?? `ended by ${String(signal)}`));
  });
}

function readPoints(path: string): string {
  try {
    return ifThere(() => readFileSync(path, 'utf8')) ?? '';
  } catch (error) {
    return `cannot read ${path}: ${describeFileError(error)}`;
  }
}

function explain(name: string, { exit, stdout, stderr, points }: Outcome): string {
  const found =
    name === 'command'
      ? `exit ${exit}, stdout ${JSON.stringify(stdout)}, stderr ${JSON.stringify(stderr)}`
      : `${points === '' ? 'no points' : JSON.stringify(points)}; stderr ${JSON.stringify(stderr)}`;
  return `is not as it should be; install joblens again. Found: ${found}`;
}
