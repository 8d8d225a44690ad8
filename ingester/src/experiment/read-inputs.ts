import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { InputFacts } from '@joblens/core/experiment/manifest';
import type { Environment } from '../host/host.js';
import type { RunBounded } from './bounded-programs.js';
import { hashText } from './kept-texts.js';

const LOCK_FILES = [
  ...['uv.lock', 'poetry.lock', 'Pipfile.lock', 'pixi.lock', 'pdm.lock', 'conda-lock.yml', 'environment.yml'],
  ...['environment.yaml', 'requirements.txt', 'Manifest.toml', 'renv.lock', 'package-lock.json', 'Cargo.lock'],
];
const MAX_LOCK_BYTES = 8 * 2 ** 20;
const MAX_INPUT_BYTES = 256 * 2 ** 20;

/** The hashes of the lock files in a folder, by name. */
export function readLocks(folder: string): Readonly<Record<string, string>> {
  const hashes = LOCK_FILES.flatMap((name) => {
    try {
      const path = join(folder, name);
      const facts = statSync(path);
      return facts.isFile() && facts.size <= MAX_LOCK_BYTES ? [[name, hashText(readFileSync(path))] as const] : [];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(hashes);
}

/** Size and hash of files. Anything else than a file, and what is too large, has no hash. */
export async function readInputs(
  paths: readonly string[],
  folder: string,
  { run, environment }: { readonly run: RunBounded; readonly environment: Environment }
): Promise<readonly InputFacts[]> {
  const inputs: InputFacts[] = [];
  for (const each of paths) {
    const path = resolve(folder, each);
    const bytes = sizeOf(path);
    const isRead = bytes !== undefined && bytes <= MAX_INPUT_BYTES;
    const hashed = isRead ? await run('sha256sum', ['--', path], { folder: '/', environment }) : undefined;
    // A backslash at the beginning tells of odd characters in the name.
    const sha256 = hashed?.ok === true ? /^\\?([0-9a-f]{64}) /.exec(hashed.value.toString('latin1'))?.[1] : undefined;
    inputs.push({ path, ...(bytes !== undefined && { bytes }), ...(sha256 !== undefined && { sha256 }) });
  }
  return inputs;
}

function sizeOf(path: string): number | undefined {
  try {
    const facts = statSync(path);
    return facts.isFile() ? facts.size : undefined;
  } catch {
    return undefined;
  }
}
