import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ifThere } from '@joblens/core/result/is-gone';
import type { Environment } from '../host/host.js';

const MAX_PACKAGES = 20_000;

/**
 * The packages that a Python finds, from the names of their own folders: `name==version` of Python's packages, and
 * `name=version=build` of conda's. Sorted; each once. Undefined for what is no Python. Throws when nobody can tell.
 */
export function findPackages(python: string, version: string, environment: Environment): readonly string[] | undefined {
  const minor = /Python (\d+\.\d+)/.exec(version)?.[1];
  if (minor === undefined) return undefined;
  const prefix = dirname(dirname(python));
  const packages = [...listSites(python, minor, environment)].flatMap(listDistributions);
  const conda = list(join(prefix, 'conda-meta')).flatMap((name) => {
    const [, found = '', release = '', build = ''] = /^(.+)-([^-]+)-([^-]+)\.json$/.exec(name) ?? [];
    return found === '' ? [] : [`${found}=${release}=${build}`];
  });
  return [...new Set([...packages, ...conda])].sort().slice(0, MAX_PACKAGES);
}

/** The folders where this Python looks for packages (site.py). */
function listSites(python: string, minor: string, environment: Environment): ReadonlySet<string> {
  const prefix = dirname(dirname(python));
  const settings = read(join(prefix, 'pyvenv.cfg'));
  const sites = new Set((environment['PYTHONPATH'] ?? '').split(':').filter((folder) => folder.startsWith('/')));
  const addPrefix = (folder: string): void => {
    for (const lib of ['lib', 'lib64']) sites.add(resolveLink(join(folder, lib, `python${minor}`, 'site-packages')));
  };
  addPrefix(prefix);
  if (settings !== undefined && !/^include-system-site-packages\s*=\s*true/im.test(settings)) return sites;
  const base = dirname(dirname(resolveLink(python)));
  addPrefix(base);
  for (const each of [`/usr/local/lib/python${minor}/dist-packages`, '/usr/lib/python3/dist-packages']) {
    if (base === '/usr') sites.add(each);
  }
  const home = environment['PYTHONUSERBASE'] ?? (environment['HOME'] && join(environment['HOME'], '.local'));
  if (environment['PYTHONNOUSERSITE'] === undefined && home) addPrefix(home);
  return sites;
}

/** `numpy-1.26.4.dist-info`, as PEP 427 names it. */
function listDistributions(folder: string): string[] {
  return list(folder).flatMap((entry) => {
    const [, name = '', version = ''] = /^([^-]+)-([^-]+)\.(?:dist-info|egg-info)$/.exec(entry) ?? [];
    return name === '' ? [] : [`${name.replace(/[_.]+/g, '-').toLowerCase()}==${version}`];
  });
}

function list(folder: string): string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}

function read(path: string): string | undefined {
  return ifThere(() => readFileSync(path, 'utf8'));
}

function resolveLink(path: string): string {
  return ifThere(() => realpathSync(path)) ?? path;
}
