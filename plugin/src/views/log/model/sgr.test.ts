import fc from 'fast-check';
import {
  contrast,
  createSpanCss,
  luminance,
  parseCssColour,
  readableColour,
  type LogTheme,
  type Rgb,
} from './sgr-colour.js';
import { parseSgr, stripSgr, type SgrStyle } from './sgr.js';

const palette = (index: number) => ({ kind: 'palette', index }) as const;
const rgb = (red: number, green: number, blue: number) => ({ kind: 'rgb', red, green, blue }) as const;

it.each<[codes: string, style: SgrStyle]>([
  ['31', { foreground: palette(1) }],
  ['01;32', { foreground: palette(2), isBold: true }],
  ['97', { foreground: palette(15) }],
  ['44', { background: palette(4) }],
  ['103', { background: palette(11) }],
  ['38;5;208', { foreground: palette(208) }],
  ['48;5;17', { background: palette(17) }],
  ['38;2;1;2;3', { foreground: rgb(1, 2, 3) }],
  ['48;2;255;0;10', { background: rgb(255, 0, 10) }],
  ['38:5:208', { foreground: palette(208) }],
  ['38:2:1:2:3', { foreground: rgb(1, 2, 3) }],
  ['38:2::1:2:3', { foreground: rgb(1, 2, 3) }],
  ['38;5;208;48;5;17;1', { foreground: palette(208), background: palette(17), isBold: true }],
  ['58;5;1;31', { foreground: palette(1) }],
  [
    '1;2;3;4;7;8;9',
    {
      isBold: true,
      isDim: true,
      isItalic: true,
      isUnderlined: true,
      isInverse: true,
      isConcealed: true,
      isStruck: true,
    },
  ],
  ['21', { isUnderlined: true }],
  ['4:3', { isUnderlined: true }],
  ['4;4:0', {}],
  ['1;2;22', {}],
  ['3;4;7;8;9;23;24;27;28;29', {}],
  ['31;39', {}],
  ['41;49', {}],
  ['31;1;0', {}],
  ['31;', {}],
  ['', {}],
  ['38;5;999;1', { isBold: true }],
  ['38;5', {}],
  ['38;2;300;0;0;1', { isBold: true }],
  ['10;51;73;38', {}],
])('reads ESC[%sm', (codes, style) => {
  expect(parseSgr(`\u001b[${codes}mx`)).toEqual([{ text: 'x', style }]);
});

it('keeps the style until it changes and needs no simple code to start with', () => {
  expect(parseSgr('a\u001b[1mb\u001b[31mc\u001b[md')).toEqual([
    { text: 'a', style: {} },
    { text: 'b', style: { isBold: true } },
    { text: 'c', style: { isBold: true, foreground: palette(1) } },
    { text: 'd', style: {} },
  ]);
});

it.each([
  ['cursor and erase sequences', 'a\u001b[2Kb\u001b[1Ac\u001b[?25ld', 'abcd'],
  ['a hyperlink, whose text stays', '\u001b]8;;https://x.org\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['a title that ends with a bell', '\u001b]0;title\u0007x', 'x'],
  ['a string that never ends', 'x\u001b]0;title', 'x'],
  ['short escapes', '\u001bMa\u001b(Bb\u001b7c', 'abc'],
  ['a lone escape at the end', 'a\u001b', 'a'],
  ['an SGR look-alike with a private marker', '\u001b[>4;1mx', 'x'],
  ['an 8-bit CSI', '\u009b31mx', 'x'],
])('drops %s', (_name, line, text) => {
  expect(stripSgr(line)).toBe(text);
  expect(
    parseSgr(line)
      .map((span) => span.text)
      .join('')
  ).toBe(text);
});

it('never loses or invents text, whatever the line', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('\u001b[31m', '\u001b[0m', '\u001b[', '\u001b[38;5;', 'm', '\u001b]8;;', '\u001b\\')
  );
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (line) => {
        const spans = parseSgr(line);
        expect(spans.map((span) => span.text).join('')).toBe(stripSgr(line));
        expect(spans.every((span) => span.text !== '')).toBe(true);
      }
    )
  );
});

it('is text itself when there is no escape', () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => text !== '' && !text.includes('\u001b') && !text.includes('\u009b')),
      (text) => {
        expect(parseSgr(text)).toEqual([{ text, style: {} }]);
      }
    )
  );
});

const THEMES: readonly LogTheme[] = [
  { isDark: true, foreground: [204, 204, 220], background: [24, 27, 31] },
  { isDark: false, foreground: [36, 41, 46], background: [255, 255, 255] },
];

it.each(THEMES)('keeps every colour of the terminal readable (%p)', (theme) => {
  for (let index = 0; index < 256; index++) {
    const onPage = createSpanCss({ foreground: palette(index) }, theme);
    expect(contrast(readCss(onPage.color), theme.background)).toBeGreaterThanOrEqual(3.5);
    const onColour = createSpanCss({ background: palette(index) }, theme);
    expect(contrast(readCss(onColour.color), readCss(onColour.backgroundColor))).toBeGreaterThanOrEqual(3.5);
  }
});

function readCss(text: string | undefined): Rgb {
  const colour = parseCssColour(text ?? '');
  if (colour === undefined) throw new Error(`no colour in ${String(text)}`);
  return colour;
}

it('leaves a readable colour as it is', () => {
  expect(readableColour([255, 120, 0], [0, 0, 0])).toEqual([255, 120, 0]);
});

it('swaps the colours of inverse text, the page standing in for what is not set', () => {
  for (const theme of THEMES) {
    const css = createSpanCss({ isInverse: true }, theme);
    expect(readCss(css.backgroundColor)).toEqual(theme.foreground);
    expect(luminance(readCss(css.color)) > 0.5).toBe(!theme.isDark);
  }
});

it('writes the rest of a style as CSS', () => {
  const css = createSpanCss(
    { isBold: true, isItalic: true, isUnderlined: true, isStruck: true, isDim: true },
    THEMES[0] as LogTheme
  );
  expect(css).toEqual({ fontWeight: 700, fontStyle: 'italic', textDecoration: 'underline line-through', opacity: 0.7 });
});

it.each([
  ['#181b1f', [24, 27, 31]],
  ['#FFF', [255, 255, 255]],
  ['rgb(204, 204, 220)', [204, 204, 220]],
  ['rgba(36, 41, 46, 1)', [36, 41, 46]],
  ['transparent', undefined],
])('reads the CSS colour %s', (text, colour) => {
  expect(parseCssColour(text)).toEqual(colour);
});
