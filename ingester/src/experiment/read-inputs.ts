import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ifThere } from '@joblens/core/result/is-gone';
import type { InputFacts } from '@joblens/core/experiment/manifest';
import { describeFileError } from '../host/file-error.js';
import type { Environment } from '../host/host.js';
import type { RunBounded } from './bounded-programs.js';
import { hashText } from './kept-texts.js';

const LOCK_FILES = [
  ...['uv.lock', 'poetry.lock', 'Pipfile.lock', 'pixi.lock', 'pdm.lock', 'conda-lock.yml', 'environment.yml'],
  ...['environment.yaml', 'requirements.txt', 'Manifest.toml', 'renv.lock', 'package-lock.json', 'Cargo.lock'],
];
const MAX_LOCK_BYTES = 8 * 2 ** 20;
const MAX_INPUT_BYTES = 256 * 2 ** 20;

/** The hashes of the lock files in a folder, by name. Throws when nobody can tell. */
export function readLocks(folder: string): Readonly<Record<string, string>> {
  const hashes = LOCK_FILES.flatMap((name) => {
    const path = join(folder, name);
    const facts = ifThere(() => statSync(path));
    const isKept = facts?.isFile() === true && facts.size <= MAX_LOCK_BYTES;
    return isKept ? [[name, hashText(readFileSync(path))] as const] : [];
  });
  return Object.fromEntries(hashes);
}

interface InputReading {
  readonly run: RunBounded;
  readonly environment: Environment;
  readonly onUnknown: (found: string) => void;
}

/** Size and hash of files. Anything else than a file, and what is too large or cannot be looked at, has no hash. */
export async function readInputs(
  paths: readonly string[],
  folder: string,
  { run, environment, onUnknown }: InputReading
): Promise<readonly InputFacts[]> {
  const inputs: InputFacts[] = [];
  for (const each of paths) {
    const path = resolve(folder, each);
    const bytes = sizeOf(path, onUnknown);
    const isRead = bytes !== undefined && bytes <= MAX_INPUT_BYTES;
    const hashed = isRead ? await run('sha256sum', ['--', path], { folder: '/', environment }) : undefined;
    // A backslash at the beginning tells of odd characters in the name.
    const sha256 = hashed?.ok === true ? /^\\?([0-9a-f]{64}) /.exec(hashed.value.toString('latin1'))?.[1] : undefined;
    inputs.push({ path, ...(bytes !== undefined && { bytes }), ...(sha256 !== undefined && { sha256 }) });
  }
  return inputs;
}

function sizeOf(path: string, onUnknown: (found: string) => void): number | undefined {
  try {
    const facts = ifThere(() => statSync(path));
    return facts?.isFile() === true ? facts.size : undefined;
  } catch (error) {
    onUnknown(`${path} cannot be looked at: ${describeFileError(error)}`);
    return undefined;
  }
}
