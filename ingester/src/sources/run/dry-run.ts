import { formatManifest } from '@joblens/core/experiment/manifest';
import { type ReproduceLevel, selectTold } from '../../rules/options/reproduce.js';
import { resolveOptIn } from '../../session/resolve-opt-in.js';
import type { SessionOptions } from '../../session/session-options.js';
import { describeJob } from '../describe-job.js';
import { takeKept } from './kept-run.js';
import { withReproduce } from './run.js';

interface DryRunOptions extends SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly inputs: readonly string[];
  readonly reproduce: ReproduceLevel | undefined;
}

/** Prints what would be kept of a run, and runs nothing. Returns the exit code. */
export async function printRun(options: DryRunOptions): Promise<number> {
  const { settings, host, report } = options;
  const decided = withReproduce(await resolveOptIn(settings.optIn, host.uid), options);
  if (decided.kind !== 'config') {
    report.error(decided.kind === 'invalid' ? decided.message : 'nothing is kept, and nothing logged: no opt-in');
    return 1;
  }
  const { reproduce: level = 'off', mode } = decided.config;
  if (level === 'off') {
    report.info('nothing is kept of what the run is: reproduce is off; give --reproduce basic, or full');
    return 0;
  }
  const { config } = await describeJob(settings, report);
  const run = await takeKept(options, { level, config }, new AbortController().signal);
  const told = selectTold(run, level, mode);
  if (told === undefined) {
    report.info('nothing is kept of what the run is, unless a command changes the mode: it is disabled');
    return 0;
  }
  host.writeStdout(`${JSON.stringify(JSON.parse(formatManifest(told.manifest)), null, 2)}\n`);
  for (const [name, lines] of told.texts) {
    host.writeStdout(`\n=== ${name} ===\n${lines.map((line) => `${line}\n`).join('')}`);
  }
  return 0;
}
