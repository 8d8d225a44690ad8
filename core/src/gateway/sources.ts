import { createMeasurement } from '../influxql/build.js';
import type { Source } from '../influxql/nodes.js';
import type { JobPlace, ReadMeasurement } from './measurements-read.js';
import { Refusal } from './refusal.js';

/** Where a query reads: one database, and of it these measurements. */
export interface Scope {
  readonly database: string;
  readonly measurements: readonly ReadMeasurement[];
  /** For those who may see all: any measurement of the database. */
  readonly isOpen: boolean;
}

type SimpleSource = Exclude<Source, { readonly kind: 'subquery' }>;

/** The sources that may stand in place of one of a query. */
export function restrictSource(source: SimpleSource, scope: Scope): readonly Source[] {
  if (source.kind === 'measurementRegex') {
    if (scope.isOpen) return [source];
    return findMatching(source.source, scope).map(({ name }) => createMeasurement(name));
  }
  checkDatabase(source.database, scope);
  if (source.retentionPolicy !== undefined) {
    throw new Refusal('retention-policy', 'A measurement stands without a retention policy: the default one is read');
  }
  if (!scope.isOpen) findMeasurement(source.name, scope);
  return [createMeasurement(source.name)];
}

export function checkDatabase(database: string | undefined, scope: Scope): void {
  if (database === undefined || database === scope.database) return;
  throw new Refusal('database', `Only the database ${scope.database} is read here`);
}

/** The measurements of sources that restrictSource gave. */
export function readMeasurements(from: readonly Source[], scope: Scope): readonly ReadMeasurement[] {
  return from.flatMap((source) => (source.kind === 'measurement' ? [findMeasurement(source.name, scope)] : []));
}

export function placesOf(measurements: readonly ReadMeasurement[]): ReadonlySet<JobPlace> {
  return new Set(measurements.map(({ job }) => job));
}

const MAX_SHOWN_CHARS = 100;

function findMeasurement(name: string, { measurements }: Scope): ReadMeasurement {
  const found = measurements.find((one) => one.name === name);
  if (found !== undefined) return found;
  const shown = name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS)}…` : name;
  throw new Refusal(
    'measurement',
    `The measurement ${JSON.stringify(shown)} is not answered about; an operator names others with --measurement NAME`
  );
}

/**
 * Expressions that JavaScript and Go read alike and that end soon: texts, `.`, few repetitions of one character, groups
 * that do not repeat, and alternatives.
 */
const SIMPLE_REGEX = /^(?:\(\?i\))?(?:[\w :.*+|()^$-]{0,200})$/;
const MAX_REPETITIONS = 3;

/**
 * Finds measurements whose names an expression matches. A query that reached the store with it would read all others
 * too, so it is evaluated here.
 */
function findMatching(source: string, { measurements }: Scope): readonly ReadMeasurement[] {
  const regex = createSimpleRegex(source);
  if (regex === undefined) {
    const allowed = 'letters, digits, - _ : . | ( ) ^ $ and at most three * or +, after (?i) if at all';
    throw new Refusal('measurement-regex', `An expression for measurements has only ${allowed}`);
  }
  return measurements.filter(({ name }) => regex.test(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function createSimpleRegex(source: string): RegExp | undefined {
  const isSimple = SIMPLE_REGEX.test(source) && (source.match(/[*+]/g) ?? []).length <= MAX_REPETITIONS;
  if (!isSimple || /[)^$|(*+][*+]/.test(source)) return undefined;
  const isAnyCase = source.startsWith('(?i)');
  try {
    return new RegExp(isAnyCase ? source.slice('(?i)'.length) : source, isAnyCase ? 'i' : '');
  } catch {
    return undefined;
  }
}
