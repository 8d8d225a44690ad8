import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { GitFacts } from '@joblens/core/experiment/manifest';
import { ifThere } from '@joblens/core/result/is-gone';
import { err, ok, type Result } from '@joblens/core/result/result';
import { checkOutRun, type GitWithInput } from '../../experiment/check-out-run.js';
import { describeFileError } from '../../host/file-error.js';
import type { Column } from '../shell/column.js';
import { quoteWord } from '../shell/quote-word.js';
import type { Reading } from '../shell/reading.js';
import { type CheckedPart, checkRun, type CommitPlace } from './check-run.js';
import { createGitCommands } from './git-commands.js';
import { type KeptRun, readKeptRun } from './kept-run.js';
import { createRunScript } from './run-script.js';

interface ReproduceCommand {
  readonly into: string | undefined;
  readonly check: boolean;
  readonly run: boolean;
  readonly user: string | undefined;
}

const COLUMNS: readonly Column<CheckedPart>[] = [
  { name: 'part', value: ({ part }) => part },
  { name: 'there', value: ({ isThere }) => (isThere === undefined ? '?' : isThere ? 'yes' : 'no') },
  { name: 'detail', value: ({ detail }) => detail, shrinks: true },
];

/** Sets a run up again, or says what of it can be had. Returns the exit code. */
export async function reproduce(reading: Reading, command: ReproduceCommand, job: string): Promise<number> {
  const { ask, host, fail, refuse } = reading;
  const kept = await readKeptRun(ask, job, command.user);
  if (!kept.ok) return fail(kept.error);
  const run = kept.value;
  if (command.run && command.user === undefined && run.user !== host.machine.userName) {
    return refuse(`job ${job} is of ${run.user}: to run what is stored of it, give --user ${quoteWord(run.user)}`);
  }
  const { workFolder } = host.machine;
  const place = await findCommit(createGitCommands(workFolder, host.environment), run);
  const parts = await checkRun(run, place);
  if (command.check) {
    await reading.createPrinter(COLUMNS).print(parts);
    return parts.every(isFine) ? 0 : 1;
  }
  const into = resolve(workFolder, command.into ?? `reproduced-${job.replace(/[^\w.-]/g, '_')}`);
  const done = await setUp(run, { into, place, workFolder, environment: host.environment });
  if (!done.ok) return fail(`cannot set up job ${job} in ${into}: ${done.error}`);
  return finish(reading, { ...done.value, into, parts, isRun: command.run });
}

const isFine = ({ isThere }: CheckedPart): boolean => isThere !== false;

interface Finished extends SetUp {
  readonly into: string;
  readonly parts: readonly CheckedPart[];
  readonly isRun: boolean;
}

/** Says what is there, and runs the command if that was asked for. */
function finish(reading: Reading, { into, parts, isSame, script, isRun }: Finished): Promise<number> | number {
  const { report } = reading;
  const lacking = parts.filter((part) => !isFine(part));
  for (const { part, detail } of lacking) report.warn(`${part}: ${detail}`);
  report.info(`${into} has ${isSame ? 'the files of the run' : 'what could be had'}; its command is run.sh`);
  if (isRun && script !== undefined) return runScript(script, reading);
  return lacking.length === 0 && isSame ? 0 : 1;
}

/** Looks for the commit where the user is, without a network. */
async function findCommit(git: GitWithInput, { manifest }: KeptRun): Promise<CommitPlace> {
  const { commit, remote } = manifest.git ?? {};
  if (commit === undefined) return 'here';
  if (!isHash(commit)) return 'nowhere';
  const found = await git(['cat-file', '-e', `${commit}^{commit}`]);
  return found.ok ? 'here' : remote === undefined ? 'nowhere' : 'remote';
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

interface Place {
  readonly into: string;
  readonly place: CommitPlace;
  readonly workFolder: string;
  readonly environment: Reading['host']['environment'];
}

interface SetUp {
  /** Whether the files are those of the run. */
  readonly isSame: boolean;
  readonly script: string | undefined;
}

async function setUp(run: KeptRun, place: Place): Promise<Result<SetUp, string>> {
  const { into } = place;
  try {
    mkdirSync(into, { recursive: true });
    if (readdirSync(into).length > 0) return err('it is not empty');
    const files = run.manifest.git === undefined ? ok(false) : await checkOut(run, place);
    if (!files.ok) return files;
    const script = createRunScript(run.manifest, join(into, 'code'));
    writeFileSync(join(into, 'manifest.json'), `${JSON.stringify(run.manifest, null, 2)}\n`);
    if (script !== undefined) writeFileSync(join(into, 'run.sh'), script, { mode: 0o755 });
    writePackages(into, run.texts.get('packages'));
    const kept = run.texts.get('script');
    if (kept !== undefined) writeFileSync(join(into, 'script'), kept);
    return ok({ isSame: files.value, script: script === undefined ? undefined : join(into, 'run.sh') });
  } catch (error) {
    return err(describeFileError(error));
  }
}

/** For `pip install -r` and `conda create --file`. */
function writePackages(into: string, packages: string | undefined): void {
  const lines = packages?.split('\n').filter((line) => line !== '') ?? [];
  const python = lines.filter((line) => line.includes('=='));
  const conda = lines.filter((line) => !line.includes('=='));
  if (python.length > 0) writeFileSync(join(into, 'requirements.txt'), `${python.join('\n')}\n`);
  if (conda.length > 0) writeFileSync(join(into, 'conda.txt'), `${conda.join('\n')}\n`);
}

/** The commit with the changes of the run, in a repository of its own. Whether the files are those of the run. */
async function checkOut({ manifest, texts }: KeptRun, place: Place): Promise<Result<boolean, string>> {
  const { commit, tree } = manifest.git ?? {};
  const code = join(place.into, 'code');
  const made = await makeRepository(code, manifest.git ?? {}, place);
  if (!made.ok) return made;
  const git = createGitCommands(code, place.environment);
  const patch = texts.get('patch');
  const files = await checkOutRun(git, commit, patch === undefined ? undefined : Buffer.from(patch));
  if (!files.ok) return files;
  if (ifThere(() => statSync(join(code, '.gitmodules'))) !== undefined)
    await git(['submodule', '--quiet', 'update', '--init', '--recursive']);
  return ok(files.value.tree === tree);
}

/** A repository that has the commit, if there is one, and no files. */
async function makeRepository(
  code: string,
  { commit, remote }: GitFacts,
  { place, workFolder, environment }: Place
): Promise<Result<unknown, string>> {
  const outside = createGitCommands(workFolder, environment);
  if (commit === undefined) return outside(['init', '--quiet', '--', code]);
  if (place === 'nowhere') return err('the commit is not in this repository, and no remote was kept');
  const top = place === 'here' ? await outside(['rev-parse', '--show-toplevel']) : undefined;
  const source = top?.ok === true ? top.value.trim() : (remote ?? '');
  const cloned = await outside(['clone', '--quiet', '--no-checkout', '--', source, code]);
  if (!cloned.ok) return cloned;
  const git = createGitCommands(code, environment);
  const has = await git(['cat-file', '-e', `${commit}^{commit}`]);
  const fetched = has.ok ? has : await git(['fetch', '--quiet', 'origin', commit]);
  if (fetched.ok && top?.ok === true && remote !== undefined) await git(['remote', 'set-url', '--', 'origin', remote]);
  return fetched;
}

/** Runs the command in place of this one, as far as that goes. */
function runScript(script: string, { host, report }: Reading): Promise<number> {
  const child = spawn(script, { stdio: 'inherit', env: { ...host.environment } });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      report.error(`cannot run ${script}: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
