import fc from 'fast-check';

const SECOND_NS = 1_000_000_000n;

const tag = (name: string, values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom('', ...values.map((value) => `,${name}=${value}`));

/** Halves and quarters: sums and means of them are exact, whatever the order they are added in. */
const float = fc.integer({ min: -40, max: 40 }).map((n) => `${n / 4}`);
const text = fc.constantFrom('"a"', '"b"', '"ab"', '""', '"x y"', '"\ufeffa"');

const fields = fc
  .record(
    {
      f: float,
      g: float,
      i: fc.integer({ min: -9, max: 9 }).map((n) => `${n}i`),
      s: text,
      b: fc.boolean().map(String),
    },
    { requiredKeys: [] }
  )
  .map((record) => Object.entries(record).map(([name, value]) => `${name}=${value}`))
  .filter((list) => list.length > 0);

interface Draft {
  readonly series: string;
  readonly fields: readonly string[];
  readonly step: number;
}

const draft: fc.Arbitrary<Draft> = fc.record({
  series: fc
    .tuple(fc.constantFrom('m', 'm', 'n'), tag('j', ['1', '2', '3']), tag('u', ['a', 'b']))
    .map((parts) => parts.join('')),
  fields,
  step: fc.integer({ min: 0, max: 60 }),
});

/**
 * A series has points on a time grid of its own, so that no two series have one at the same time: InfluxDB leaves their
 * order open.
 */
function formatDraft({ series, fields: values, step }: Draft, index: number): string {
  const timeNs = BigInt(step) * SECOND_NS + BigInt(index);
  return `${series} ${values.join(',')} ${timeNs}`;
}

/** Write requests that come one after the other; some points are written again. */
export function randomPoints(): fc.Arbitrary<string[]> {
  return fc.array(fc.array(draft, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }).map((batches) => {
    const series = [...new Set(batches.flat().map((one) => one.series))].sort();
    return batches.map((batch) => batch.map((one) => formatDraft(one, series.indexOf(one.series))).join('\n'));
  });
}

const field = fc.constantFrom('f', 'g', 'i', 's', 'b', 'nope');
const numeric = fc.constantFrom('f', 'g', 'i');
const from = fc.constantFrom('m', 'm', 'n', 'm, n', '/./');

const call = fc.oneof(
  fc.tuple(fc.constantFrom('count', 'first', 'last'), field).map(([name, one]) => `${name}(${one})`),
  fc.tuple(fc.constantFrom('sum', 'mean', 'min', 'max', 'spread'), numeric).map(([name, one]) => `${name}(${one})`)
);
const folded = fc.oneof(
  fc.tuple(fc.constantFrom('median', 'stddev', 'mode'), numeric).map(([name, one]) => `${name}(${one})`),
  fc.tuple(numeric, fc.integer({ min: 1, max: 100 })).map(([one, rank]) => `percentile(${one}, ${rank})`),
  field.map((one) => `count(distinct(${one}))`)
);
const operator = fc.constantFrom('+', '-', '*', '/');
const arithmetic = (operand: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(operand, operator, fc.oneof(operand, fc.constantFrom('2', '0.5', '(1 + 2)')))
    .map(([left, sign, right]) => `${left} ${sign} ${right}`);
const ofOnePoint = fc
  .tuple(
    fc.constantFrom('derivative', 'difference', 'non_negative_difference', 'cumulative_sum', 'elapsed'),
    fc.constantFrom('f', 'g')
  )
  .map(([name, one]) => `${name}(${one})`);
const ofBuckets = fc
  .tuple(
    fc.constantFrom('derivative', 'difference', 'non_negative_derivative', 'cumulative_sum'),
    fc.constantFrom('mean', 'max', 'sum', 'median'),
    fc.constantFrom('f', 'g')
  )
  .map(([name, inner, one]) => `${name}(${inner}(${one}))`);

const wildcardCall = fc.constantFrom('count(*)', 'last(*)', 'first(*)', 'max(*)', 'mean(*)', 'spread(*)', 'sum(/f|g/)');
const selector = fc
  .tuple(fc.constantFrom('first', 'last', 'min', 'max'), numeric)
  .map(([name, one]) => `${name}(${one})`);

const time = fc
  .tuple(fc.integer({ min: -3, max: 63 }), fc.integer({ min: 0, max: 9 }))
  .map(([seconds, rest]) => `${BigInt(seconds) * SECOND_NS + BigInt(rest)}`);

const atom = fc.oneof(
  fc.constantFrom(
    `j = '1'`,
    `j != '2'`,
    `j = ''`,
    `u != ''`,
    `u =~ /a|b/`,
    `u !~ /^a$/`,
    `j =~ /^$/`,
    `s = 'a'`,
    `s != 'a'`,
    `s =~ /^a/`,
    `s !~ /b/`,
    `b = true`,
    `b != true`,
    `nope = ''`,
    `nope = 'x'`,
    `f = 'x'`,
    `s = 1`
  ),
  fc
    .tuple(numeric, fc.constantFrom('=', '!=', '<', '<=', '>', '>='), fc.integer({ min: -40, max: 40 }))
    .map(([name, operator, value]) => `${name} ${operator} ${value / 4}`)
);
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
      .map(([left, operator, right]) => `(${left} ${operator} ${right})`)
  ),
}));

