import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isGone } from '@joblens/core/result/is-gone';
import { err, ok, type Result } from '@joblens/core/result/result';
import { describeFileError, readErrorCode } from '../host/file-error.js';
import type { Environment } from '../host/host.js';
import { mayBeThere } from '../host/may-be-there.js';
import { parseSite, type SiteValues } from './site-keys.js';

const MAX_BYTES = 65_536;
const SYSTEM_FILE = '/etc/joblens/joblens.yaml';

/** The settings of a site: what all of its users would otherwise have to set in their environment. */
export interface Site {
  readonly path: string;
  readonly values: SiteValues;
  /** A line for each thing that is wrong, with its place. What is right counts all the same. */
  readonly faults: readonly string[];
}

/** The file that JOBLENS_SITE_FILE names; else that below the prefix of this installation, or the system's. */
export function findSiteFile(environment: Environment, installFolder: string): string | undefined {
  const named = environment['JOBLENS_SITE_FILE']?.trim() ?? '';
  if (named !== '') return named === 'off' ? undefined : named;
  const lib = dirname(installFolder);
  const own = join(dirname(lib), 'etc', 'joblens', 'joblens.yaml');
  return basename(lib) === 'lib' && mayBeThere(own) ? own : SYSTEM_FILE;
}

/** Reads the site's settings; undefined without such a file. Nothing that is wrong in it keeps a job from running. */
export async function readSiteFile(path: string): Promise<Site | undefined> {
  const read = readSmallFile(path);
  if (!read.ok) {
    return isGone(read.error)
      ? undefined
      : { path, values: {}, faults: [`cannot read ${path}: ${read.error.message}`] };
  }
  const { values, faults } = await parseSite(read.value);
  const said = faults.map(({ line, message }) => `${path}:${line}: ${message}`);
  return { path, values, faults: said };
}

/** The variables that the site's settings stand for, with the secrets that they name; faults are added to the list. */
export function readSiteVariables({ values }: Site, faults: string[]): Environment {
  const variables: Record<string, string> = {};
  for (const { variable, text, isFile } of Object.values(values)) {
    const secret = isFile ? readSmallFile(text) : ok(text);
    if (secret.ok) variables[variable] = secret.value.trim();
    else faults.push(`cannot read ${text}: ${secret.error.message}; the site's file names it`);
  }
  return variables;
}

/** Opening it never waits, not even for a FIFO. */
function readSmallFile(path: string): Result<string, { readonly code: string | undefined; readonly message: string }> {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = fstatSync(fd);
      if (!status.isFile()) return err({ code: undefined, message: 'it is not a regular file' });
      if (status.size > MAX_BYTES) return err({ code: undefined, message: `it is larger than ${MAX_BYTES} bytes` });
      return ok(readFileSync(fd, 'utf8'));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return err({ code: readErrorCode(error), message: describeFileError(error) });
  }
}
