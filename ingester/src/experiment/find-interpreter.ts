import { accessSync, constants, openSync, readSync, closeSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { isNoFile } from '@joblens/core/result/is-gone';
import { readErrorCode } from '../host/file-error.js';
import type { Environment } from '../host/host.js';

/** What runs the command, and which script it runs. */
export interface FoundProgram {
  /** The file of the command's name. */
  readonly executable?: string;
  /** The interpreter: the file itself, or that of its first line. */
  readonly interpreter?: string;
  /** The script that the interpreter is given. */
  readonly script?: string;
}

/** Interpreters that say their version at once with this option. */
const VERSION_OPTIONS: ReadonlyArray<readonly [name: RegExp, option: string]> = [
  [/^(?:python|pypy)[\d.]*$/, '--version'],
  [/^(?:bash|sh|dash|zsh|julia|Rscript|node|perl|ruby|lua|octave)[\d.]*$/, '--version'],
];
/** Programs that only start another one, which follows behind their options and settings of variables. */
const STARTERS = /^(?:env|nice|time|timeout|nohup|stdbuf|setsid|taskset|numactl|chrt|ionice)$/;
/** What they start runs elsewhere, with packages that are not here. */
const ELSEWHERE =
  /^(?:apptainer|singularity|docker|podman|srun|mpirun|mpiexec|ssh|conda|mamba|micromamba|uv|poetry|pixi)$/;
const MAX_LINE_BYTES = 256;

/** Follows a command to what it runs, as far as it can be told from its words. Throws when nobody can tell. */
export function findProgram(argv: readonly string[], folder: string, environment: Environment): FoundProgram {
  const start = findStart(argv);
  const executable = findExecutable(argv[start] ?? '', folder, environment);
  if (executable === undefined || ELSEWHERE.test(basename(executable)))
    return executable === undefined ? {} : { executable };
  const line = readFirstLine(executable);
  if (line?.startsWith('#!') === true) {
    const words = line.slice(2).trim().split(/\s+/);
    const named = basename(words[0] ?? '') === 'env' ? words.slice(1).find((word) => !word.startsWith('-')) : words[0];
    const interpreter = findExecutable(named ?? '', folder, environment);
    return { executable, script: executable, ...(interpreter !== undefined && { interpreter }) };
  }
  if (findVersionOption(executable) === undefined) return { executable };
  const script = argv.slice(start + 1).find((word) => !word.startsWith('-'));
  const isFile = script !== undefined && !argv.slice(start + 1).some((word) => word === '-c' || word === '-m');
  return { executable, interpreter: executable, ...(isFile && { script: resolve(folder, script) }) };
}

/** How to ask an interpreter for its version; undefined where asking it may do something else. */
export function findVersionOption(path: string): string | undefined {
  return VERSION_OPTIONS.find(([name]) => name.test(basename(path)))?.[1];
}

function findStart(argv: readonly string[]): number {
  let at = 0;
  while (STARTERS.test(basename(argv[at] ?? ''))) {
    const next = argv.findIndex((word, i) => i > at && !/^(?:-|[\d.,]+[smhd]?$|[A-Za-z_]\w*=)/.test(word));
    if (next < 0) return at;
    at = next;
  }
  return at;
}

function findExecutable(name: string, folder: string, environment: Environment): string | undefined {
  if (name === '') return undefined;
  const folders = name.includes('/') ? [''] : (environment['PATH'] ?? '/bin:/usr/bin').split(':');
  const places = folders.map((each) =>
    name.includes('/') ? resolve(folder, name) : join(resolve(folder, each), name)
  );
  return places.find((place) => isAbsolute(place) && isExecutable(place));
}

function isExecutable(path: string): boolean {
  return orRefused(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);
}

function readFirstLine(path: string): string | undefined {
  return orRefused(() => {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(MAX_LINE_BYTES);
      return bytes.toString('latin1', 0, readSync(fd, bytes)).split('\n', 1)[0];
    } finally {
      closeSync(fd);
    }
  }, undefined);
}

/** What the system may not run or read, the command may not, either. */
function orRefused<T>(look: () => T, refused: T): T {
  try {
    return look();
  } catch (error) {
    if (isNoFile(error) || readErrorCode(error) === 'EACCES') return refused;
    throw error;
  }
}
