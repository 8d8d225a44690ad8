import { basename, dirname, join } from 'node:path';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import { findFiles } from './find-files.js';
import { FolderCache } from './folder-cache.js';
import { readJobOfPath } from './job-of-path.js';
import { isCompressedName, isRotationName } from './rotations.js';

/** Paths on the command line are asked again at least so often, whatever their folders say. */
const MAX_AGE_MS = 10_000;

interface PathDiscoveryOptions {
  readonly paths: readonly string[];
  /** The job of every file, where the user named one. */
  readonly typedJob?: string | undefined;
  /** In front of the ids that names give. */
  readonly jobPrefix?: string;
  readonly nowMs: () => number;
}

/**
 * The files that paths, folders and patterns name; each a job by its name. In folders and patterns rotations of a file
 * that was ever there (they are read as a part of it) and compressed files are left out.
 */
export function createPathDiscovery({ paths, typedJob, jobPrefix = '', nowMs }: PathDiscoveryOptions): FileDiscovery {
  const folders = new FolderCache(nowMs);
  const jobs = new Map<string, DiscoveredJob>();
  const explicit = new Set(paths);
  let last: readonly DiscoveredJob[] | undefined;
  let lastMs = -Infinity;

  function createJob(path: string): DiscoveredJob {
    const { job, stream, name } = readJobOfPath(path);
    return { id: typedJob ?? jobPrefix + job, name, files: [{ path, stream }] };
  }

  return {
    async poll() {
      if (last !== undefined && nowMs() - lastMs < MAX_AGE_MS && !(await folders.hasChanged())) return last;
      lastMs = nowMs();
      const found = await findFiles(paths, (path) => folders.read(path));
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

/** Names by folder and first characters: a rotation begins like its file. */
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
  // Only a name that has a digit or `.old` behind a dot or dash can be a rotation: most names need no search.
  if (!/[.-]\d|\.old$/.test(name)) return false;
  const stem = /^[^.]*/.exec(name)?.[0] ?? '';
  const stems = new Set([stem, stem.replace(/-\d[\d:T_-]*$/, '')]);
  return [...stems].some((each) =>
    (known.get(join(dirname(path), each)) ?? []).some((other) => isRotationName(other, name))
  );
}