const lower = fc.tuple(fc.constantFrom('>', '>='), time).map(([operator, value]) => `time ${operator} ${value}`);
const upper = fc.tuple(fc.constantFrom('<', '<='), time).map(([operator, value]) => `time ${operator} ${value}`);

function whereOf(...parts: fc.Arbitrary<string | undefined>[]): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((texts) => {
    const present = texts.filter((one) => one !== undefined);
    return present.length === 0 ? '' : ` WHERE ${present.join(' AND ')}`;
  });
}
const optional = (one: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> => fc.option(one, { nil: undefined });
const where = whereOf(optional(condition), optional(lower), optional(upper));

const tags = fc.constantFrom('', 'j', 'u', 'j, u', '*', 'nope, j', '/u/');
const groupByTags = tags.map((names) => (names === '' ? '' : ` GROUP BY ${names}`));
const order = fc.constantFrom('', '', ' ORDER BY time DESC', ' ORDER BY time ASC');
/** OFFSET without LIMIT is left out: InfluxDB's documentation itself calls it inconsistent. */
const page = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }))
    .map(([limit, offset]) => ` LIMIT ${limit}${offset === 0 ? '' : ` OFFSET ${offset}`}`)
);

const rawColumns = fc.oneof(
  arithmetic(fc.constantFrom('f', 'g')),
  fc.constantFrom('/f|j/', '/^[fg]$/, s'),
  fc.constantFrom('*', '*::field', 'f', '*, f', 'j, f', 'f::field, u::tag, s'),
  fc.array(fc.oneof(field, fc.constantFrom('j', 'u')), { minLength: 1, maxLength: 4 }).map((names) => names.join(', '))
);
const raw = fc
  .tuple(rawColumns, from, where, groupByTags, order, page)
  .map(([columns, source, ...rest]) => `SELECT ${columns} FROM ${source}${rest.join('')}`);

const calls = fc.oneof(
  fc.array(call, { minLength: 1, maxLength: 3 }).map((list) => list.join(', ')),
  fc.array(fc.oneof(call, folded), { minLength: 1, maxLength: 3 }).map((list) => list.join(', ')),
  arithmetic(fc.oneof(fc.constantFrom('mean(f)', 'max(g)', 'sum(f)', 'count(i)'), folded)),
  wildcardCall,
  fc.tuple(selector, fc.constantFrom('j', 's', 'g', 'u, i')).map((parts) => parts.join(', '))
);
const aggregate = fc
  .tuple(calls, from, where, groupByTags, order, page)
  .map(([columns, source, ...rest]) => `SELECT ${columns} FROM ${source}${rest.join('')}`);

