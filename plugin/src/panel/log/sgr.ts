/** A colour as a program asks for it: one of the 256 of the terminal's palette, or its own. */
export type SgrColour =
  | { readonly kind: 'palette'; readonly index: number }
  | { readonly kind: 'rgb'; readonly red: number; readonly green: number; readonly blue: number };

export interface SgrStyle {
  readonly foreground?: SgrColour;
  readonly background?: SgrColour;
  readonly isBold?: true;
  readonly isDim?: true;
  readonly isItalic?: true;
  readonly isUnderlined?: true;
  readonly isInverse?: true;
  readonly isConcealed?: true;
  readonly isStruck?: true;
}

export interface SgrSpan {
  readonly text: string;
  readonly style: SgrStyle;
}

/** ECMA-48 control sequences (CSI with its parameters and final), strings (OSC, DCS, SOS, PM, APC) and short escapes. */
const ESCAPES =
  // eslint-disable-next-line no-control-regex -- escape sequences are what this reads
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x1b/g;

type Parameter = readonly number[];

/** `1;38:2::1:2:3` as lists of sub-parameters; an empty one is 0, in a colour specification as in ISO 8613-6 -1 (left out). */
function readParameters(text: string): readonly Parameter[] {
  return text.split(';').map((parameter) => {
    const [first = '', ...subs] = parameter.split(':');
    return [Number(first), ...subs.map((sub) => (sub === '' ? -1 : Number(sub)))];
  });
}

function isByte(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}

function createRgb(
  red: number | undefined,
  green: number | undefined,
  blue: number | undefined
): SgrColour | undefined {
  return isByte(red) && isByte(green) && isByte(blue) ? { kind: 'rgb', red, green, blue } : undefined;
}

function createPalette(index: number | undefined): SgrColour | undefined {
  return isByte(index) ? { kind: 'palette', index } : undefined;
}

interface ExtendedColour {
  readonly colour: SgrColour | undefined;
  /** Parameters read after the introducing one. */
  readonly used: number;
}

/** The colour after 38, 48 or 58: `38;5;n`, `38;2;r;g;b`, `38:5:n`, `38:2:r:g:b`, `38:2:space:r:g:b`. */
function readExtendedColour(parameters: readonly Parameter[], at: number): ExtendedColour {
  const own = parameters[at] ?? [];
  if (own.length > 1) {
    const [, mode, ...rest] = own;
    if (mode === 5) return { colour: createPalette(rest[0]), used: 0 };
    const [red, green, blue] = rest.length > 3 ? rest.slice(1) : rest;
    return { colour: mode === 2 ? createRgb(red, green, blue) : undefined, used: 0 };
  }
  const value = (offset: number): number | undefined => parameters[at + offset]?.[0];
  if (value(1) === 5) return { colour: createPalette(value(2)), used: 2 };
  if (value(1) === 2) return { colour: createRgb(value(2), value(3), value(4)), used: 4 };
  return { colour: undefined, used: 0 };
}

type Flag = 'isBold' | 'isDim' | 'isItalic' | 'isUnderlined' | 'isInverse' | 'isConcealed' | 'isStruck';

const FLAG_ON: ReadonlyMap<number, Flag> = new Map([
  [1, 'isBold'],
  [2, 'isDim'],
  [3, 'isItalic'],
  [4, 'isUnderlined'],
  [7, 'isInverse'],
  [8, 'isConcealed'],
  [9, 'isStruck'],
  [21, 'isUnderlined'],
]);

const FLAGS_OFF: ReadonlyMap<number, readonly Flag[]> = new Map([
  [22, ['isBold', 'isDim']],
  [23, ['isItalic']],
  [24, ['isUnderlined']],
  [27, ['isInverse']],
  [28, ['isConcealed']],
  [29, ['isStruck']],
]);

function without(style: SgrStyle, names: readonly (keyof SgrStyle)[]): SgrStyle {
  return Object.fromEntries(Object.entries(style).filter(([name]) => !names.includes(name as keyof SgrStyle)));
}

/** 30–37, 90–97 (foreground) and 40–47, 100–107 (background). */
function readNamedColour(code: number): SgrStyle | undefined {
  const tens = Math.trunc(code / 10);
  const digit = code % 10;
  if (digit > 7) return undefined;
  if (tens === 3) return { foreground: { kind: 'palette', index: digit } };
  if (tens === 9) return { foreground: { kind: 'palette', index: digit + 8 } };
  if (tens === 4) return { background: { kind: 'palette', index: digit } };
  if (tens === 10) return { background: { kind: 'palette', index: digit + 8 } };
  return undefined;
}

function applyCode(style: SgrStyle, [code = 0, sub]: Parameter): SgrStyle {
  if (code === 0) return {};
  if (code === 39) return without(style, ['foreground']);
  if (code === 49) return without(style, ['background']);
  if (code === 4 && sub === 0) return without(style, ['isUnderlined']);
  const flag = FLAG_ON.get(code);
  if (flag !== undefined) return { ...style, [flag]: true };
  const flagsOff = FLAGS_OFF.get(code);
  if (flagsOff !== undefined) return without(style, flagsOff);
  return { ...style, ...readNamedColour(code) };
}

function applyExtendedColour(style: SgrStyle, code: number, colour: SgrColour | undefined): SgrStyle {
  if (colour === undefined) return style;
  if (code === 38) return { ...style, foreground: colour };
  return code === 48 ? { ...style, background: colour } : style;
}

function applySgr(style: SgrStyle, parameterText: string): SgrStyle {
  const parameters = readParameters(parameterText);
  let result = style;
  for (let at = 0; at < parameters.length; at++) {
    const parameter = parameters[at] ?? [];
    const code = parameter[0] ?? 0;
    if (code === 38 || code === 48 || code === 58) {
      const { colour, used } = readExtendedColour(parameters, at);
      result = applyExtendedColour(result, code, colour);
      at += used;
    } else {
      result = applyCode(result, parameter);
    }
  }
  return result;
}

/** A line as pieces of one style each. Escape sequences other than SGR have no meaning within a finished line: they are dropped. */
export function parseSgr(line: string): readonly SgrSpan[] {
  const spans: SgrSpan[] = [];
  let style: SgrStyle = {};
  let from = 0;
  const push = (text: string): void => {
    if (text !== '') spans.push({ text, style });
  };
  for (const match of line.matchAll(ESCAPES)) {
    push(line.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm' && /^[\d;:]*$/.test(match[1] ?? '')) style = applySgr(style, match[1] ?? '');
  }
  push(line.slice(from));
  return spans;
}

/** The line's text alone. */
export function stripSgr(line: string): string {
  return line.replace(ESCAPES, '');
}
