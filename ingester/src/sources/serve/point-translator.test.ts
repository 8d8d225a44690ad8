import type { Precision } from '@joblens/core/point/timestamp';
import { PointTranslator } from './point-translator.js';
import { TranslatedPoints } from './translated-points.js';

const NOW_NS = 1_700_000_000_000_000_000n;

interface Translated {
  readonly points: number;
  readonly text: string;
  readonly invalid: readonly (readonly [line: string, reason: string])[];
}

function translate(body: string | Buffer, precision: Precision = 'ns', keepsTypes = false): Translated {
  let lastNs = NOW_NS;
  const translator = new PointTranslator({ precision, keepsTypes, nextNs: () => (lastNs += 1n) });
  const into = new TranslatedPoints('test');
  translator.translateAll(Buffer.from(body), into);
  expect(into.invalidLines).toBe(into.invalid.length);
  return {
    points: into.points,
    text: into.writer.bytes.toString(),
    invalid: into.invalid.map(({ line, reason }) => [line.toString(), reason]),
  };
}

describe('received points become', () => {
  it.each<[string, string, Precision, string]>([
    ['themselves', 'm,a=b f=1.5,g="x y" 7\n', 'ns', 'm,a=b f=1.5,g="x y" 7\n'],
    ['floats', 'm f=1i,g=-2i,h=3 7\n', 'ns', 'm f=1,g=-2,h=3 7\n'],
    ['floats, also the largest integers', 'm f=9223372036854775807i 7\n', 'ns', 'm f=9223372036854776000 7\n'],
    ['strings', 'm f=true,g=F,h=t 7\n', 'ns', 'm f="true",g="false",h="true" 7\n'],
    ['of nanoseconds from microseconds', 'm f=1 7\n', 'us', 'm f=1 7000\n'],
    ['of nanoseconds from milliseconds', 'm f=1i 7\nm f=2 8\n', 'ms', 'm f=1 7000000\nm f=2 8000000\n'],
    ['of nanoseconds from seconds', 'm f=1 1700000000\n', 's', 'm f=1 1700000000000000000\n'],
    ['of nanoseconds from minutes', 'm f=1 7\n', 'm', 'm f=1 420000000000\n'],
    ['of nanoseconds from hours', 'm f=1 7\n', 'h', 'm f=1 25200000000000\n'],
    ['of the time before 1970', 'm f=1 -7\n', 's', 'm f=1 -7000000000\n'],
    [
      'of a time of their own',
      'm f=1\nm f=2i\nm f=3 7\n',
      's',
      `m f=1 ${NOW_NS + 1n}\nm f=2 ${NOW_NS + 2n}\nm f=3 7000000000\n`,
    ],
    ['of a time of their own, closely looked at', 'm,b=1,a=2 f=1\n', 'm', `m,a=2,b=1 f=1 ${NOW_NS + 1n}\n`],
    ['of sorted tags', 'm,b=1,a=2 f=1 7\n', 'ns', 'm,a=2,b=1 f=1 7\n'],
    ['as before with escapes', 'm\\ n,a\\,b=c\\=d f\\ g="\\"\\\\" 7\n', 'ns', 'm\\ n,a\\,b=c\\=d f\\ g="\\"\\\\" 7\n'],
    ['as before with newlines in strings', 'm f="a\nb",g=1i 7\nm f=2 8\n', 'ns', 'm f="a\nb",g=1 7\nm f=2 8\n'],
    ['as before in UTF-8', 'm,ü=é f="日本 😀" 7\n', 'ns', 'm,ü=é f="日本 😀" 7\n'],
    ['as before with exponents', 'm f=1e-05,g=-1.5E+10 7\n', 'ns', 'm f=1e-05,g=-1.5E+10 7\n'],
    ['without comments and empty lines', '# c\n\n  \nm f=1 7\n#x\nm f=2 8\n', 'ns', 'm f=1 7\nm f=2 8\n'],
    ['without white space', ' \tm f=1  7 \n', 'ns', 'm f=1 7\n'],
  ])('%s: %j of %s', (_name, body, precision, text) => {
    expect(translate(body, precision)).toEqual({ points: text.match(/ -?\d+\n/g)?.length, text, invalid: [] });
  });

  it('keep their types when that is wanted', () => {
    const body = 'm f=1i,g=true,h=2 7\nm,b=1,a=2 f=1i,g=F 7\n';
    expect(translate(body, 's', true).text).toBe('m f=1i,g=true,h=2 7000000000\nm,a=2,b=1 f=1i,g=false 7000000000\n');
  });

  it('have U+FFFD for bytes that are no UTF-8', () => {
    const { points, text } = translate(Buffer.from('m f="\xe9" 7\nm f=1i 8\n', 'latin1'));
    expect([points, text]).toEqual([2, 'm f="\ufffd" 7\nm f=1 8\n']);
  });
});

describe('a line that is no point costs only itself', () => {
  it.each<[string, string, string, [string, string][]]>([
    ['no field', 'm f=1 7\nbad\nm f=2 8\n', 'm f=1 7\nm f=2 8\n', [['bad', 'missing fields']]],
    ['NaN', 'm f=nan 7\nm f=2 8\n', 'm f=2 8\n', [['m f=nan 7', 'invalid number']]],
    ['a time that is none', 'm f=1 7x\n', '', [['m f=1 7x', 'bad timestamp']]],
    ['the same tag twice', 'm,a=1,a=2 f=1 7\n', '', [['m,a=1,a=2 f=1 7', 'duplicate tags']]],
    ['a carriage return', 'm f=1 7\r\nm f=2 8\n', 'm f=2 8\n', [['m f=1 7\r', 'bad timestamp']]],
    ['a quote that is not closed', 'm f="a 7\nm f=2 8\n', 'm f=2 8\n', [['m f="a 7', 'unbalanced quotes']]],
    [
      'a quote that is not closed before one of another point',
      'm f="a 7\nm f="b" 8\nm f=2 9\n',
      'm f="b" 8\nm f=2 9\n',
      [['m f="a 7', 'unbalanced quotes']],
    ],
    [
      'a time that is too large in nanoseconds',
      'm f=1 9999999999999999999\n',
      '',
      [['m f=1 9999999999999999999', 'strconv.ParseInt: parsing "9999999999999999999": value out of range']],
    ],
  ])('%s', (_name, body, text, invalid) => {
    expect(translate(body)).toMatchObject({ text, invalid });
  });

  it('a name that not every InfluxDB reads alike', () => {
    const { text, invalid } = translate('m\\\\\\ n f=1 7\nm f=2 8\n');
    expect(text).toBe('m f=2 8\n');
    expect(invalid).toEqual([['m\\\\\\ n f=1 7', 'Line protocol cannot carry the measurement name "m\\\\\\\\ n"']]);
  });
});
