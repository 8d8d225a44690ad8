import { basename, dirname, join, sep } from 'node:path';
import type { DiscoveredJob, FileDiscovery } from '../../file-discovery.js';
import type { SourceFaults } from '../../guard/source-faults.js';
import { type FoundFiles, findFiles } from './find-files.js';
import { readJobOfPath } from '../jobs/job-of-path.js';
import { isCompressedName, isRotationName } from '../files/rotations.js';

/** A search is followed by a pause this many times as long, so that large folders cost little. */
const PAUSE_RATIO = 100;
const MAX_PAUSE_MS = 10_000;
/** The name of a file that is gone is known for so long, and so many of them. */
const GONE_MS = 600_000;
const MAX_GONE = 1000;

interface PathDiscoveryOptions {
  readonly paths: readonly string[];
  /** The job of all files, if the user named one. */
  readonly typedJob?: string | undefined;
  /** Put before the ids that file names give. */
  readonly jobPrefix?: string;
  /** Files of stdout carry stderr, too. */
  readonly isMerged?: boolean;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
  readonly faults: SourceFaults;
}

/**
 * Finds the files that paths, folders and patterns name; each is a job by its name. In folders and patterns it leaves
 * out compressed files, and rotations of a known file, which are read as part of that file.
 */
export function createPathDiscovery({
  paths,
  typedJob,
  jobPrefix = '',
  isMerged = false,
  monotonicMs,
  warn,
  faults,
}: PathDiscoveryOptions): FileDiscovery {
  const jobs = new Map<string, KnownJob>();
  const sayOnce = createOnceSayer(warn);
  const explicit = new Set(paths);
  let last: readonly DiscoveredJob[] = [];
  let lastFound: readonly string[] = [];
  let nextMs = -Infinity;

  function createJob(path: string): DiscoveredJob {
    const { job, stream, name } = readJobOfPath(path);
    return {
      id: typedJob ?? jobPrefix + job,
      name,
      files: [{ path, stream, isMerged: isMerged && stream === 'stdout' }],
    };
  }

  return {
    async poll() {
      const startedMs = monotonicMs();
      if (startedMs < nextMs) return last;
      const { files, unknown } = await findFiles(paths);
      sayOnce(explainMissing(unknown));
      const found = unknown.size === 0 ? files : keepUnknown({ files, unknown }, lastFound);
      nextMs = monotonicMs() + Math.min(MAX_PAUSE_MS, PAUSE_RATIO * (monotonicMs() - startedMs));
      if (found.length === lastFound.length && found.every((path, i) => path === lastFound[i])) return last;
      lastFound = found;
      const known = createNameIndex([...found, ...jobs.keys()]);
      last = found.flatMap((path) => {
        const job = faults.contain(path, () => {
          if (!explicit.has(path) && isLeftOut(path, known)) return undefined;
          return jobs.get(path)?.job ?? createJob(path);
        });
        if (job === undefined) return [];
        // The last one seen is the last one in the map.
        jobs.delete(path);
        jobs.set(path, { job, seenMs: startedMs });
        return [job];
      });
      forgetGone(jobs, last.length, startedMs);
      return last;
    },
  };
}

/** Says each message once while it holds. */
function createOnceSayer(say: (message: string) => void): (messages: readonly string[]) => void {
  let said: ReadonlySet<string> = new Set();
  return (messages) => {
    for (const message of messages) if (!said.has(message)) say(message);
    said = new Set(messages);
  };
}

function explainMissing(unknown: FoundFiles['unknown']): string[] {
  return [...unknown].map(
    ([path, reason]) =>
      `cannot look into ${path}: ${reason}; its files are kept as they are known, and it is tried again`
  );
}

interface KnownJob {
  readonly job: DiscoveredJob;
  readonly seenMs: number;
}

/** Forgets files that are gone: for a while their names still tell rotations of them. The last `present` are there. */
function forgetGone(jobs: Map<string, KnownJob>, present: number, monotonicMs: number): void {
  let gone = jobs.size - present;
  for (const [path, { seenMs }] of jobs) {
    if (gone <= 0 || (gone <= MAX_GONE && monotonicMs - seenMs <= GONE_MS)) return;
    jobs.delete(path);
    gone -= 1;
  }
}

/** Adds the known files that are in folders, or are paths, of which nobody can tell now. */
function keepUnknown({ files, unknown }: FoundFiles, known: readonly string[]): readonly string[] {
  const isIn = (file: string, place: string): boolean => file.startsWith(join(place, sep));
  const places = [...unknown.keys()];
  const kept = known.filter((file) => places.some((place) => file === place || isIn(file, place)));
  // A path whose files are known is a folder, and no file itself.
  const others = files.filter((file) => !unknown.has(file) || !kept.some((each) => isIn(each, file)));
  return [...new Set([...others, ...kept])].sort();
}

/** Names by folder and first characters, as a rotation begins like its file. */
type NameIndex = ReadonlyMap<string, readonly string[]>;

function createNameIndex(paths: readonly string[]): NameIndex {
  const index = new Map<string, string[]>();
  for (const path of paths) {
    const stem = /^[^.]*/.exec(basename(path))?.[0] ?? '';
    const key = join(dirname(path), stem);
    const names = index.get(key);
    if (names === undefined) index.set(key, [basename(path)]);
    else names.push(basename(path));
  }
  return index;
}

function isLeftOut(path: string, known: NameIndex): boolean {
  const name = basename(path);
  if (isCompressedName(name)) return true;
  // Only a name with a digit or `.old` behind a dot or dash can be a rotation: most names need no search.
  if (!/[.-]\d|\.old$/.test(name)) return false;
  const stem = /^[^.]*/.exec(name)?.[0] ?? '';
  const stems = new Set([stem, stem.replace(/-\d[\d:T_-]*$/, '')]);
  return [...stems].some((each) =>
    (known.get(join(dirname(path), each)) ?? []).some((other) => isRotationName(other, name))
  );
}
