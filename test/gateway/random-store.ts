import type { Rights, SharedJob } from '@joblens/core/gateway/restrict';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { FieldValue, Point } from '@joblens/core/point/point';
import { encodeTagValue } from '@joblens/core/schema/name-transport';
import { findKeysType, type StoredType } from '@joblens/core/schema/stored-fields';
import fc from 'fast-check';

/** What another program writes, and the operator named. */
export const OTHERS = ['gpu load'];
/** Nobody named it. */
const UNNAMED = 'secret';

/** Each kind: job and user as tags, the job as a field, fields of tables, another program's, unnamed. */
const MEASUREMENTS = [
  ...['job_metadata', 'job_metadata_text', 'job_event', 'job_log', 'job_heartbeat', 'job_transition'],
  ...[...OTHERS, UNNAMED],
];
const TABLES: ReadonlySet<string> = new Set(['job_metadata', 'job_metadata_text']);
const WITH_JOB_FIELD: ReadonlySet<string> = new Set(['job_heartbeat', 'job_transition']);

/** Names that break a careless quoting; `a` and `b` are those that random queries ask about. */
export const USERS = ['a', 'b', "o'hara (x)", 'back\\slash', 'ends\\', 'ünï "q"', "' OR '' = '", 'a-b.c', '', ' '];

export interface StoredPoint {
  readonly user: string | undefined;
  readonly job: string;
  readonly point: Point;
}

const SECOND_NS = 1_000_000_000n;

interface Draft {
  readonly measurement: string;
  readonly user: string | undefined;
  readonly job: string;
  readonly task: string;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly step: number;
}

const user = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...USERS) },
  { weight: 1, arbitrary: fc.constant(undefined) }
);
/** Halves and quarters: sums and means of them are exact, whatever the order they are added in. */
const number = fc.integer({ min: -40, max: 40 }).map((n) => n / 4);

const draft: fc.Arbitrary<Draft> = fc.record({
  measurement: fc.constantFrom(...MEASUREMENTS),
  user,
  job: fc.constantFrom('1', '2', '3'),
  task: fc.constantFrom('', '0'),
  fields: fc
    .record(
      {
        f: number,
        g: number,
        i: fc.integer({ min: -9, max: 9 }).map(BigInt),
        s: fc.constantFrom('a', 'ab', '', 'x y'),
      },
      { requiredKeys: [] }
    )
    .map((fields): Record<string, FieldValue> => ({ ...fields, b: true })),
  step: fc.integer({ min: 0, max: 60 }),
});

/** A field that only this user has: its name is theirs. */
export function ownField(name: string | undefined): string {
  return `own ${name === undefined ? 'nobody' : USERS.indexOf(name)}`;
}

/** Where users give no names, everybody has each of the fields that are asked for. */
const EACH_FIELD: Readonly<Record<string, FieldValue>> = { f: 1, g: 2, i: 3n, s: 'a' };

/** A field in a measurement whose fields have one type; undefined for those of the other one. */
function storeAs(type: StoredType, value: FieldValue): FieldValue | undefined {
  if (type === 'text') return typeof value === 'string' ? value : undefined;
  return typeof value === 'bigint' ? Number(value) : typeof value === 'number' ? value : undefined;
}

/** Every series and job has points on a time grid of its own: InfluxDB leaves open in which order others come. */
function createPoint({ measurement, user: owner, job, task, fields, step }: Draft, place: number): Point {
  const isField = WITH_JOB_FIELD.has(measurement);
  const tags: Array<readonly [string, string]> = isField ? [['grid', '2h']] : [['job', encodeTagValue(job)]];
  if (owner !== undefined) tags.push(['user', encodeTagValue(owner)]);
  if (task !== '') tags.push(['task', task]);
  const type = findKeysType(measurement);
  const all = new Map<string, FieldValue>();
  for (const [name, value] of Object.entries(type === undefined ? { ...EACH_FIELD, ...fields } : fields)) {
    const stored = type === undefined ? value : storeAs(type, value);
    if (stored !== undefined) all.set(name, stored);
  }
  if (isField) all.set('job', encodeTagValue(job));
  else if (type === 'text') all.set(`${ownField(owner)} text`, 'x');
  else all.set(ownField(owner), 1);
  return { measurement, tags: new Map(tags), fields: all, timeNs: BigInt(step) * SECOND_NS + BigInt(place) };
}

