import * as fc from 'fast-check';

const count = fc.constantFrom('', '0', '1', '2', '3', '4', '7', '12', '60');
const place = fc.constantFrom('', '1', '2', '3', '5', '9', '20', '199', '200', '99999');
const words = fc.constantFrom(
  'a',
  'bc',
  'word ',
  ' ',
  '   ',
  '100%|',
  '█████',
  '⣿⡇',
  '世',
  '世界',
  'x世',
  'é',
  'e\u0301o',
  '日\u0301本',
  'ｱb',
  '{"a":1}'
);
const codes = fc.constantFrom(
  '',
  '0',
  '1',
  '2',
  '3',
  '4',
  '5',
  '7',
  '8',
  '9',
  '21',
  '22',
  '23',
  '24',
  '25',
  '27',
  '28',
  '29',
  '31',
  '92',
  '39',
  '44',
  '103',
  '49',
  '53',
  '55',
  '38;5;200',
  '48;2;1;2;3',
  '38:2::9:8:7',
  '38:5:99',
  '4:3',
  '4:0'
);
const token = fc.oneof(
  { weight: 8, arbitrary: words },
  { weight: 3, arbitrary: fc.constantFrom('\n', '\n', '\r', '\r\n', '\b', '\t', '\v', '\f', '\x07', '\0', '\r\r\n') },
  {
    weight: 5,
    arbitrary: fc
      .tuple(count, fc.constantFrom(...Array.from('ABCDEFGLMPX@STad`')))
      .map(([n, final]) => `\x1b[${n}${final}`),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('\x1b[A', '\x1b[2K', '\x1b[K', '\x1b[1K', '\x1b[1J', 'z\x1b[J', 'z\x1b[0J', '\x1b[?K'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b7',
      '\x1b8',
      '\x1b[s',
      '\x1b[u',
      '\x1bD',
      '\x1bE',
      '\x1bM',
      '\x1b[r\x1b[200Hq\x1b[2J',
      '\x1b(B',
      '\x1b='
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(place, place, fc.constantFrom('H', 'f'))
      .map(([y, x, final]) => `\x1b[${y};${x === '99999' ? '' : x}${final}y`),
  },
  { weight: 1, arbitrary: fc.tuple(place, place).map(([top, bottom]) => `\x1b[${top};${bottom}r`) },
  { weight: 2, arbitrary: fc.array(codes, { minLength: 1, maxLength: 3 }).map((list) => `\x1b[${list.join(';')}m`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b[?25l',
      '\x1b[?25h',
      '\x1b[?2004h',
      '\x1b[?2026l',
      '\x1b[>q',
      '\x1b[1;2;3$x',
      '\x1b[\x18',
      '\x1b[5\x1a'
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '\x1b]0;title\x07',
      '\x1b]7;file://x\x1b\\',
      '\x1bPq#0\x1b\\',
      '\x1b_Ga=b\x1b\\',
      '\x1b^pm\x1b\\',
      '\x1bXsos\x1b\\',
      '\x1b]0;cut\x18'
    ),
  }
);
/** Programs of text, control characters and the supported sequences, some on a screen that is full already. */
export const programs = fc
  .tuple(fc.constantFrom(0, 0, 0, 0, 3, 150, 197, 199, 200, 260), fc.array(token, { maxLength: 40 }))
  .map(([lines, tokens]) => {
    let text = '';
    for (let i = 0; i < lines; i++) text += `${i}\n`;
    return text + tokens.join('');
  });

/** Bars without escape sequences: the way on which covered frames are dropped undecoded. */
export const bars = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: words },
      { weight: 2, arbitrary: fc.constantFrom('\r', '\r', '\r', '\n', '\r\n') }
    ),
    {
      maxLength: 60,
    }
  )
  .map((tokens) => tokens.join(''));

/** The bytes in parts that end at these places (modulo their number). */
export function cutBytes(bytes: Buffer, places: readonly number[]): Buffer[] {
  const offsets = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return offsets.slice(1).map((end, i) => bytes.subarray(offsets[i], end));
}
