import type { Output } from '../../pipeline/output.js';
import type { SessionOptions } from '../../session.js';
import { openConfiguredOutput } from '../../session.js';
import type { FileDiscovery } from './file-discovery.js';
import { createFileSystem } from './file-system.js';
import { FolderHints } from './folder-hints.js';
import type { FindOwner } from './owner.js';
import { createPathDiscovery } from './path-discovery.js';
import { WatchedJobs } from './watched-jobs.js';
import { Watcher } from './watcher.js';

export interface WatchOptions extends SessionOptions {
  readonly paths: readonly string[];
  /** Finds the files in place of the paths. */
  readonly createDiscovery?: ((output: Output) => FileDiscovery) | undefined;
  readonly findOwner: FindOwner;
  /** Whether the user named a job (--job), which then is the job of every file. */
  readonly typedJob: string | undefined;
  readonly typedUser: string | undefined;
  /** After this time without a change a file's last line counts as complete; 10 minutes by default. */
  readonly quietTimeoutMs?: number;
}

/** Follows output files until SIGINT or SIGTERM, also files that appear later. Returns the exit code. */
export async function watch(options: WatchOptions): Promise<number> {
  const { host, settings, report, paths, typedJob, quietTimeoutMs } = options;
  const output = await openConfiguredOutput(options, 'watch');
  if (output === undefined) return 1;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.onSignal(signal, () => stop.abort());

  const nowMs = (): number => host.clock.nowMs();
  const jobs = new WatchedJobs({ ...options, output, restored: output.restored });
  const watcher = new Watcher({
    ...{ jobs, report, findOwner: options.findOwner, clock: host.clock, random: host.random },
    ...(quietTimeoutMs !== undefined && { quietTimeoutMs }),
    discovery: options.createDiscovery?.(output) ?? createPathDiscovery({ paths, typedJob, nowMs }),
    fileSystem: createFileSystem(),
    createHints: (onHint) => new FolderHints(onHint, nowMs, (message) => report.debug(message)),
  });
  stop.signal.addEventListener('abort', () => jobs.hurry());
  report.info(options.createDiscovery === undefined ? `following ${paths.join(' ')}` : 'following the files of jobs');
  await watcher.run(stop.signal);
  await watcher.close(!output.isLocal);
  await jobs.suspend();
  return (await output.close(settings.drainTimeoutMs)) ? 0 : 1;
}
