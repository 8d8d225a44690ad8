import { runToEnd } from '../host/run-to-end.js';
import type { Finding } from './finding.js';

const LIMITS = { timeoutMs: 5000, maxBytes: 2 ** 20 };
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
  const { kind, code, stdout, stderr } = await runToEnd('scontrol', ['ping'], LIMITS);
  if (kind === 'not-started' && code === 'ENOENT') return undefined;
  if (kind === 'ended' && code === 0) return toOneLine(stdout.toString('utf8'));
  const found = kind === 'late' ? 'no answer in time' : code;
  return toOneLine(`${stdout.toString('utf8')}\n${stderr.toString('utf8')}`) || `scontrol ping failed (${found})`;
}

function toOneLine(text: string): string {
  return text.trim().replace(/(?<!\s)[^\S\n]*\n\s*/g, '; ');
}
