import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import {
  type ColumnExpression,
  type Condition,
  type Dimension,
  type FunctionCall,
  type Literal,
  type SelectStatement,
  type Source,
  type Statement,
  FUNCTION_NAMES,
} from './nodes.js';
import { parseQuery } from './parse.js';
import { printStatement, printStatements } from './print.js';
import { canonicalRegexSource } from './quote.js';

const name = fc.oneof(
  fc.constantFrom('job', 'user', 'select', 'line', 'a b', 'a"b', "it's", 'back\\slash', 'two\nlines', 'a.b', '*', ''),
  fc.string({ unit: 'grapheme' })
);
const regex = fc.string({ unit: fc.constantFrom('a', '/', '\\', '.', "'", '"', ' ', '\n') }).map(canonicalRegexSource);
const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const durationNs = fc.bigInt(1n, 2n ** 62n);
const count = fc.nat();

const cast = fc.option(fc.constantFrom('field' as const, 'tag' as const), { nil: undefined });
const ref = fc
  .tuple(name, cast)
  .map(([refName, refCast]) => ({ kind: 'ref' as const, name: refName, ...(refCast && { cast: refCast }) }));
/** In a condition, `time` is not a column. */
const conditionRef = ref.filter((left) => left.name.toLowerCase() !== 'time');

const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.record({ kind: fc.constant('string' as const), value: name }),
  fc.record({ kind: fc.constant('number' as const), value: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  fc.record({ kind: fc.constant('integer' as const), value: int64 }),
  fc.record({ kind: fc.constant('boolean' as const), value: fc.boolean() })
);
const timeLiteral = fc.oneof(
  fc.record({ kind: fc.constant('time' as const), timeNs: int64 }),
  fc.record({ kind: fc.constant('now' as const), offsetNs: fc.bigInt(-(2n ** 62n), 2n ** 62n) })
);
const operator = fc.constantFrom('=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const);

const condition = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('compare' as const),
      left: conditionRef,
      operator: fc.oneof(operator, fc.constant('!=' as const)),
      right: literal,
    }),
    fc.record({
      kind: fc.constant('match' as const),
      left: conditionRef,
      operator: fc.constantFrom('=~' as const, '!~' as const),
      source: regex,
    }),
    fc.record({ kind: fc.constant('time' as const), operator, right: timeLiteral }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      left: tie('condition'),
      right: tie('condition'),
    })
  ),
})).condition;

const argument = fc.oneof(
  ref,
  fc.constant({ kind: 'wildcard' as const }),
  fc.record({ kind: fc.constant('regex' as const), source: regex })
);
const aggregate = fc.constantFrom(
  ...(['count', 'sum', 'mean', 'min', 'max', 'first', 'last', 'spread', 'distinct'] as const)
);
const aggregateCall = fc.record({ kind: fc.constant('call' as const), name: aggregate, argument });
const numeric = fc.oneof(
  fc.record({ kind: fc.constant('number' as const), value: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  fc.record({ kind: fc.constant('integer' as const), value: int64 })
);
const parameters = fc.array(
  fc.oneof(numeric, fc.record({ kind: fc.constant('duration' as const), durationNs: fc.bigInt(1n, 2n ** 62n) }), ref),
  { maxLength: 2 }
);
/** A call of one column by the name `count` is an aggregate. */
const functionName = fc.constantFrom(...FUNCTION_NAMES);
const functionCall = fc.letrec<{ call: FunctionCall }>((tie) => ({
  call: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('function' as const),
      name: functionName.filter((one) => one !== 'count'),
      argument,
      parameters,
    }),
    fc.record({
      kind: fc.constant('function' as const),
      name: functionName,
      argument: fc.oneof(aggregateCall, tie('call')),
      parameters,
    })
  ),
})).call;
const expression = fc.letrec<{ expression: ColumnExpression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      { kind: 'wildcard' as const },
      { kind: 'wildcard' as const, only: 'field' as const },
      { kind: 'wildcard' as const, only: 'tag' as const }
    ),
    ref,
    fc.record({ kind: fc.constant('regex' as const), source: regex }),
    aggregateCall,
    functionCall,
    numeric,
    fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...(['+', '-', '*', '/', '%', '&', '|', '^'] as const)),
      left: tie('expression'),
      right: tie('expression'),
    })
  ),
})).expression;
const column = fc.record({ expression, alias: name }, { requiredKeys: ['expression'] });

const dimension: fc.Arbitrary<Dimension> = fc.oneof(
  fc.record(
    { kind: fc.constant('time' as const), intervalNs: durationNs, offsetNs: fc.bigInt(-(2n ** 62n), 2n ** 62n) },
    { requiredKeys: ['kind', 'intervalNs'] }
  ),
  fc.record({ kind: fc.constant('tag' as const), name: name.filter((tag) => tag.toLowerCase() !== 'time') }),
  fc.constant({ kind: 'wildcard' as const }),
  fc.record({ kind: fc.constant('regex' as const), source: regex })
);
const fill = fc.oneof(
  fc.constantFrom('none' as const, 'null' as const, 'previous' as const, 'linear' as const),
  fc.double({ noNaN: true, noDefaultInfinity: true })
);
const groupBy = fc.record(
  { dimensions: fc.array(dimension, { minLength: 1, maxLength: 3 }), fill },
  { requiredKeys: ['dimensions'] }
);

