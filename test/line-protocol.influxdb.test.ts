import type { Point } from '@joblens/core/point/point';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import { parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { decodeFieldKey, encodeFieldKey } from '@joblens/core/schema/field-name';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { decodeTagValue, encodeTagValue } from '@joblens/core/schema/name-transport';
import { createSeriesName } from '@joblens/core/schema/series-name';
import fc from 'fast-check';
import { describeWith } from './components.js';
import { type Influxdb, querySeries, startInfluxdb } from './influxdb.js';

const NAMES = [
  'plain',
  '',
  ' a b ',
  'a,b=c',
  '"quoted" \'too\'',
  'C:\\dir\\',
  '\\,\\=\\ \\"\\\\',
  'line\nbreak\r\n',
  '\ttab',
  '\0\x7f\x1b[1m',
  '#comment',
  '␛␛J',
  'é\u{1f600}\u2028\ufeff',
  'time',
  '_field',
  'x_',
  'user',
  '__proto__',
];

const NUMBERS = [0, -0, 0.1, -1.5e300, 5e-324, 1e21, 1.7976931348623157e308, 2 ** 53, -(2 ** 53)];
const TEXTS = [...NAMES, '\\', '\\"', '"', 'a\nb="c"\n d', 'true', '1i', `${'x'.repeat(65_534)}é`];

describeWith(['influxd'], 'line protocol and a real InfluxDB', () => {
  let influxdb: Influxdb;

  beforeAll(async () => {
    influxdb = await startInfluxdb();
  });

  afterAll(async () => {
    await influxdb.stop();
  });

  async function write(body: string): Promise<string> {
    const answer = await fetch(`${influxdb.url}/write?db=joblens&precision=ns`, { method: 'POST', body });
    return answer.status === 204 ? '' : ((await answer.json()) as { error: string }).error;
  }

  /** Each stored row of a measurement as tags and fields, by its time. */
  async function read(measurement: string): Promise<Map<bigint, { tags: unknown; fields: unknown }>> {
    const q = `SELECT * FROM "${measurement.replace(/["\\]/g, '\\$&')}" GROUP BY *`;
    const rows = new Map<bigint, { tags: unknown; fields: unknown }>();
    for (const { tags = {}, columns, values } of await querySeries(influxdb.url, q)) {
      for (const row of values) {
        const fields = columns.flatMap((name, i) => (i > 0 && row[i] !== null ? [[name, row[i]] as const] : []));
        const present = Object.entries(tags).filter(([, value]) => value !== '');
        rows.set(parseRfc3339Nano(String(row[0])) ?? 0n, { tags: new Map(present), fields: new Map(fields) });
      }
    }
    return rows;
  }

  it('carries every kind of name and value', async () => {
    const points: Point[] = NAMES.map((name, i) => ({
      measurement: 'names',
      tags: new Map([['tag', encodeTagValue(name)]]),
      fields: new Map([[encodeFieldKey(name), i]]),
      timeNs: 1_700_000_000_000_000_000n + BigInt(i),
    }));
    TEXTS.forEach((text, i) => {
      const timeNs = 1_700_000_000_000_000_000n + BigInt(i);
      points.push({ measurement: 'texts', tags: new Map(), fields: new Map([['s', text]]), timeNs });
    });
    NUMBERS.forEach((number, i) => {
      points.push({ measurement: 'numbers', tags: new Map(), fields: new Map([['n', number]]), timeNs: BigInt(i) });
    });
    expect(await write(points.map(formatPoint).join('\n'))).toBe('');
    for (const measurement of ['names', 'texts', 'numbers']) {
      const written = points.filter((point) => point.measurement === measurement);
      const stored = new Map(written.map(({ timeNs, tags, fields }) => [timeNs, { tags, fields }]));
      expect(await read(measurement)).toEqual(stored);
    }
    const names = [...(await read('names')).values()] as Array<Pick<Point, 'tags' | 'fields'>>;
    expect(names.map(({ tags }) => decodeTagValue(tags.get('tag') ?? '')).sort()).toEqual([...NAMES].sort());
    expect(names.map(({ fields }) => decodeFieldKey([...fields.keys()][0] ?? '')).sort()).toEqual([...NAMES].sort());
  });

  it('carries a metadata row with every such key at once', async () => {
    const row = new Map<string, string | number>(NAMES.map((name, i) => [name, i % 2 === 0 ? i : name]));
    const points = createMetadataPoints({ job: 'a,b\n', user: '\\' }, createSeriesName(NAMES), row, 1n);
    expect(await write(points.map(formatPoint).join('\n'))).toBe('');
    for (const { measurement, tags, fields } of points) {
      expect(await read(measurement)).toEqual(new Map([[1n, { tags, fields }]]));
    }
  });

  it('carries random points', async () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('a0,= "\\\'\n\t\r#_␛é\u{1f600}')), maxLength: 8 });
    const fields = fc.uniqueArray(fc.tuple(text.map((key) => `f${key}`).map(encodeFieldKey), text), {
      selector: ([key]) => key,
      minLength: 1,
      maxLength: 4,
    });
    const tags = fc.uniqueArray(fc.tuple(text.map((key) => `t${key}`).map(encodeTagValue), text.map(encodeTagValue)), {
      selector: ([key]) => key,
      maxLength: 4,
    });
    const samples = fc.sample(fc.tuple(tags, fields), 300);
    const points = samples.map(([tagEntries, fieldEntries], i) => ({
      measurement: 'random',
      tags: new Map(tagEntries),
      fields: new Map(fieldEntries),
      timeNs: BigInt(i),
    }));
    expect(await write(points.map(formatPoint).join('\n'))).toBe('');
    const stored = new Map(points.map((point) => [point.timeNs, { tags: point.tags, fields: point.fields }]));
    expect(await read('random')).toEqual(stored);
  });

  it('takes and refuses the same lines as parseLineProtocol, in the same words', async () => {
    // NUL and CR are left out: InfluxDB repeats the line in a header, where they break HTTP.
    const tokens = [
      ...Array.from('abv12=,,= ""\\\\i.-e+#\t\n_é'),
      '=1',
      '="x"',
      ',a=b',
      ' v=1',
      ' v="',
      ' 5',
      'true',
      'F',
      'nan',
    ];
    const soup = fc.array(fc.constantFrom(...tokens, '9223372036854775808'), { maxLength: 12 });
    let taken = 0;
    for (const [i, parts] of fc.sample(soup, 1000).entries()) {
      const body = `m${i}${parts.join('')}`;
      const { points, errors } = parseLineProtocol(body, { precision: 'ns', defaultTimeNs: 0n });
      taken += points.length;
      const answer = (await write(body)).replace(/^partial write: | dropped=\d+$/g, '');
      expect({ body, answer }).toEqual({ body, answer: errors.map((error) => error.message).join('\n') });
    }
    expect(taken).toBeGreaterThan(20);
  });

  it('reads what parseLineProtocol reads', async () => {
    const lines = [
      'r,b=1,a=\\ \\,\\= f\\ \\,\\==1,"=2 1',
      'r a=1.,b=.5,c=-1e3,d=5i,e=t,g=FALSE 2',
      'r s="a\nb, \\"c\\" \\\\ \\n",t="" 3',
      ' \t r  v=2,v=1  4  ',
      '# comment',
      'r,x\\y=\\z \\v=1 -5',
    ];
    expect(await write(lines.join('\n'))).toBe('');
    const { points, errors } = parseLineProtocol(lines.join('\n'), { precision: 'ns', defaultTimeNs: 0n });
    expect(errors).toEqual([]);
    const parsed = points.map(({ timeNs, tags, fields }) => {
      const numbers = [...fields].map(
        ([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value] as const
      );
      return [timeNs, { tags, fields: new Map(numbers) }] as const;
    });
    expect(await read('r')).toEqual(new Map(parsed));
  });
});
