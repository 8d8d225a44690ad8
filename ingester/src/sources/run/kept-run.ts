import { tmpdir } from 'node:os';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import type { TakenRun } from '../../rules/options/reproduce.js';
import type { LoggingDecision } from '../../session/decide-logging.js';
import type { SessionOptions } from '../../session/session-options.js';
import { createSystemFiles } from '../../usage/system-files.js';
import { withoutOwnSecrets } from './command.js';

interface RunToKeep extends SessionOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly inputs: readonly string[];
}

interface Known {
  readonly decided: LoggingDecision;
  /** JSON, as it is stored. */
  readonly config: string | undefined;
}

/** What a run is, being taken. */
export interface KeptRun {
  /** Call it when the command has ended: what was not taken by then, or a little later, is given up. */
  end(): Promise<void>;
}

/** All programs that are run for it together, on the processor. */
const MAX_CPU_MS = 1000;
/** A slow file system may let them wait. */
const PATIENCE_MS = 60_000;
/** After the end of the command, and after that until what is there is put together. */
const [GRACE_MS, LAST_MS] = [1000, 500];

/** Takes what the run is, beside the command and at the lowest priority. The first task of a job does it for all. */
export function startKeeping(pipeline: JobPipeline, run: RunToKeep, known: Known): KeptRun | undefined {
  const { settings, host } = run;
  const level = known.decided.kind === 'config' ? known.decided.config.reproduce : undefined;
  if (level === undefined || level === 'off' || !settings.isLeader) return undefined;
  const stopped = new AbortController();
  const ended = new AbortController();
  void host.clock.sleep(PATIENCE_MS, ended.signal).then(() => stopped.abort('its files are too slow'));
  const taking = takeKept(run, { ...known, level }, stopped.signal).then((taken) => pipeline.tellRun(taken));
  const taken = pipeline.contain(() => taking).then(() => ended.abort());
  return {
    async end() {
      await Promise.race([taken, host.clock.sleep(GRACE_MS, ended.signal)]);
      stopped.abort('the command ended before it was read');
      await Promise.race([taken, host.clock.sleep(LAST_MS, ended.signal)]);
      ended.abort();
    },
  };
}

/** Takes what a run is until it is stopped, for the reason that the signal has. */
export async function takeKept(
  { settings, host, command, args, inputs }: RunToKeep,
  { level, config }: Pick<Known, 'config'> & { readonly level: 'basic' | 'full' },
  stopped: AbortSignal
): Promise<TakenRun> {
  const [{ BoundedPrograms }, { takeRun }] = await Promise.all([
    import('../../experiment/bounded-programs.js'),
    import('../../experiment/take-run.js'),
  ]);
  const programs = new BoundedPrograms(MAX_CPU_MS);
  stopped.addEventListener('abort', () => programs.stop(String(stopped.reason)));
  if (stopped.aborted) programs.stop(String(stopped.reason));
  return takeRun({
    ...{ level, config, inputs, programs, files: createSystemFiles() },
    argv: [command, ...args],
    folder: host.machine.workFolder,
    environment: withoutOwnSecrets(host.environment),
    secrets: settings.secrets,
    scratchFolder: tmpdir(),
  });
}