/** The `job_series` of all rows that a user's job has. */
function createSeries(owner: string, rows: readonly StoredPoint[], place: number): StoredPoint {
  const job = rows[0]?.job ?? '';
  const tags = new Map([['job', encodeTagValue(job)] as const, ['user', encodeTagValue(owner)] as const]);
  const keys = JSON.stringify([...new Set(rows.flatMap(({ point }) => [...point.fields.keys()]))]);
  const point = { measurement: 'job_series', tags, fields: new Map([['keys', keys]]), timeNs: BigInt(place) };
  return { user: owner, job, point };
}

/** Points of several users and of nobody. */
export function randomPoints(): fc.Arbitrary<readonly StoredPoint[]> {
  return fc.array(draft, { minLength: 1, maxLength: 60, size: 'max' }).map((drafts) => {
    const keyOf = (one: Draft): string => JSON.stringify([one.measurement, one.user, one.job, one.task]);
    const places = new Map([...new Set(drafts.map(keyOf))].sort().map((key, at) => [key, at]));
    const rows = drafts.map((one) => {
      return { user: one.user, job: one.job, point: createPoint(one, places.get(keyOf(one)) ?? 0) };
    });
    const ofTables = rows.filter(({ point }) => TABLES.has(point.measurement));
    const keyOfJob = ({ user: owner, job }: StoredPoint): string => JSON.stringify([owner, job]);
    const series = [...new Set(ofTables.map(keyOfJob))].flatMap((key, at) => {
      const ofJob = ofTables.filter((one) => keyOfJob(one) === key);
      const owner = ofJob[0]?.user;
      return owner === undefined ? [] : [createSeries(owner, ofJob, at)];
    });
    return [...rows, ...series];
  });
}

/** Mostly somebody alone, then somebody with shared jobs or with a group. */
export function randomRights(): fc.Arbitrary<Extract<Rights, { readonly kind: 'some' }>> {
  const shared: fc.Arbitrary<SharedJob> = fc.record({
    user: fc.constantFrom(...USERS),
    job: fc.constantFrom('1', '2', '3'),
  });
  return fc.record({
    kind: fc.constant('some' as const),
    users: fc.array(fc.constantFrom(...USERS), { maxLength: 2 }),
    jobs: fc.array(shared, { maxLength: 2 }),
  });
}

/** What a store of the visible points alone holds: none of those with an empty name, which nobody has. */
export function isVisible(
  { user: owner, job, point }: StoredPoint,
  { users, jobs }: Omit<Rights & { kind: 'some' }, 'kind'>
): boolean {
  if (owner === undefined || owner === '' || point.measurement === UNNAMED) return false;
  return users.includes(owner) || jobs.some((one) => one.user === owner && one.job === job);
}

/** What statements about names tell: a series with the job as a field has those of the user's other jobs as well. */
export function isNamed(stored: StoredPoint, rights: Parameters<typeof isVisible>[1]): boolean {
  const isOfOneJob = !WITH_JOB_FIELD.has(stored.point.measurement);
  return isVisible(stored, isOfOneJob ? rights : { ...rights, jobs: [] });
}

export function formatPoints(points: readonly StoredPoint[]): string {
  return points.map(({ point }) => formatPoint(point)).join('\n');
}

/** Queries of one kind of names, about the measurements and tags here. */
export function renameQuery(text: string, [m, n]: readonly [string, string]): string {
  const names: Readonly<Record<string, string>> = { m: `"${m}"`, n: `"${n}"`, j: 'job', u: '"user"' };
  return text
    .replaceAll('/m|n/', '/job.m|gpu load/')
    .replaceAll('/u/', '/user/')
    .replaceAll('/f|j/', '/f|job/')
    .replace(/(?<!['\w/])[mnju](?!['\w/])/g, (name) => names[name] ?? name);
}

/**
 * Two that one statement reads. Joblens's own have the same fields in both: where it knows a type for one of them, no
 * field of another type is read in the other, which none but foreign programs have.
 */
export const randomMeasurements = fc.oneof(
  fc.tuple(fc.constantFrom('job_metadata', 'job_event', ...OTHERS), fc.constantFrom('job_metadata', ...OTHERS)),
  fc.tuple(fc.constantFrom('job_metadata_text', ...OTHERS), fc.constantFrom('job_metadata_text', ...OTHERS)),
  fc.tuple(fc.constantFrom('job_log', 'job_heartbeat'), fc.constantFrom('job_log', 'job_transition', ...OTHERS))
);
