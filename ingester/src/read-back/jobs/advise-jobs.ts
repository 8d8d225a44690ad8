import { listConfigValues } from '@joblens/core/metadata/config-values';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { listJobs } from '@joblens/core/ask/jobs/list-jobs';
import { suggestNearest } from '@joblens/core/console/find-nearest';
import { toVisibleText } from '@joblens/core/console/terminal-text';
import { STATES } from '@joblens/core/words/states';
import { parseKeyValue } from '../../config/value-types.js';
import { type JobRange, listNewestNames } from '../shell/near-job.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';
import { isConfigKey, isConfigValue } from './has-config.js';

/** What no job has. */
export interface Asked {
  readonly user: readonly string[];
  readonly state: readonly string[];
  /** `key=value` each. */
  readonly tag: readonly string[];
  /** `key=value` each. */
  readonly config: readonly string[];
}

/** Jobs whose keys may be meant, newest first: their descriptions cost more. */
const MOST_DESCRIBED = 500;
/** Names in a message; more are no help. */
const MOST_NAMED = 8;

/** Says which of the words that were asked for no job of the range has, and which may be meant; undefined if none. */
export async function adviseJobs(
  reading: Reading,
  asked: Asked,
  range: JobRange,
  seen: ReadonlySet<string>
): Promise<string | undefined> {
  return (
    suggestState(asked, seen) ??
    (await suggestUser(reading, asked, range)) ??
    (await suggestKeyValue(reading, asked, range))
  );
}

/** Suggests states of existing jobs for a state in which no job is. */
function suggestState({ state }: Asked, seen: ReadonlySet<string>): string | undefined {
  const states = [...seen].map(toVisibleText).sort();
  const unknown = state.find((each) => !seen.has(each.toUpperCase()));
  if (unknown === undefined || states.length === 0) return undefined;
  // A slip of a state that no job is in now is a slip, too.
  const meant = suggestNearest(unknown, states) || suggestNearest(unknown, STATES);
  return `no job is in state ${unknown.toUpperCase()}, but in ${states.join(', ')}${meant}`;
}

/** Suggests a user with jobs in the range for one who has none there. */
async function suggestUser({ ask }: Reading, { user }: Asked, range: JobRange): Promise<string | undefined> {
  const [unknown, ...others] = user;
  if (unknown === undefined || others.length > 0) return undefined;
  const users = await listNewestNames(ask, range, 'user');
  const meant = users.includes(unknown) ? '' : suggestNearest(unknown, users);
  return meant === '' ? undefined : `user ${unknown} has no job there${meant}`;
}

/** A kind of pairs of key and value that jobs have. */
interface PairKind {
  readonly pairs: readonly string[];
  readonly list: (job: JobRecord) => ReadonlyArray<readonly [string, number | string]>;
  readonly isKey: (name: string, key: string) => boolean;
  readonly isValue: (value: number | string, text: string) => boolean;
  readonly tellKey: (key: string) => string;
}

async function suggestKeyValue({ ask }: Reading, asked: Asked, range: JobRange): Promise<string | undefined> {
  if (asked.tag.length + asked.config.length === 0) return undefined;
  const shown = { isWanted: () => true, limit: MOST_DESCRIBED, config: asked.config.length > 0 };
  const listed = await runReading(ask, listJobs({ ...range, user: [] }, shown));
  if (!listed.ok || listed.value.jobs.length === 0) return undefined;
  const tags: PairKind = {
    pairs: asked.tag,
    list: (job) => Object.entries(job.tags ?? {}),
    isKey: (name, key) => name === key,
    isValue: (value, text) => value === text,
    tellKey: (key) => `the tag ${key}`,
  };
  const config: PairKind = {
    pairs: asked.config,
    list: (job) => listConfigValues(job.config),
    isKey: isConfigKey,
    isValue: isConfigValue,
    tellKey: (key) => `${key} in its configuration`,
  };
  return suggestPair(listed.value.jobs, tags) ?? suggestPair(listed.value.jobs, config);
}

function suggestPair(
  jobs: readonly JobRecord[],
  { pairs, list, isKey, isValue, tellKey }: PairKind
): string | undefined {
  const known = jobs.flatMap(list);
  const names = [...new Set(known.map(([name]) => name))];
  for (const [key, text] of pairs.map(parseKeyValue)) {
    const values = known.filter(([name]) => isKey(name, key)).map(([, value]) => value);
    if (values.length === 0) return `no job there has ${tellKey(key)}${suggestName(key, names)}`;
    if (!values.some((value) => isValue(value, text)))
      return `no job there has ${key}=${text}${suggestName(text, [...new Set(values.map(String))])}`;
  }
  return undefined;
}

/** The nearest of these, else those that there are. */
function suggestName(word: string, known: readonly string[]): string {
  const near = suggestNearest(word, known);
  if (near !== '' || known.length === 0 || known.length > MOST_NAMED) return near;
  return `, but ${known.map(toVisibleText).join(', ')}`;
}
