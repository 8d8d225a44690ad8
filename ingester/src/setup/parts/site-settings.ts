import { readFileSync } from 'node:fs';
import { isGone } from '@joblens/core/result/is-gone';
import type { SiteKeyName } from '../../config/site-keys.js';
import { describeFileError } from '../../host/file-error.js';
import { replaceFile } from '../../host/replace-file.js';
import { type Changes, SetupError } from './changes.js';

/** What a setup found out for joblens.yaml. */
export type SiteSettings = Readonly<Partial<Record<SiteKeyName, string | boolean>>>;

/** As text of joblens.yaml, with the comments and the other keys of the text that there is. */
export async function formatSite(settings: SiteSettings, before = ''): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(before, { logLevel: 'error' });
  const [fault] = document.errors;
  if (fault !== undefined) throw new SetupError(`is not valid YAML: ${fault.message}`);
  let isChanged = false;
  for (const [key, value] of Object.entries(settings)) {
    if (document.get(key) === value) continue;
    document.set(key, value);
    isChanged = true;
  }
  return isChanged ? document.toString({ lineWidth: 0 }) : before;
}

/** Completes joblens.yaml for all users. */
export async function writeSite(path: string, settings: SiteSettings, changes: Changes): Promise<void> {
  const before = readIfThere(path);
  const text = await formatSite(settings, before).catch((error: unknown) => {
    throw error instanceof SetupError ? new SetupError(`${path} ${error.message}`) : error;
  });
  await writeWhole(path, { before, text, mode: 0o644 }, changes);
}

/** Writes a token or password for the owner of the file alone. */
export async function writeSecret(path: string, secret: string, changes: Changes): Promise<void> {
  await writeWhole(path, { before: readIfThere(path), text: `${secret}\n`, mode: 0o600 }, changes);
}

interface Written {
  readonly before: string | undefined;
  readonly text: string;
  /** A new file gets it. One that is there keeps its own. */
  readonly mode: number;
}

async function writeWhole(path: string, { before, text, mode }: Written, changes: Changes): Promise<void> {
  if (before === text) {
    changes.kept(path);
    return;
  }
  const write = (): void => {
    try {
      replaceFile(path, text, mode);
    } catch (error) {
      throw new SetupError(`cannot write ${path}: ${describeFileError(error)}`);
    }
  };
  await (before === undefined ? changes.make(path, write) : changes.change(path, write));
}

/** Undefined where there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isGone(error)) return undefined;
    throw new SetupError(`cannot read ${path}: ${describeFileError(error)}`);
  }
}
