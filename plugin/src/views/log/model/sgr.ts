import { applySgrParameters, SGR_MARKS, type SgrState } from '@joblens/core/console/sgr';

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

interface SgrSpan {
  readonly text: string;
  readonly style: SgrStyle;
}

/**
 * ECMA-48 control sequences (CSI with its parameters and final), strings (OSC, DCS, SOS, PM, APC) and short escapes.
 */
const ESCAPES =
  // eslint-disable-next-line no-control-regex -- escape sequences are what this reads
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)|\x1b[ -/]*[0-~]|\x1b/g;

const DEFAULT_STATE: SgrState = { foreground: '', background: '', marks: 0 };

type Flag = 'isBold' | 'isDim' | 'isItalic' | 'isUnderlined' | 'isInverse' | 'isConcealed' | 'isStruck';

/** The marks that a page can show, by their SGR code. Blinking and overlined text is shown plain. */
const FLAGS: ReadonlyMap<number, Flag> = new Map([
  [1, 'isBold'],
  [2, 'isDim'],
  [3, 'isItalic'],
  [4, 'isUnderlined'],
  [7, 'isInverse'],
  [8, 'isConcealed'],
  [9, 'isStruck'],
  [21, 'isUnderlined'],
]);

/** `31`, `97`, `44`, `103`, `38;5;n` or `38;2;r;g;b` as a colour; undefined for ''. */
function readColour(codes: string): SgrColour | undefined {
  if (codes === '') return undefined;
  const [code = 0, mode, first = 0, green = 0, blue = 0] = codes.split(';').map(Number);
  if (mode === 2) return { kind: 'rgb', red: first, green, blue };
  if (mode === 5) return { kind: 'palette', index: first };
  return { kind: 'palette', index: (code % 10) + (code >= 90 ? 8 : 0) };
}

function createStyle({ foreground, background, marks }: SgrState): SgrStyle {
  const [front, back] = [readColour(foreground), readColour(background)];
  const flags = SGR_MARKS.filter((_, bit) => (marks & (1 << bit)) !== 0)
    .map((code) => FLAGS.get(code))
    .filter((flag) => flag !== undefined);
  return {
    ...(front !== undefined && { foreground: front }),
    ...(back !== undefined && { background: back }),
    ...Object.fromEntries(flags.map((flag) => [flag, true as const])),
  };
}

/**
 * Splits a line into pieces of one style each. Other escape sequences mean nothing within a finished line and are
 * dropped.
 */
export function parseSgr(line: string): readonly SgrSpan[] {
  const spans: SgrSpan[] = [];
  let state = DEFAULT_STATE;
  let from = 0;
  const push = (text: string): void => {
    if (text !== '') spans.push({ text, style: createStyle(state) });
  };
  for (const match of line.matchAll(ESCAPES)) {
    push(line.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === 'm' && /^[\d;:]*$/.test(match[1] ?? '')) state = applySgrParameters(state, match[1] ?? '');
  }
  push(line.slice(from));
  return spans;
}

/** The line's text alone. */
export function stripSgr(line: string): string {
  return line.replace(ESCAPES, '');
}
