import { copyFileSync, lstatSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { GitFacts } from '@joblens/core/experiment/manifest';
import { isGone } from '@joblens/core/result/is-gone';
import { err, ok, type Result } from '@joblens/core/result/result';
import { describeFileError } from '../host/file-error.js';
import type { Environment } from '../host/host.js';
import type { RunBounded } from './bounded-programs.js';
import { createGit, createScratchRepository, type RunGit, type ScratchRepository } from './git-program.js';
import { diffTrees } from './tree-patch.js';

export interface GitSnapshot {
  readonly facts: GitFacts;
  /** From the commit to the tree, as `git apply` takes it; undefined where it was not asked for, or there is none. */
  readonly patch?: string;
  /** What is missing, and why. */
  readonly missing: Readonly<Record<string, string>>;
}

interface SnapshotOptions {
  readonly folder: string;
  readonly environment: Environment;
  readonly run: RunBounded;
  /** Where objects are put until the snapshot is taken. */
  readonly scratchFolder: string;
  readonly takesPatch: boolean;
}

interface Repository {
  readonly top: string;
  readonly prefix: string;
  readonly index: string;
  readonly objects: string;
  readonly format: 'sha1' | 'sha256';
}

const MAX_CHANGED_FILES = 20_000;
const MAX_CHANGED_BYTES = 64 * 2 ** 20;

/**
 * The state of the repository that a folder is in: commit, tree and patch fit together, whatever changes meanwhile, and
 * nothing in the repository is touched. Undefined where there is none. The error says why it cannot be read.
 */
export async function takeGitSnapshot(options: SnapshotOptions): Promise<Result<GitSnapshot | undefined, string>> {
  const { folder, environment, run, scratchFolder, takesPatch } = options;
  const repository = await findRepository(createGit(run, folder, environment), folder);
  if (!repository.ok || repository.value === undefined) return repository as Result<undefined, string>;
  const { top, prefix } = repository.value;
  const git = createGit(run, top, environment);
  const head = await readHead(git);
  const facts: GitFacts = { ...head.facts, prefix };
  const scratch = createScratchRepository(scratchFolder, repository.value.objects, repository.value.format);
  try {
    const changed = await findChanged(git, repository.value, scratch);
    if (!changed.ok) return ok({ facts, missing: { tree: changed.error } });
    const dirty = changed.value.isDirty;
    const tree = changed.value.tooMuch === undefined ? await writeTree(git, scratch) : err(changed.value.tooMuch);
    if (!tree.ok) return ok({ facts: { ...facts, dirty }, missing: { tree: tree.error } });
    const whole = { ...facts, dirty: tree.value !== head.tree, tree: tree.value };
    const missing = changed.value.submodules === '' ? {} : { submodules: changed.value.submodules };
    if (!takesPatch || !whole.dirty) return ok({ facts: whole, missing });
    const patch = await diffTrees(createGit(run, scratch.folder, environment), scratch, head.tree, tree.value);
    if (!patch.ok) return ok({ facts: whole, missing: { ...missing, patch: patch.error } });
    return ok({ facts: whole, patch: patch.value, missing });
  } finally {
    scratch.remove();
  }
}

async function findRepository(git: RunGit, folder: string): Promise<Result<Repository | undefined, string>> {
  const places = ['--show-toplevel', '--show-object-format', '--git-path', 'index', '--git-path', 'objects'];
  const found = await git(['rev-parse', ...places, '--show-prefix']);
  if (!found.ok) return found.error.includes('not a git repository') ? ok(undefined) : found;
  const lines = found.value.toString().split('\n');
  const [top = '', format = '', index = '', objects = '', prefix = '', end] = lines;
  if (lines.length !== 6 || end !== '') return err('the name of its folder has several lines');
  if (format !== 'sha1' && format !== 'sha256') return err(`its objects are in the format ${format}`);
  return ok({ ...{ top, prefix, format }, index: resolve(folder, index), objects: resolve(folder, objects) });
}

async function readHead(git: RunGit): Promise<{ readonly facts: GitFacts; readonly tree: string | undefined }> {
  const found = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const commit = found.ok ? found.value.toString().trim() : undefined;
  const treeOf = commit === undefined ? undefined : await git(['rev-parse', '--verify', `${commit}^{tree}`]);
  const branch = await git(['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const remotes = await git(['remote']);
  const url = remotes.ok && remotes.value.length > 0 ? await git(['ls-remote', '--get-url']) : undefined;
  const remote = url?.ok === true ? stripCredentials(url.value.toString().trim()) : undefined;
  return {
    facts: {
      ...(commit !== undefined && { commit }),
      ...(branch.ok && { branch: branch.value.toString().trim() }),
      ...(remote !== undefined && remote !== 'origin' && { remote }),
    },
    tree: treeOf?.ok === true ? treeOf.value.toString().trim() : undefined,
  };
}

/**
 * An address without user, password and query. `ssh` needs its user, which is no secret. Undefined where it cannot be
 * told what is secret.
 */
export function stripCredentials(address: string): string | undefined {
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:\/\//i.exec(address)?.[0];
  if (scheme === undefined) return address;
  const [authority = '', ...folders] = (address.slice(scheme.length).split(/[?#]/, 1)[0] ?? '').split('/');
  if (folders.some((folder) => folder.includes('@'))) return undefined;
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at)).split(':', 1)[0] ?? '';
  const keepsUser = at >= 0 && /^(?:git\+)?ssh:/i.test(scheme);
  return `${scheme}${[`${keepsUser ? `${user}@` : ''}${authority.slice(at + 1)}`, ...folders].join('/')}`;
}

interface Changed {
  readonly isDirty: boolean;
  readonly tooMuch: string | undefined;
  /** Says what is not in the tree: changes within submodules. */
  readonly submodules: string;
}

/** Looks what has changed, in a copy of the index: its time tells which of its entries may be stale. */
async function findChanged(
  git: RunGit,
  { top, index }: Repository,
  scratch: ScratchRepository
): Promise<Result<Changed, string>> {
  try {
    const { mtime, atime } = statSync(index);
    copyFileSync(index, indexOf(scratch));
    utimesSync(indexOf(scratch), atime, mtime);
  } catch (error) {
    if (!isGone(error)) return err(`its index cannot be read: ${describeFileError(error)}`);
  }
  const status = [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=none',
    '--no-renames',
  ];
  const listed = await git(status, { variables: { GIT_INDEX_FILE: indexOf(scratch) } });
  if (!listed.ok) return listed;
  const entries = listed.value
    .toString('latin1')
    .split('\0')
    .filter((entry) => entry !== '');
  const dirtySubmodules = entries.filter((entry) => /^[1u] .. S.(?:M.|.U)/.test(entry)).map(pathOf);
  return ok({
    isDirty: entries.length > 0,
    tooMuch: findTooMuch(top, entries),
    submodules: dirtySubmodules.length === 0 ? '' : `changes within ${dirtySubmodules.slice(0, 5).join(', ')}`,
  });
}

const indexOf = ({ folder }: ScratchRepository): string => join(folder, 'index');

/** The path of an entry of `git status --porcelain=v2 -z`; bytes as latin1. */
function pathOf(entry: string): string {
  const fields = entry.startsWith('?') ? 1 : entry.startsWith('u') ? 10 : 8;
  let at = 0;
  for (let i = 0; i < fields; i += 1) at = entry.indexOf(' ', at) + 1;
  return entry.slice(at);
}

/** Why the files that differ from the index are too much to be read, if they are. */
function findTooMuch(top: string, entries: readonly string[]): string | undefined {
  if (entries.length > MAX_CHANGED_FILES) return `more than ${MAX_CHANGED_FILES} files have changed or are new`;
  let bytes = 0;
  for (const entry of entries) {
    try {
      bytes += lstatSync(Buffer.from(`${Buffer.from(top).toString('latin1')}/${pathOf(entry)}`, 'latin1')).size;
    } catch (error) {
      // One that is gone is deleted.
      if (!isGone(error)) return `a file that has changed cannot be looked at: ${describeFileError(error)}`;
    }
  }
  return bytes > MAX_CHANGED_BYTES
    ? `the changed and new files have more than ${MAX_CHANGED_BYTES / 2 ** 20} MiB`
    : undefined;
}

/** One hash over tracked, changed and untracked files. New objects go into the scratch repository. */
async function writeTree(git: RunGit, scratch: ScratchRepository): Promise<Result<string, string>> {
  const variables = { GIT_INDEX_FILE: indexOf(scratch), GIT_OBJECT_DIRECTORY: join(scratch.folder, 'objects') };
  const added = await git(['add', '--all'], { variables });
  if (!added.ok) return added;
  const tree = await git(['write-tree', '--missing-ok'], { variables });
  return tree.ok ? ok(tree.value.toString().trim()) : tree;
}
