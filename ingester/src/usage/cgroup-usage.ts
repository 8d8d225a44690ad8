import type { SystemFiles } from './system-files.js';
import type { UsageReading, UsageSource } from './usage-source.js';

/** The folders of one cgroup: one of version 2, or those of its controllers in version 1, as far as it has them. */
export type CgroupFolders =
  | { readonly version: 2; readonly folder: string }
  | {
      readonly version: 1;
      readonly cpuacct: string | undefined;
      readonly memory: string | undefined;
      readonly blkio: string | undefined;
    };

/**
 * Reads what a cgroup and those below it use. Memory is what the kernel cannot take back: without the pages of files
 * that it keeps because there is room.
 */
export function createCgroupUsage(files: SystemFiles, folders: CgroupFolders): UsageSource {
  const read = folders.version === 2 ? () => readVersion2(files, folders.folder) : () => readVersion1(files, folders);
  return { name: `its cgroup (version ${folders.version})`, read };
}

/** Kernel documentation, admin-guide/cgroup-v2. `cpu.stat` is there without the controller `cpu`, too. */
function readVersion2(files: SystemFiles, folder: string): UsageReading {
  const microseconds = readKey(files.read(`${folder}/cpu.stat`), 'usage_usec');
  const stat = files.read(`${folder}/memory.stat`);
  const devices = files.read(`${folder}/io.stat`);
  return {
    cpuSeconds: microseconds === undefined ? undefined : microseconds / 1e6,
    memoryBytes: subtractFiles(readNumber(files.read(`${folder}/memory.current`)), [
      readKey(stat, 'active_file'),
      readKey(stat, 'inactive_file'),
    ]),
    readBytes: devices === undefined ? undefined : sumMatches(devices, /\brbytes=(\d+)/g),
    writtenBytes: devices === undefined ? undefined : sumMatches(devices, /\bwbytes=(\d+)/g),
  };
}

/** Kernel documentation, admin-guide/cgroup-v1. */
function readVersion1(
  files: SystemFiles,
  { cpuacct, memory, blkio }: Extract<CgroupFolders, { version: 1 }>
): UsageReading {
  const read = (folder: string | undefined, name: string): string | undefined =>
    folder === undefined ? undefined : files.read(`${folder}/${name}`);
  const nanoseconds = readNumber(read(cpuacct, 'cpuacct.usage'));
  const stat = read(memory, 'memory.stat');
  const devices =
    read(blkio, 'blkio.throttle.io_service_bytes_recursive') ?? read(blkio, 'blkio.throttle.io_service_bytes');
  return {
    cpuSeconds: nanoseconds === undefined ? undefined : nanoseconds / 1e9,
    memoryBytes: subtractFiles(readNumber(read(memory, 'memory.usage_in_bytes')), [
      readKey(stat, 'total_active_file'),
      readKey(stat, 'total_inactive_file'),
    ]),
    readBytes: devices === undefined ? undefined : sumMatches(devices, /\bRead (\d+)/g),
    writtenBytes: devices === undefined ? undefined : sumMatches(devices, /\bWrite (\d+)/g),
  };
}

function readNumber(text: string | undefined): number | undefined {
  const digits = text?.trim() ?? '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The value in a line `key value`. */
function readKey(text: string | undefined, key: string): number | undefined {
  return readNumber(
    text
      ?.split('\n')
      .find((line) => line.startsWith(`${key} `))
      ?.slice(key.length + 1)
  );
}

function sumMatches(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, digits]) => sum + Number(digits), 0);
}

/** The two files are read one after the other, so the difference may be a little wrong, but not below 0. */
function subtractFiles(
  usedBytes: number | undefined,
  fileBytes: ReadonlyArray<number | undefined>
): number | undefined {
  if (usedBytes === undefined) return undefined;
  return Math.max(
    0,
    fileBytes.reduce<number>((rest, bytes = 0) => rest - bytes, usedBytes)
  );
}
