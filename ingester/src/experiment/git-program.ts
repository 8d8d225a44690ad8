import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS } from '@joblens/core/numbers/time-units';
import type { Result } from '@joblens/core/result/result';
import type { Environment } from '../host/host.js';
import type { RunBounded } from './bounded-programs.js';

/** Runs git in a folder. */
export type RunGit = (args: readonly string[], options?: GitOptions) => Promise<Result<Buffer, string>>;

interface GitOptions {
  readonly variables?: Environment;
  readonly maxBytes?: number;
}

const SCRATCH_PREFIX = 'joblens-tree-';
/** No snapshot takes so long. */
const OLD_MS = HOUR_MS;

/** Nothing of the repository is written, asked for on a network, or run (hooks, monitors, filters of large files). */
const SETTINGS = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.splitIndex': 'false',
  'core.untrackedCache': 'keep',
  'core.compression': '0',
  'core.fsync': 'none',
  'add.ignoreErrors': 'false',
  'filter.lfs.process': '',
  'filter.lfs.clean': 'cat',
  'filter.lfs.smudge': 'cat',
  'filter.lfs.required': 'false',
};

const VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C',
};

/** Runs git as it is for a user in this folder, whatever variables of git the command has. */
export function createGit(run: RunBounded, folder: string, environment: Environment): RunGit {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const base = withoutGit(environment);
  return (args, { variables, maxBytes } = {}) =>
    run('git', [...settings, ...args], {
      ...{ folder, environment: { ...base, ...VARIABLES, ...variables } },
      ...(maxBytes !== undefined && { maxBytes }),
    });
}

function withoutGit(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
}

/**
 * A repository of our own that sees the objects of another one and takes new ones, without attributes or settings of
 * anybody: what is compared there is compared alike everywhere.
 */
export interface ScratchRepository {
  readonly folder: string;
  /** For git there: its settings are its own. */
  readonly variables: Environment;
  /** From now on, all files are binary there. */
  takeAllAsBinary(): void;
  remove(): void;
}

export function createScratchRepository(
  parent: string,
  objects: string,
  format: 'sha1' | 'sha256' = 'sha1'
): ScratchRepository {
  const folder = mkdtempSync(join(parent, SCRATCH_PREFIX));
  removeOld(parent, folder);
  for (const name of ['objects/info', 'refs', 'info']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  const extension = format === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${format}\n`;
  writeFileSync(join(folder, 'config'), `[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n${extension}`);
  // Whether a file is text is to depend on what is in it alone.
  const setAttributes = (text: string): void => writeFileSync(join(folder, 'info', 'attributes'), `${text}\n`);
  setAttributes('* !diff');
  writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
  return {
    folder,
    variables: { GIT_DIR: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    takeAllAsBinary: () => setAttributes('* -diff'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Removes what one that was killed has left behind: it has contents of files. */
function removeOld(parent: string, own: string): void {
  const { mtimeMs: nowMs } = statSync(own);
  for (const name of readdirSync(parent).filter((each) => each.startsWith(SCRATCH_PREFIX))) {
    try {
      const folder = join(parent, name);
      if (nowMs - statSync(folder).mtimeMs > OLD_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // It is gone, or that of another user.
    }
  }
}
