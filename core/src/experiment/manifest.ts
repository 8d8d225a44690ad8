import { isObject } from '../json/is-object.js';
import { parseJsonObject } from '../json/bounded-json.js';

/** The version that is written. A later one only adds parts, or gives a part another name. */
const MANIFEST_VERSION = 1;

/** A long text beside the manifest (`job_text`). Texts are equal where their hashes are, without being read. */
export interface TextFacts {
  /** The hash of its UTF-8, in hexadecimal, as every hash here. */
  readonly sha256: string;
  readonly lines?: number;
  readonly bytes?: number;
}

export interface InputFacts {
  readonly path: string;
  readonly bytes?: number;
  /** Missing where the file was too large to be read in the time there was. */
  readonly sha256?: string;
}

export interface CommandFacts {
  readonly argv?: readonly string[];
  readonly folder?: string;
  /** The file that the command's name stands for. */
  readonly executable?: string;
  /** With its version: `Python 3.12.1`. */
  readonly interpreter?: string;
}

export interface GitFacts {
  readonly commit?: string;
  readonly branch?: string;
  /** Without user and password. */
  readonly remote?: string;
  /** Whether files differ from the commit; untracked ones count. */
  readonly dirty?: boolean;
  /** git's hash over all files as they were: tracked, changed and untracked ones. */
  readonly tree?: string;
  /** The folder of the command within the repository: `` at its root, else `src/`. */
  readonly prefix?: string;
}

/** What it takes to say how two runs differ, and to repeat one. Parts that are not known are missing. */
export interface Manifest {
  readonly command?: CommandFacts;
  readonly git?: GitFacts;
  /** The packages of the interpreter: how many, and the hash of the text `packages`, kept or not. */
  readonly packages?: { readonly count?: number; readonly sha256?: string };
  /** Hashes of lock files by name. */
  readonly locks?: Readonly<Record<string, string>>;
  readonly modules?: readonly string[];
  /** The container's image, by its digest where that is known. */
  readonly container?: string;
  readonly gpus?: readonly string[];
  /** The version of the GPUs' driver. */
  readonly driver?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Where seeds were found, and the seeds: `seed` in arguments or config, `PYTHONHASHSEED`. */
  readonly seeds?: Readonly<Record<string, string>>;
  readonly inputs?: readonly InputFacts[];
  readonly machine?: { readonly kernel?: string; readonly cpu?: string; readonly cpus?: number };
  /** Texts that are kept, by name: `patch`, `packages`, `script`, `hydra`. */
  readonly texts?: Readonly<Record<string, TextFacts>>;
  /** Parts that were wanted and are missing, each with the reason in a few words. */
  readonly missing?: Readonly<Record<string, string>>;
}

/** A value of a later version, or of nobody's, is undefined. */
type Reader<T> = (value: unknown) => T | undefined;

const readText: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);
const readNumber: Reader<number> = (value) => (typeof value === 'number' ? value : undefined);
const readFlag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** A list with an item that is not understood is no list: without it, it would say something else. */
function listOf<T>(readItem: Reader<T>): Reader<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(readItem);
    return items.every((item) => item !== undefined) ? items : undefined;
  };
}

/** Members that are not understood are left out. */
function recordOf<T>(readMember: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isObject(value)) return undefined;
    const members = Object.entries(value).map(([name, member]) => [name, readMember(member)] as const);
    return Object.fromEntries(members.filter((member): member is [string, T] => member[1] !== undefined));
  };
}

/** Parts that are not understood are left out, and the whole where a needed one is missing. */
function objectOf<T extends object>(
  parts: { readonly [Part in keyof T]-?: Reader<T[Part]> },
  ...needed: ReadonlyArray<keyof T & string>
): Reader<T> {
  return (value) => {
    if (!isObject(value)) return undefined;
    const found: Record<string, unknown> = {};
    for (const [name, readPart] of Object.entries<Reader<unknown>>(parts)) {
      const part = Object.hasOwn(value, name) ? readPart(value[name]) : undefined;
      if (part !== undefined) found[name] = part;
    }
    return needed.every((name) => Object.hasOwn(found, name)) ? (found as T) : undefined;
  };
}

const readManifest = objectOf<Manifest>({
  command: objectOf<CommandFacts>({
    ...{ argv: listOf(readText), folder: readText, executable: readText, interpreter: readText },
  }),
  git: objectOf<GitFacts>({
    ...{ commit: readText, branch: readText, remote: readText, dirty: readFlag, tree: readText, prefix: readText },
  }),
  packages: objectOf<NonNullable<Manifest['packages']>>({ count: readNumber, sha256: readText }),
  locks: recordOf(readText),
  modules: listOf(readText),
  container: readText,
  gpus: listOf(readText),
  driver: readText,
  environment: recordOf(readText),
  seeds: recordOf(readText),
  inputs: listOf(objectOf<InputFacts>({ path: readText, bytes: readNumber, sha256: readText }, 'path')),
  machine: objectOf<NonNullable<Manifest['machine']>>({ kernel: readText, cpu: readText, cpus: readNumber }),
  texts: recordOf(objectOf<TextFacts>({ sha256: readText, lines: readNumber, bytes: readNumber }, 'sha256')),
  missing: recordOf(readText),
});

/**
 * Reads the field `manifest` of a `job` point. Of a later version, what this one knows is read. Undefined for what is
 * no manifest.
 */
export function parseManifest(json: string | undefined): Manifest | undefined {
  const members = json === undefined ? undefined : parseJsonObject(json);
  return typeof members?.['version'] === 'number' ? readManifest(members) : undefined;
}

/** The manifest as it is stored: JSON in one line. */
export function formatManifest(manifest: Manifest): string {
  return JSON.stringify({ version: MANIFEST_VERSION, ...manifest });
}
