import { createReadStream, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import type { GitFacts, InputFacts, Manifest } from '@joblens/core/experiment/manifest';
import { isGone } from '@joblens/core/result/is-gone';
import { describeFileError } from '../../host/file-error.js';
import { MASK } from '../../secrets/secret.js';
import type { KeptRun } from './kept-run.js';

/** One thing that a run was made of. */
export interface CheckedPart {
  readonly part: string;
  /** Whether it can be had as it was; undefined where nobody can tell. */
  readonly isThere: boolean | undefined;
  readonly detail: string;
}

/** Where the commit of a run can come from. */
export type CommitPlace = 'here' | 'remote' | 'nowhere';

/** Says of each part of a run whether it can be had as it was. */
export async function checkRun(run: KeptRun, place: CommitPlace): Promise<readonly CheckedPart[]> {
  const { manifest, damaged } = run;
  const parts = [...checkCode(run, place), checkCommand(manifest), ...checkPackages(run)];
  for (const input of manifest.inputs ?? []) parts.push(await checkInput(input));
  const { container, modules } = manifest;
  if (container !== undefined) parts.push({ part: 'container', isThere: undefined, detail: container });
  if (modules !== undefined) parts.push({ part: 'modules', isThere: undefined, detail: modules.join(' ') });
  for (const name of damaged) parts.push({ part: name, isThere: false, detail: 'its text is not stored whole' });
  const others = Object.entries(manifest.missing ?? {}).filter(([part]) => !['tree', 'patch', 'git'].includes(part));
  for (const [part, detail] of others) parts.push({ part, isThere: false, detail });
  return parts;
}

function checkCommand({ command }: Manifest): CheckedPart {
  const argv = command?.argv ?? [];
  if (argv.length === 0) return { part: 'command', isThere: false, detail: 'its arguments were not kept' };
  const isMasked = argv.some((word) => word.includes(MASK));
  return { part: 'command', isThere: !isMasked, detail: isMasked ? `secrets in it are masked: ${MASK}` : '' };
}

function checkPackages({ manifest, texts }: KeptRun): readonly CheckedPart[] {
  if (manifest.packages === undefined) return [];
  const isThere = texts.has('packages');
  return [{ part: 'packages', isThere, detail: isThere ? '' : 'only their hash was kept' }];
}

function checkCode(run: KeptRun, place: CommitPlace): readonly CheckedPart[] {
  const { git, missing = {} } = run.manifest;
  if (git !== undefined) return [...checkCommit(git, place), ...checkFiles(git, run)];
  const hasScript = run.texts.has('script');
  const detail = missing['git'] ?? 'it ran in no repository of git';
  return [
    { part: 'files', isThere: hasScript ? undefined : false, detail: hasScript ? `${detail}; see script` : detail },
  ];
}

function checkCommit({ commit, remote }: GitFacts, place: CommitPlace): readonly CheckedPart[] {
  if (commit === undefined) return [];
  const places = { here: 'in this repository', remote: `to be fetched from ${remote}`, nowhere: 'no remote was kept' };
  const isThere = { here: true, remote: undefined, nowhere: false }[place];
  return [{ part: 'commit', isThere, detail: `${commit}, ${places[place]}` }];
}

function checkFiles({ commit, dirty, tree }: GitFacts, { manifest, texts }: KeptRun): readonly CheckedPart[] {
  const { missing = {} } = manifest;
  const { tree: noTree = 'their hash was not kept', patch: noPatch = 'they were not kept' } = missing;
  if (tree === undefined) return [{ part: 'files', isThere: false, detail: noTree }];
  if (dirty !== true && commit !== undefined) return [];
  const isThere = texts.has('patch') && missing['patch'] === undefined;
  return [{ part: 'changes', isThere, detail: isThere ? '' : noPatch }];
}

async function checkInput({ path, bytes, sha256 }: InputFacts): Promise<CheckedPart> {
  const part = `input ${path}`;
  try {
    const { size } = statSync(path);
    if (bytes !== undefined && size !== bytes) return { part, isThere: false, detail: 'it has another size now' };
    if (sha256 === undefined) return { part, isThere: undefined, detail: 'its hash was not kept' };
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const isThere = hash.digest('hex') === sha256;
    return { part, isThere, detail: isThere ? '' : 'it has changed' };
  } catch (error) {
    if (isGone(error)) return { part, isThere: false, detail: 'it is not here' };
    return { part, isThere: undefined, detail: `it cannot be read: ${describeFileError(error)}` };
  }
}