const fill = fc.constantFrom('', ' fill(null)', ' fill(none)', ' fill(previous)', ' fill(linear)', ' fill(3)');
/** An offset only with a lower bound: without one InfluxDB 1.6 fills from the beginning of time and never ends. */
const interval = fc.oneof(
  fc.tuple(whereOf(optional(condition), optional(lower), upper), fc.constantFrom('10s', '7s', '1m')),
  fc.tuple(whereOf(optional(condition), lower, upper), fc.constantFrom('20s, 3s', '15s, -4s'))
);
/** Without a lower bound, InfluxDB 1.6 looks back to before the beginning of time. */
const bounded = fc.tuple(whereOf(optional(condition), lower, upper), fc.constantFrom('10s', '7s', '1m'));
const buckets = fc
  .tuple(calls, from, interval, tags, fill, order, page)
  .map(
    ([columns, source, [conditions, every], names, filling, ...rest]) =>
      `SELECT ${columns} FROM ${source}${conditions} GROUP BY time(${every})${names === '' ? '' : `, ${names}`}${filling}${rest.join('')}`
  );

const transformed = fc.oneof(
  fc
    .tuple(ofOnePoint, from, where, groupByTags, order)
    .map(([columns, source, ...rest]) => `SELECT ${columns} FROM ${source}${rest.join('')}`),
  fc
    .tuple(ofBuckets, from, bounded, tags, fill, order)
    .map(
      ([columns, source, [conditions, every], names, filling, ordered]) =>
        `SELECT ${columns} FROM ${source}${conditions} GROUP BY time(${every})${names === '' ? '' : `, ${names}`}${filling}${ordered}`
    )
);
const nested = fc
  .tuple(
    fc.constantFrom('max', 'mean', 'count', 'last', 'median'),
    fc.constantFrom('mean', 'sum', 'max'),
    fc.constantFrom('f', 'g'),
    from,
    fc.constantFrom(' GROUP BY j', ' GROUP BY j, u', ''),
    fc.constantFrom('', ' GROUP BY j', ' GROUP BY u')
  )
  .map(
    ([outer, inner, one, source, innerTags, outerTags]) =>
      `SELECT ${outer}(v) FROM (SELECT ${inner}(${one}) AS v FROM ${source}${innerTags})${outerTags}`
  );

const distinct = fc
  .tuple(field, from, where, groupByTags)
  .map(([name, source, ...rest]) => `SELECT distinct(${name}) FROM ${source}${rest.join('')}`);

const tagCondition = fc.constantFrom('', ` WHERE j = '1'`, ` WHERE u =~ /a/ OR j != '2'`, ` WHERE nope = ''`);
/**
 * SHOW MEASUREMENTS with other conditions looks at each tag key by itself in InfluxDB; the store looks for one series
 * that fits.
 */
const measurements = fc
  .tuple(fc.constantFrom('', ` WHERE j = '1'`), page)
  .map(([conditions, rest]) => `SHOW MEASUREMENTS${conditions}${rest}`);
const meta = fc
  .tuple(
    fc.constantFrom(
      'SHOW TAG KEYS FROM m',
      'SHOW TAG KEYS',
      'SHOW TAG VALUES WITH KEY = j',
      'SHOW TAG VALUES FROM /m|n/ WITH KEY IN (j, u)',
      'SHOW SERIES'
    ),
    tagCondition,
    page
  )
  .map((parts) => parts.join(''));

/** Statements of the subset that the store answers. */
export function randomQueries(): fc.Arbitrary<string[]> {
  const statement = fc.oneof(
    { weight: 4, arbitrary: raw },
    { weight: 3, arbitrary: aggregate },
    { weight: 4, arbitrary: buckets },
    { weight: 1, arbitrary: distinct },
    { weight: 2, arbitrary: transformed },
    { weight: 1, arbitrary: nested },
    { weight: 1, arbitrary: meta },
    { weight: 1, arbitrary: measurements },
    { weight: 1, arbitrary: fc.constant('SHOW FIELD KEYS') }
  );
  return fc.array(statement, { minLength: 1, maxLength: 40, size: 'max' });
}
