import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Finding } from './finding.js';

const run = promisify(execFile);
const TIMEOUT_MS = 5000;
const NAME = 'Slurm';

/** Checks that Slurm's programs are installed and its controller answers. Only `watch --slurm` needs them. */
export async function checkSlurm(): Promise<Finding> {
  const found = await pingController();
  if (found === undefined) {
    return { state: 'ok', name: NAME, message: 'not on this machine (no scontrol); only watch --slurm needs it' };
  }
  if (/\bis UP\b/.test(found)) return { state: 'ok', name: NAME, message: found };
  return { state: 'warn', name: NAME, message: `${found}; for watch --slurm check SLURM_CONF and that slurmctld runs` };
}

/**
 * The answer of `scontrol ping` on one line, which also tells that a controller is down. Undefined where there is no
 * scontrol.
 */
async function pingController(): Promise<string | undefined> {
  try {
    return toOneLine((await run('scontrol', ['ping'], { timeout: TIMEOUT_MS })).stdout);
  } catch (error) {
    const { stdout = '', stderr = '', code } = error as { stdout?: string; stderr?: string; code?: string | number };
    if (code === 'ENOENT') return undefined;
    return toOneLine(`${stdout}\n${stderr}`) || `scontrol ping failed (${String(code ?? 'no answer in time')})`;
  }
}

function toOneLine(text: string): string {
  return text.trim().replace(/(?<!\s)[^\S\n]*\n\s*/g, '; ');
}
