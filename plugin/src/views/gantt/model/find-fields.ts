import { type DataFrame, type Field, FieldType } from '@grafana/data';

/** The fields of a frame that say when things ran, and what they were. A frame of any data source may have them. */
export interface SpanFields {
  readonly start: Field | undefined;
  readonly end: Field | undefined;
  readonly duration: Field | undefined;
  readonly texts: Readonly<Record<SpanText, Field | undefined>>;
  /** The share of a slot in which something ran, how many ran at once, and how many there were: of folded spans. */
  readonly busy: Field | undefined;
  readonly running: Field | undefined;
  readonly count: Field | undefined;
}

export const SPAN_TEXTS = ['name', 'category', 'worker', 'job'] as const;
export type SpanText = (typeof SPAN_TEXTS)[number];

/** Names without case, spaces and signs; the first ones win. */
const START_NAMES = [
  'start',
  'starttime',
  'startedat',
  'started',
  'begin',
  'begintime',
  'from',
  'timestamp',
  'ts',
  'time',
];
const END_NAMES = ['end', 'endtime', 'endedat', 'ended', 'finish', 'finishtime', 'finishedat', 'finished', 'stop'];
const MORE_END_NAMES = ['stoptime', 'stopped', 'stoppedat', 'until', 'to', 'timeend'];
const DURATION_NAMES = ['duration', 'dur', 'elapsed', 'took', 'runtime', 'latency', 'length'];

/** The names of a text, likewise. The label of a field may stand for a field. */
export const TEXT_NAMES: Readonly<Record<SpanText, readonly string[]>> = {
  name: [
    'name',
    'spanname',
    'operationname',
    'operation',
    'task',
    'taskname',
    'title',
    'event',
    'step',
    'stage',
    'key',
  ],
  category: ['category', 'cat', 'kind', 'type', 'group', 'servicename', 'service'],
  worker: ['worker', 'workerid', 'thread', 'tid', 'rank', 'host', 'hostname', 'node', 'instance', 'process', 'pid'],
  job: ['job', 'jobid', 'jobname'],
};

const UNITS_MS: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, nanos: 1e-6, nanoseconds: 1e-6, us: 1e-3, micros: 1e-3, microseconds: 1e-3, µs: 1e-3 },
  ...{ ms: 1, millis: 1, milliseconds: 1, s: 1e3, sec: 1e3, secs: 1e3, seconds: 1e3 },
  ...{ m: 6e4, min: 6e4, mins: 6e4, minutes: 6e4, h: 36e5, hours: 36e5, d: 864e5, days: 864e5 },
  ...{ dtdurationms: 1, dtdurations: 1e3, clockms: 1, clocks: 1e3 },
};

export function simplifyName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function findNamed(fields: readonly Field[], names: readonly string[]): Field | undefined {
  const byName = new Map(fields.map((field) => [simplifyName(field.name), field] as const).reverse());
  return names.map((name) => byName.get(name)).find((field) => field !== undefined);
}

/** Its unit as the field says it, or behind its name: `duration_s`. Milliseconds where neither does. */
export function readUnitMs({ name, config }: Field): number {
  const unit = UNITS_MS[simplifyName(config.unit ?? '')];
  const simple = simplifyName(name);
  const word = DURATION_NAMES.find((each) => simple.startsWith(each)) ?? '';
  return unit ?? UNITS_MS[simple.slice(word.length)] ?? 1;
}

function isDurationName(name: string): boolean {
  const simple = simplifyName(name);
  return DURATION_NAMES.some((word) => {
    const rest = simple.startsWith(word) ? simple.slice(word.length) : undefined;
    return rest === '' || (rest !== undefined && rest in UNITS_MS);
  });
}

/** Finds them by type and by name. Two times without names that say more are a start and an end. */
export function findSpanFields({ fields }: DataFrame): SpanFields {
  const times = fields.filter(({ type }) => type === FieldType.time);
  const numbers = fields.filter(({ type }) => type === FieldType.number);
  const end = findNamed(times, [...END_NAMES, ...MORE_END_NAMES]) ?? findNamed(numbers, [...END_NAMES, 'timeend']);
  const otherTimes = times.filter((field) => field !== end);
  const start = findNamed(otherTimes, START_NAMES) ?? otherTimes[0] ?? findNamed(numbers, START_NAMES.slice(0, 6));
  const secondTime = end === undefined && start !== undefined ? otherTimes.find((field) => field !== start) : undefined;
  const texts = fields.filter(({ type }) => type === FieldType.string || type === FieldType.number);
  const categories = findNamed(texts, TEXT_NAMES.category);
  const workers = findNamed(texts, TEXT_NAMES.worker);
  const jobs = findNamed(texts, TEXT_NAMES.job);
  const strings = fields.filter(
    (field) => field.type === FieldType.string && ![categories, workers, jobs].includes(field)
  );
  return {
    start,
    end: end ?? secondTime,
    duration: numbers.find(({ name }) => isDurationName(name)),
    texts: {
      name: findNamed(texts, TEXT_NAMES.name) ?? strings[0],
      ...{ category: categories, worker: workers, job: jobs },
    },
    busy: findNamed(numbers, ['busy']),
    running: findNamed(numbers, ['running']),
    count: findNamed(numbers, ['count']),
  };
}
