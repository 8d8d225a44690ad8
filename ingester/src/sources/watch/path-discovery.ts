import { basename, dirname, join } from 'node:path';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import { findFiles } from './find-files.js';
import { readJobOfPath } from './job-of-path.js';
import { isCompressedName, isRotationName } from './rotations.js';

/** A search is followed by a pause this many times as long, so that large folders cost little. */
const PAUSE_RATIO = 100;
const MAX_PAUSE_MS = 10_000;

interface PathDiscoveryOptions {
  readonly paths: readonly string[];
  /** The job of all files, if the user named one. */
  readonly typedJob?: string | undefined;
  /** Put before the ids that file names give. */
  readonly jobPrefix?: string;
  readonly nowMs: () => number;
}

/**
 * Finds the files that paths, folders and patterns name; each is a job by its name. In folders and patterns it leaves
 * out compressed files, and rotations of a known file, which are read as part of that file.
 */
export function createPathDiscovery({ paths, typedJob, jobPrefix = '', nowMs }: PathDiscoveryOptions): FileDiscovery {
  const jobs = new Map<string, DiscoveredJob>();
  const explicit = new Set(paths);
  let last: readonly DiscoveredJob[] = [];
  let lastFound: readonly string[] = [];
  let nextMs = -Infinity;

  function createJob(path: string): DiscoveredJob {
    const { job, stream, name } = readJobOfPath(path);
    return { id: typedJob ?? jobPrefix + job, name, files: [{ path, stream }] };
  }

  return {
    async poll() {
      const startedMs = nowMs();
      if (startedMs < nextMs) return last;
      const found = await findFiles(paths);
      nextMs = nowMs() + Math.min(MAX_PAUSE_MS, PAUSE_RATIO * (nowMs() - startedMs));
      if (found.length === lastFound.length && found.every((path, i) => path === lastFound[i])) return last;
      lastFound = found;
      const known = createNameIndex([...found, ...jobs.keys()]);
      const kept = found.filter((path) => explicit.has(path) || !isLeftOut(path, known));
      last = kept.map((path) => {
        const job = jobs.get(path) ?? createJob(path);
        jobs.set(path, job);
        return job;
      });
      return last;
    },
  };
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
