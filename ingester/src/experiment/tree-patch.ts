import { isUtf8 } from 'node:buffer';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { RunGit, ScratchRepository } from './git-program.js';

const MAX_PATCH_BYTES = 2 ** 20;
/** Beyond so many pairs, only renames without a change are looked for. */
const MAX_RENAMES = 200;

/**
 * The difference between two trees as a patch that `git apply` takes, in UTF-8. Files that are no text in UTF-8 are in
 * it as git writes binary files. Without a tree before, all files are new.
 */
export async function diffTrees(
  git: RunGit,
  scratch: ScratchRepository,
  before: string | undefined,
  after: string
): Promise<Result<string, string>> {
  const { variables } = scratch;
  const empty = before ?? (await readEmptyTree(git, variables));
  if (empty === undefined) return err('git knows no empty tree');
  const read = (): Promise<Result<Buffer, string>> =>
    git(['diff-tree', ...FORMAT, empty, after], { variables, maxBytes: MAX_PATCH_BYTES });
  const text = await read();
  if (!text.ok) return text;
  if (isPlain(text.value)) return ok(text.value.toString());
  scratch.takeAllAsBinary();
  const binary = await read();
  if (!binary.ok) return binary;
  return ok(Buffer.concat(chooseSections(splitPatch(text.value), splitPatch(binary.value))).toString());
}

const FORMAT = [
  ...['-r', '-p', '--binary', '--full-index', '--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '-M', `-l${MAX_RENAMES}`, '--unified=3', '--ignore-submodules=none'],
];

async function readEmptyTree(git: RunGit, variables: ScratchRepository['variables']): Promise<string | undefined> {
  const found = await git(['hash-object', '-t', 'tree', '-w', '/dev/null'], { variables });
  return found.ok ? found.value.toString().trim() : undefined;
}

/** The text of each file that can be stored as it is, and the binary form of the others. */
function chooseSections(texts: readonly Buffer[], binaries: readonly Buffer[]): readonly Buffer[] {
  const areAlike =
    texts.length === binaries.length && texts.every((text, at) => readHead(text) === readHead(binaries[at]));
  return areAlike ? texts.map((text, at) => (isPlain(text) ? text : (binaries[at] ?? text))) : binaries;
}

function isPlain(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

const SECTION = Buffer.from('diff --git ');
const NEXT_SECTION = Buffer.from('\ndiff --git ');

/** The parts of a patch, one a file. No line within one begins as its first line does. */
export function splitPatch(patch: Buffer): readonly Buffer[] {
  const sections: Buffer[] = [];
  let at = patch.subarray(0, SECTION.length).equals(SECTION) ? 0 : -1;
  while (at >= 0) {
    const next = patch.indexOf(NEXT_SECTION, at);
    sections.push(patch.subarray(at, next < 0 ? undefined : next + 1));
    at = next < 0 ? -1 : next + 1;
  }
  return sections;
}

/** The first line of a part: the names of its file. */
export function readHead(section: Buffer | undefined): string {
  return section?.toString('latin1').split('\n', 1)[0] ?? '';
}
