import type * as yaml from 'yaml';
import { findTooDeepYaml } from '../rules/options/bounded-yaml.js';
import { findNearestWord } from './nearest-word.js';
import { anyText, nonEmptyText, serverUrl, type ValueType } from './value-types.js';

interface SiteKey {
  /** The variable that it sets for all who have not set it. */
  readonly variable: string;
  readonly type: ValueType<string>;
  /** It names a file that holds the value. */
  readonly isFile?: true;
  readonly isSwitch?: true;
}

const path: ValueType<string> = nonEmptyText;

/** The keys of joblens.yaml, in the order in which `joblens setup` writes them. */
export const SITE_KEYS = {
  url: { variable: 'INFLUX_HOST', type: serverUrl },
  org: { variable: 'INFLUX_ORG', type: nonEmptyText },
  bucket: { variable: 'INFLUX_BUCKET', type: nonEmptyText },
  'token-file': { variable: 'INFLUX_TOKEN', type: path, isFile: true },
  user: { variable: 'INFLUX_USER', type: nonEmptyText },
  'password-file': { variable: 'INFLUX_PASSWORD', type: path, isFile: true },
  'job-prefix': { variable: 'JOBLENS_JOB_PREFIX', type: anyText },
  page: { variable: 'JOBLENS_PAGE', type: serverUrl },
  watcher: { variable: 'JOBLENS_WATCHER', type: anyText, isSwitch: true },
} as const satisfies Readonly<Record<string, SiteKey>>;

export type SiteKeyName = keyof typeof SITE_KEYS;

/** A value of the file, and what becomes of it. */
interface SiteValue {
  readonly variable: string;
  readonly text: string;
  readonly isFile: boolean;
}

export type SiteValues = { readonly [Name in SiteKeyName]?: SiteValue };

interface SiteFault {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface ParsedSite {
  readonly values: SiteValues;
  readonly faults: readonly SiteFault[];
}

const NAMES = Object.keys(SITE_KEYS) as SiteKeyName[];

/** Reads the text of joblens.yaml: a mapping of the keys above. A key that is wrong is left out, and said. */
export async function parseSite(text: string): Promise<ParsedSite> {
  const { isMap, isScalar, Lexer, LineCounter, parseDocument } = await import('yaml');
  const whole = (message: string, line = 1): ParsedSite => ({ values: {}, faults: [{ line, message }] });
  if (findTooDeepYaml(text, new Lexer()) !== undefined) return whole('nested too deep; a mapping of keys is expected');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' });
  const [fault] = document.errors;
  if (fault !== undefined) return whole(`not valid YAML: ${fault.message}`, lineCounter.linePos(fault.pos[0]).line);
  if (document.contents === null) return { values: {}, faults: [] };
  if (!isMap(document.contents)) return whole(`not a mapping of keys; known are ${NAMES.join(', ')}`);
  const values: Partial<Record<SiteKeyName, SiteValue>> = {};
  const faults: SiteFault[] = [];
  for (const { key, value } of document.contents.items as yaml.Pair<yaml.Node, yaml.Node | null>[]) {
    const name = isScalar(key) ? String(key.value) : 'a key that is no text';
    const plain = isScalar(value) ? value.value : undefined;
    const message = isKnown(name) ? addValue(values, name, plain) : explainUnknown(name);
    if (message !== undefined) faults.push({ line: lineCounter.linePos(key.range?.[0] ?? 0).line, message });
  }
  return { values, faults };
}

function isKnown(name: string): name is SiteKeyName {
  return Object.hasOwn(SITE_KEYS, name);
}

function explainUnknown(name: string): string {
  const meant = findNearestWord(name, NAMES);
  const advice = meant === undefined ? `known are ${NAMES.join(', ')}` : `did you mean ${meant}?`;
  return `unknown key ${JSON.stringify(name)}, which does not count; ${advice}`;
}

/** The error is the fault. */
function addValue(
  values: Partial<Record<SiteKeyName, SiteValue>>,
  name: SiteKeyName,
  plain: unknown
): string | undefined {
  const { variable, type, isFile, isSwitch }: SiteKey = SITE_KEYS[name];
  const wrong = (rule: string): string => `${name} must be ${rule}; it does not count`;
  if (isSwitch) {
    if (typeof plain !== 'boolean') return wrong('true or false');
    values[name] = { variable, text: plain ? 'yes' : 'no', isFile: false };
    return undefined;
  }
  if (typeof plain !== 'string' && typeof plain !== 'number') return wrong('a text');
  const read = type.parse(String(plain));
  if (!read.ok) return wrong(read.error);
  values[name] = { variable, text: read.value, isFile: isFile === true };
  return undefined;
}
