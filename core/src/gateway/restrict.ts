import type { InfluxqlError } from '../influxql/cursor.js';
import type { Statement } from '../influxql/nodes.js';
import { parseQuery } from '../influxql/parse.js';
import { printStatement } from '../influxql/print.js';
import { rewriteStatement } from '../influxql/rewrite.js';
import { checkBuckets } from './bound-buckets.js';
import { showFieldKeys } from './field-keys.js';
import { listMeasurements } from './measurements-read.js';
import { Refusal, type Rule } from './refusal.js';
import { listShown, restrictShow, showCardinality, showMeasurements } from './restrict-show.js';
import { restrictSelect } from './restrict-select.js';
import { createVisibility, type Rights, type SomeRights } from './rights.js';
import { checkDatabase, placesOf, restrictSource, type Scope } from './sources.js';
import { createAnswer, NOTHING, type Step } from './steps.js';

export type { Rule } from './refusal.js';
export type { Rights, SharedJob } from './rights.js';
export type { Answer, Step } from './steps.js';

export interface RestrictOptions {
  /** The one database that is read. */
  readonly database: string;
  /** Measurements of other programs whose tag `user` says whose a point is. */
  readonly measurements?: readonly string[];
  /** The time for `now()`. */
  readonly nowNs: bigint;
}

/** What becomes of a query. */
export type Restricted =
  /** One step for each of its statements, in their order. */
  | { readonly kind: 'steps'; readonly steps: readonly Step[] }
  /** `message` is fit to be sent to who asked. */
  | { readonly kind: 'refused'; readonly rule: Rule; readonly message: string };

const MAX_QUERY_CHARS = 1 << 20;
const MAX_REGEX_CHARS = 4096;
/** The store looks at each of them for each series. */
const MAX_NAMED = 5_000;

/**
 * What to ask a store that holds everybody's points, so that the answer is that of one with the visible points alone.
 * Only what the parser reads is answered; if one statement is refused, all are.
 */
export function restrict(query: string, rights: Rights, options: RestrictOptions): Restricted {
  try {
    return { kind: 'steps', steps: listSteps(query, rights, options) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', rule: error.rule, message: error.message };
    throw error;
  }
}

function listSteps(query: string, rights: Rights, options: RestrictOptions): readonly Step[] {
  const { database, measurements, nowNs } = options;
  if (query.length > MAX_QUERY_CHARS)
    throw new Refusal('too-long', `A query has at most ${MAX_QUERY_CHARS} characters`);
  if (rights.kind === 'some' && rights.users.length + rights.jobs.length > MAX_NAMED) {
    throw new Refusal('too-many-rights', `You may see more than ${MAX_NAMED} users and shared jobs: ask for fewer`);
  }
  const parsed = parseQuery(query);
  if (!parsed.ok) throw refuseText(parsed.error);
  if (parsed.value.length === 0) throw new Refusal('empty', 'The query has no statement');
  const scope = { database, measurements: listMeasurements(measurements), isOpen: rights.kind === 'all' };
  return parsed.value.map((statement) => {
    rewriteStatement(statement, { regex: checkRegex });
    if (statement.kind === 'select') checkBuckets(statement, nowNs);
    return rights.kind === 'all' ? confine(statement, scope) : restrictStatement(statement, rights, scope);
  });
}

function refuseText({ kind, message, construct }: InfluxqlError): Refusal {
  return new Refusal(construct ?? kind, message);
}

function checkRegex(source: string): string {
  if (source.length <= MAX_REGEX_CHARS) return source;
  throw new Refusal('regex-length', `A regular expression has at most ${MAX_REGEX_CHARS} characters`);
}

function restrictStatement(statement: Statement, rights: SomeRights, scope: Scope): Step {
  switch (statement.kind) {
    case 'select':
      return restrictSelect(statement, rights, scope);
    case 'showTagKeys':
    case 'showTagValues':
    case 'showSeries':
      return restrictShow(statement, rights, scope);
    case 'showMeasurements':
      return showMeasurements(statement, rights, scope);
    case 'showCardinality':
      return showCardinality(statement, rights, scope);
    case 'showFieldKeys':
      return showVisibleFieldKeys(statement, rights, scope);
    case 'showDatabases':
    case 'showRetentionPolicies':
    case 'createDatabase':
    case 'dropSeries':
      return answerOfServer(statement, scope);
  }
}

function showVisibleFieldKeys(
  statement: Extract<Statement, { readonly kind: 'showFieldKeys' }>,
  rights: SomeRights,
  scope: Scope
): Step {
  const shown = listShown(statement, scope);
  const isSeeing = createVisibility(rights, placesOf(shown)) !== undefined;
  return isSeeing ? showFieldKeys(shown, rights, statement) : NOTHING;
}

type ServerStatement = Extract<
  Statement,
  { readonly kind: 'showDatabases' | 'showRetentionPolicies' | 'createDatabase' | 'dropSeries' }
>;

/** The same for all: what is no one's. */
function answerOfServer(statement: ServerStatement, scope: Scope): Step {
  switch (statement.kind) {
    case 'showDatabases':
      return createAnswer([], () => [{ name: 'databases', columns: ['name'], values: [[scope.database]] }]);
    case 'showRetentionPolicies':
      checkDatabase(statement.database, scope);
      return { kind: 'ask', statement: printStatement({ ...statement, database: scope.database }) };
    case 'createDatabase':
    case 'dropSeries':
      throw new Refusal('statement', 'Queries only read: nothing is created or removed here');
  }
}

/** A statement of those who may see all: of this database, and only reading. */
function confine(statement: Statement, scope: Scope): Step {
  switch (statement.kind) {
    case 'showDatabases':
    case 'showRetentionPolicies':
    case 'createDatabase':
    case 'dropSeries':
      return answerOfServer(statement, scope);
    case 'select':
      return { kind: 'ask', statement: printStatement(confineSources(statement, scope)) };
    case 'showMeasurements':
    case 'showTagKeys':
    case 'showFieldKeys':
    case 'showTagValues':
    case 'showSeries':
    case 'showCardinality': {
      checkDatabase(statement.database, scope);
      const { database: _, ...rest } = confineSources(statement, scope);
      return { kind: 'ask', statement: printStatement(rest) };
    }
  }
}

function confineSources<S extends Statement>(statement: S, scope: Scope): S {
  return rewriteStatement(statement, {
    source: (source) => (source.kind === 'subquery' ? [source] : restrictSource(source, scope)),
  });
}
