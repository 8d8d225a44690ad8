import { lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ifThere } from '@joblens/core/result/is-gone';
import { describeFileError, readErrorCode } from '../../host/file-error.js';
import type { Host } from '../../host/host.js';
import { SetupError } from '../parts/changes.js';
import { isThere } from '../parts/look.js';
import { findPackageFolder } from '../parts/package-files.js';

type What = 'grafana' | 'slurm' | 'compose';

/** A file to write: where from, and its path below the target. */
interface PackedFile {
  readonly from: string;
  readonly to: string;
}

interface UnpackOptions {
  readonly overwrite: boolean;
  readonly dryRun: boolean;
}

/** A file or folder: where it lies in share/joblens, where in the repository, and where it goes. */
type Part = readonly [packed: string, own: string, to: string];

const GRAFANA: readonly Part[] = [
  ['grafana/plugins/joblens-app', 'plugin/dist', 'plugins/joblens-app'],
  ['grafana/dashboards', 'dashboards', 'dashboards'],
  ['grafana/provisioning', 'provisioning', 'provisioning'],
];

const PARTS: Readonly<Record<What, readonly Part[]>> = {
  grafana: GRAFANA,
  slurm: [['slurm', 'slurm', '.']],
  compose: [
    ['compose/docker-compose.yml', 'docker-compose.yml', 'docker-compose.yml'],
    ['compose/Dockerfile', 'packaging/files/compose/Dockerfile', 'Dockerfile'],
    ['compose/.env.example', '.env.example', '.env.example'],
    ...GRAFANA,
  ],
};

/** What the image of the ingester is made of, in the folder of the installation, and the programs of the demo job. */
function listCommandFiles(installFolder: string): PackedFile[] {
  const own = join(dirname(installFolder), 'standalone', 'demo');
  const packed = join(installFolder, 'page', 'demo');
  const demo = isThere(packed) ? packed : own;
  const bundle = readdirSync(join(installFolder, 'dist')).filter((name) =>
    /^joblens.*\.c?js$|^[A-Z-]+(\.txt)?$/.test(name)
  );
  return [
    ...['bin/joblens', 'bin/supervise.pl', 'package.json', ...bundle.map((name) => `dist/${name}`)].map((name) => ({
      from: join(installFolder, name),
      to: join('joblens', name),
    })),
    ...listFiles(demo, 'demo'),
  ];
}

/**
 * Writes these files below `folder`, each at once or not at all, and prints a line for each.
 * @throws SetupError when one cannot be written, or when one is there that is other: then nothing is written
 */
export function unpack(host: Host, what: What, folder: string, options: UnpackOptions): void {
  const target = resolve(host.machine.workFolder, folder);
  const parts = PARTS[what].flatMap(([packed, own, to]) =>
    listFiles(findPackageFolder(host.installFolder, packed, own), to)
  );
  const files = what === 'compose' ? [...parts, ...listCommandFiles(host.installFolder)] : parts;
  const states = files.map((file) => ({ ...file, path: join(target, file.to), state: compare(file, target) }));
  const others = states.filter(({ state }) => state === 'other');
  if (others.length > 0 && !options.overwrite && !options.dryRun) throw refuse(others.map(({ path }) => path));
  for (const { from, path, state } of states) {
    if (state !== 'same' && !options.dryRun) place(from, path);
    host.writeStdout(`${describe(state, options)} ${path}\n`);
  }
}

function describe(state: 'new' | 'same' | 'other', { overwrite, dryRun }: UnpackOptions): string {
  if (state === 'same') return 'kept';
  if (state === 'new') return dryRun ? 'would write' : 'written';
  if (!dryRun) return 'replaced';
  return overwrite ? 'would replace' : 'would refuse: is other';
}

function refuse(paths: readonly string[]): SetupError {
  const more = paths.length === 1 ? '' : ` (and ${paths.length - 1} more)`;
  return new SetupError(
    `${paths[0]}${more} is there already, and other than the file of this version; nothing was written. ` +
      'Choose another folder, or replace such files with --overwrite'
  );
}

function listFiles(from: string, to: string): PackedFile[] {
  if (statSync(from).isFile()) return [{ from, to }];
  return readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ from: path, to: join(to, path.slice(from.length + 1)) }));
}

function compare({ from, to }: PackedFile, target: string): 'new' | 'same' | 'other' {
  const path = join(target, to);
  return attempt(path, () => {
    const found = ifThere(() => lstatSync(path));
    if (found === undefined) return 'new';
    return found.isFile() && readFileSync(path).equals(readFileSync(from)) ? 'same' : 'other';
  });
}

function place(from: string, path: string): void {
  const draft = `${path}.joblens-new`;
  attempt(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    rmSync(draft, { force: true });
    // Others, such as Grafana's user, have to read it.
    const mode = (statSync(from).mode & 0o111) === 0 ? 0o644 : 0o755;
    writeFileSync(draft, readFileSync(from), { mode, flag: 'wx' });
    renameSync(draft, path);
  });
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (readErrorCode(cause) === undefined) throw cause;
    throw new SetupError(`cannot write ${path}: ${describeFileError(cause)}`, { cause });
  }
}
