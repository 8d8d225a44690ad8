import type { InputFacts, Manifest, TextFacts } from '../../experiment/manifest.js';
import { formatBytes } from '../../words/bytes.js';
import { countOf } from '../../words/counts.js';

/** What a manifest adds to a comparison, by kind and name. */
export interface ManifestFacts {
  readonly code: FactList;
  readonly seed: FactList;
  readonly packages: FactList;
  readonly config: FactList;
  readonly command: FactList;
  readonly data: FactList;
  readonly machine: FactList;
}

type FactList = ReadonlyArray<readonly [name: string, value: number | string]>;
type MaybeFacts = ReadonlyArray<readonly [name: string, value: number | string | undefined]>;

/** Digits of a hash that tell any two that one may meet apart. */
const HASH_DIGITS = 12;
const CODE_TEXTS: ReadonlySet<string> = new Set(['patch', 'script']);

/** What a run was, as facts: `git.commit`, `patch`, `seed.train`, `lock.uv.lock`, `input./data/a.csv`, `env.LANG`. */
export function listManifestFacts(manifest: Manifest | undefined): ManifestFacts {
  const { git = {}, command = {}, packages, locks, seeds, inputs = [], machine = {}, texts = {} } = manifest ?? {};
  const { modules, container, gpus, driver, environment } = manifest ?? {};
  const named = Object.entries(texts).filter(([name]) => name !== 'packages');
  const listTexts = (isCode: boolean): MaybeFacts =>
    named.filter(([name]) => CODE_TEXTS.has(name) === isCode).map(([name, text]) => [name, describeText(text)]);
  return {
    code: keepKnown([
      ['git.commit', cutHash(git.commit)],
      ['git.tree', cutHash(git.tree)],
      ['git.dirty', git.dirty === undefined ? undefined : git.dirty ? 'yes' : 'no'],
      ['git.branch', git.branch],
      ['git.remote', git.remote],
      ...listTexts(true),
    ]),
    seed: prefix('seed', seeds),
    packages: keepKnown([
      ['interpreter', command.interpreter],
      ['packages', describePackages(packages)],
      ...prefix('lock', locks).map(([name, hash]) => [name, cutHash(hash)] as const),
    ]),
    config: keepKnown(listTexts(false)),
    command: keepKnown([['executable', command.executable]]),
    data: keepKnown(inputs.map((input) => [`input.${input.path}`, describeInput(input)])),
    machine: keepKnown([
      ['container', container],
      ['modules', modules?.join(' ')],
      ['gpus', gpus?.join(', ')],
      ['driver', driver],
      ['cpu', machine.cpu],
      ['cpus', machine.cpus],
      ['kernel', machine.kernel],
      ...prefix('env', environment),
    ]),
  };
}

function keepKnown(facts: MaybeFacts): FactList {
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function prefix(part: string, values: Readonly<Record<string, string>> = {}): ReadonlyArray<readonly [string, string]> {
  return Object.entries(values).map(([name, value]) => [`${part}.${name}`, value]);
}

function cutHash(hash: string | undefined): string | undefined {
  return hash?.slice(0, HASH_DIGITS);
}

function describePackages(packages: Manifest['packages']): string | undefined {
  const { count, sha256 } = packages ?? {};
  const parts = [cutHash(sha256), count === undefined ? undefined : countOf(count, 'package')];
  return join(parts);
}

function describeText({ sha256, lines }: TextFacts): string | undefined {
  return join([cutHash(sha256), lines === undefined ? undefined : countOf(lines, 'line')]);
}

function describeInput({ sha256, bytes }: InputFacts): string | undefined {
  return join([cutHash(sha256), bytes === undefined ? undefined : formatBytes(bytes)]);
}

function join(parts: ReadonlyArray<string | undefined>): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}
