import { err, ok, type Result } from '@joblens/core/result/result';
import { readHead, splitPatch } from './tree-patch.js';

/** Runs git in the new checkout, with this input. The error is what git says. */
export type GitWithInput = (args: readonly string[], input?: Buffer) => Promise<Result<string, string>>;

export interface CheckedOut {
  /** git's hash over all files that are there now. */
  readonly tree: string;
  /** Files whose part of the patch did not fit. */
  readonly failed: readonly string[];
}

const APPLY = ['apply', '--cached', '--binary', '--whitespace=nowarn', '--unidiff-zero', '-'];

/**
 * Puts the files of a commit with a patch into a repository that has the commit and no files yet. Files that the patch
 * adds are in the index, as the hash of all files is taken there.
 */
export async function checkOutRun(
  git: GitWithInput,
  commit: string | undefined,
  patch: Buffer | undefined
): Promise<Result<CheckedOut, string>> {
  if (commit !== undefined) {
    for (const args of [
      ['update-ref', '--no-deref', 'HEAD', commit],
      ['read-tree', commit],
    ]) {
      const done = await git(args);
      if (!done.ok) return done;
    }
  }
  const failed = patch === undefined ? [] : await applyPatch(git, patch);
  const tree = await git(['write-tree', '--missing-ok']);
  if (!tree.ok) return tree;
  const written = await git(['checkout-index', '--all', '--force', '--index']);
  return written.ok ? ok({ tree: tree.value.trim(), failed }) : err(written.error);
}

/** All at once; where that fails, as much as fits. */
async function applyPatch(git: GitWithInput, patch: Buffer): Promise<readonly string[]> {
  if (patch.length === 0) return [];
  const whole = await git(APPLY, patch);
  if (whole.ok) return [];
  const failed: string[] = [];
  for (const section of splitPatch(patch)) {
    const applied = await git(APPLY, section);
    if (!applied.ok) failed.push(readHead(section).replace(/^diff --git /, ''));
  }
  return failed;
}