const measurement = fc.record(
  { kind: fc.constant('measurement' as const), name, database: name, retentionPolicy: name },
  { requiredKeys: ['kind', 'name'] }
);
const measurementRegex = fc.record({ kind: fc.constant('measurementRegex' as const), source: regex });

const select = fc.letrec<{ select: SelectStatement; source: Source }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    measurement,
    measurementRegex,
    fc.record({ kind: fc.constant('subquery' as const), select: tie('select') })
  ),
  select: fc.record(
    {
      kind: fc.constant('select' as const),
      columns: fc.array(column, { minLength: 1, maxLength: 4 }),
      from: fc.array(tie('source'), { minLength: 1, maxLength: 2 }),
      where: condition,
      groupBy,
      orderBy: fc.constantFrom('ASC' as const, 'DESC' as const),
      limit: count,
      offset: count,
      seriesLimit: count,
      seriesOffset: count,
      timeZone: name,
    },
    { requiredKeys: ['kind', 'columns', 'from'] }
  ),
})).select;

const clausesWithoutWhere = {
  database: name,
  from: fc.array(fc.oneof(measurement, measurementRegex), { minLength: 1, maxLength: 2 }),
  limit: count,
  offset: count,
};
const clauses = { ...clausesWithoutWhere, where: condition };
const tagKey = fc.oneof(
  fc.record({ operator: fc.constantFrom('=' as const, '!=' as const), name }),
  fc.record({ operator: fc.constantFrom('=~' as const, '!~' as const), source: regex }),
  fc.record({ operator: fc.constant('in' as const), names: fc.array(name, { minLength: 1, maxLength: 3 }) })
);

const statement: fc.Arbitrary<Statement> = fc.oneof(
  { arbitrary: select, weight: 6 },
  fc.constant({ kind: 'showDatabases' as const }),
  fc.record({ kind: fc.constant('createDatabase' as const), name }),
  fc.record({ kind: fc.constant('showRetentionPolicies' as const), database: name }, { requiredKeys: ['kind'] }),
  fc.record(
    {
      ...clauses,
      kind: fc.constant('showMeasurements' as const),
      from: fc.array(fc.oneof(measurement, measurementRegex), { minLength: 1, maxLength: 1 }),
    },
    { requiredKeys: ['kind'] }
  ),
  fc.record(
    { ...clauses, kind: fc.constantFrom('showTagKeys' as const, 'showSeries' as const) },
    { requiredKeys: ['kind'] }
  ),
  fc.record({ ...clausesWithoutWhere, kind: fc.constant('showFieldKeys' as const) }, { requiredKeys: ['kind'] }),
  fc.record(
    { ...clauses, kind: fc.constant('showTagValues' as const), key: tagKey },
    { requiredKeys: ['kind', 'key'] }
  ),
  fc.record(
    {
      ...clauses,
      kind: fc.constant('showCardinality' as const),
      of: fc.constantFrom('series' as const, 'measurement' as const, 'tagKey' as const, 'fieldKey' as const),
      isExact: fc.constant(true as const),
    },
    { requiredKeys: ['kind', 'of'] }
  ),
  fc.record(
    { ...clauses, kind: fc.constant('showCardinality' as const), of: fc.constant('tagValues' as const), key: tagKey },
    { requiredKeys: ['kind', 'of', 'key'] }
  )
);

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}

describe('printStatement and parseQuery', () => {
  it('parse what was printed into the same node, frozen', () => {
    fc.assert(
      fc.property(statement, (node) => {
        const parsed = parseQuery(printStatement(node));
        expect(parsed).toEqual({ ok: true, value: [node] });
        expect(parsed.ok && parsed.value.every(isDeepFrozen)).toBe(true);
      }),
      { numRuns: randomCases(1000) }
    );
  });

  it('take several statements in one text', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 4 }), (nodes) => {
        expect(parseQuery(printStatements(nodes))).toEqual({ ok: true, value: nodes });
      })
    );
  });

  it('never throw, whatever the text', () => {
    const word = fc.constantFrom(
      ...'SELECT FROM WHERE GROUP BY time ( ) , ; \' " / \\ = =~ 1h 5 1.5 now() fill * :: . - -- /* */ a SHOW TAG'.split(
        ' '
      )
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(word).map((words) => words.join(' '))
        ),
        (text) => {
          const parsed = parseQuery(text);
          expect(parsed.ok || /^error parsing query: .+ at line \d+, char \d+$/s.test(parsed.error.message)).toBe(true);
        }
      ),
      { numRuns: randomCases(1000) }
    );
  });

  it('take a condition over thousands of names', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `"job" = '${String(at)}'`).join(' OR ');
    const text = `SELECT "line" FROM "job_log" WHERE ${names}`;
    const parsed = parseQuery(text);
    expect(parsed.ok && printStatements(parsed.value)).toBe(text);
  });
});
