import {
  fileClaimsQuery,
  jobWritersQuery,
  readFileClaims,
  readJobWriters,
} from '@joblens/core/ask/heartbeats/job-writers';
import type { FileClaim } from '@joblens/core/schema/file-claim';
import type { JobSource } from '@joblens/core/schema/measurements';
import { describeFileError } from '../../host/file-error.js';
import { formatJobKey } from '../../pipeline/job-state.js';
import type { JobPipeline } from '../../pipeline/job-pipeline.js';
import { createAskStore } from '../../read-back/shell/ask-store.js';
import type { SessionOptions } from '../../session/session-options.js';
import { identifyOutput, isPipe } from './identify-file.js';
import { RENEW_MS } from './other-loggers.js';
import { doesLeadTo } from './pipe-readers.js';

/** The time that the store has to say who follows our output, which waits meanwhile. */
const PATIENCE_MS = 1000;

/** A `watch` has claimed a file that it follows since then, also one that does not grow. */
const CLAIMS_MS = RENEW_MS + 1_200_000;

/** Where the output of a job goes, and who else logs it from there. */
export interface OwnOutputs {
  /** The descriptors whose file a `watch` follows for the same job, and pipes into one. */
  readonly followed: ReadonlySet<number>;
  /** Whether a pipe is among them. */
  readonly isPiped: boolean;
  /** The files behind all of them, each by a hash; none if one leads elsewhere. */
  readonly files: readonly string[];
}

/**
 * Finds out from the heartbeats in the store whether a `watch` follows the files that the descriptors lead to. A store
 * that does not answer knows nobody: losing nothing is better than doubles. A pipe that cannot be looked through leads
 * to such a file where a scheduler names the job: it hands what the steps print on to the file that it made.
 */
export async function findOwnOutputs(options: SessionOptions, fds: readonly number[]): Promise<OwnOutputs> {
  const found = await Promise.all(fds.map((fd) => orSay(options, identifyOutput(fd))));
  const files = found.filter((file) => file !== undefined);
  const { isWatched, isScheduled, source } = options.settings;
  // Nobody sees who reads a socket, so there only a scheduler's word counts.
  const pipes = isWatched === false ? [] : fds.filter((fd) => isPipe(fd, isScheduled));
  const isToAsk = files.length > 0 || (pipes.length > 0 && isWatched === undefined);
  const watched = isToAsk ? await askForWatched(options, source) : new Set<string>();
  const followed = new Set(fds.filter((_fd, i) => watched.has(found[i] ?? '')));
  const isLed = async (fd: number): Promise<boolean> =>
    isWatched ?? (watched.size > 0 && ((await orSay(options, doesLeadTo(fd, watched))) ?? isScheduled));
  for (const fd of pipes) if (await isLed(fd)) followed.add(fd);
  return {
    followed,
    isPiped: pipes.some((fd) => followed.has(fd)),
    files: files.length < fds.length ? [] : [...new Set(files)],
  };
}

/** What nobody can tell is said, and taken for nothing. */
async function orSay<T>({ report }: SessionOptions, asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const found = describeFileError(error);
    report.warn(`nobody can tell where the output goes (${found}): if joblens watch follows it, lines come twice`);
    return undefined;
  }
}

/** Says who logs the job. Who logs only a part of its output says nothing: the rest is the watch's. */
export function noteOwnOutputs(
  pipeline: JobPipeline,
  { followed, isPiped, files }: OwnOutputs,
  { settings: { source, destination }, report }: SessionOptions
): void {
  // Nobody asks a file who logs a job.
  if (destination?.kind !== 'influxdb') return;
  if (followed.size === 0) {
    pipeline.noteWriter({ kind: 'run', files });
    return;
  }
  const unless = isPiped ? '; --watcher no logs it here' : '';
  report.info(
    `job ${source.job} of ${source.user}: joblens watch follows its output, which is logged there alone${unless}`
  );
}

async function askForWatched({ settings, host }: SessionOptions, source: JobSource): Promise<ReadonlySet<string>> {
  const { destination } = settings;
  if (destination?.kind !== 'influxdb') return new Set();
  const ask = createAskStore({ ...destination.connection, timeoutMs: PATIENCE_MS });
  const nowMs = host.clock.nowMs();
  const answer = await ask([jobWritersQuery(nowMs), fileClaimsQuery(nowMs - CLAIMS_MS, source.job)]);
  if (!answer.ok) return new Set();
  const isOurs = (one: JobSource): boolean => formatJobKey(one) === formatJobKey(source);
  // What a `watch` has said of a file last.
  const newest = new Map<string, FileClaim>();
  for (const { claim } of readFileClaims(answer.value[1]).filter(isOurs)) {
    const key = `${claim.id} ${claim.file}`;
    if (!newest.has(key)) newest.set(key, claim);
  }
  const said = readJobWriters(answer.value[0])
    .filter(isOurs)
    .flatMap(({ writer }) => (writer.kind === 'watch' ? writer.files.map((file) => [writer.id, file] as const) : []));
  const claimed = [...newest.values()].filter(({ kind }) => kind !== 'left').map(({ file }) => file);
  return new Set([...claimed, ...said.filter((words) => !newest.has(words.join(' '))).map(([, file]) => file)]);
}
