import type { SgrColour, SgrStyle } from './sgr.js';

export type Rgb = readonly [red: number, green: number, blue: number];

export interface LogTheme {
  readonly isDark: boolean;
  readonly foreground: Rgb;
  readonly background: Rgb;
}

/** The CSS properties of one span. */
interface SpanCss {
  color?: string;
  backgroundColor?: string;
  fontWeight?: number;
  fontStyle?: 'italic';
  textDecoration?: string;
  opacity?: number;
  visibility?: 'hidden';
}

/**
 * The 16 named colours in the order black, red, green, yellow, blue, magenta, cyan, white, each for a dark and a
 * light page.
 */
const NAMED_DARK: readonly Rgb[] = [
  [110, 112, 120],
  [242, 95, 92],
  [96, 190, 94],
  [229, 181, 60],
  [97, 156, 255],
  [205, 125, 235],
  [62, 190, 200],
  [204, 204, 220],
  [140, 142, 150],
  [255, 130, 126],
  [130, 215, 120],
  [250, 215, 100],
  [140, 185, 255],
  [225, 160, 250],
  [110, 220, 225],
  [255, 255, 255],
];
const NAMED_LIGHT: readonly Rgb[] = [
  [36, 41, 46],
  [200, 30, 44],
  [22, 120, 50],
  [140, 95, 0],
  [30, 90, 200],
  [140, 50, 165],
  [0, 115, 130],
  [110, 118, 125],
  [80, 88, 96],
  [215, 58, 73],
  [30, 140, 60],
  [160, 110, 0],
  [45, 110, 220],
  [165, 75, 190],
  [0, 135, 150],
  [130, 138, 145],
];
const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;
/** WCAG's contrast for large text: coloured words stay readable and still coloured. */
const MIN_CONTRAST = 3.5;

function readCube(index: number): Rgb {
  const level = (step: number): number => CUBE_LEVELS[step % 6] ?? 0;
  return [level(Math.floor(index / 36)), level(Math.floor(index / 6)), level(index)];
}

function readPalette(index: number, isDark: boolean): Rgb {
  const named = (isDark ? NAMED_DARK : NAMED_LIGHT)[index];
  if (named !== undefined) return named;
  if (index < 232) return readCube(index - 16);
  const grey = 8 + (index - 232) * 10;
  return [grey, grey, grey];
}

function readRgb(colour: SgrColour, isDark: boolean): Rgb {
  return colour.kind === 'rgb' ? [colour.red, colour.green, colour.blue] : readPalette(colour.index, isDark);
}

/** WCAG 2 relative luminance. */
export function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const channel = (index: 0 | 1 | 2): number => Math.round(from[index] + (to[index] - from[index]) * share);
  return [channel(0), channel(1), channel(2)];
}

/** The colour itself where it can be read on the background, else the nearest step towards black or white that can. */
export function readableColour(colour: Rgb, background: Rgb): Rgb {
  const goal: Rgb = luminance(background) > 0.18 ? [0, 0, 0] : [255, 255, 255];
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(colour, goal, share);
    if (contrast(mixed, background) >= MIN_CONTRAST) return mixed;
  }
  return goal;
}

/** `rgb(1, 2, 3)`, `#010203` or `#123` as numbers; undefined for any other way to write a colour. */
export function parseCssColour(text: string): Rgb | undefined {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)?.[1];
  if (hex !== undefined) {
    const full = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
    const value = Number.parseInt(full, 16);
    return [value >> 16, (value >> 8) & 255, value & 255];
  }
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/i.exec(text);
  return parts === null ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

function toCss([red, green, blue]: Rgb): string {
  return `rgb(${red}, ${green}, ${blue})`;
}

interface Colours {
  readonly foreground: Rgb | undefined;
  readonly background: Rgb | undefined;
}

function resolveColours(style: SgrStyle, theme: LogTheme): Colours {
  const read = (colour: SgrColour | undefined): Rgb | undefined =>
    colour === undefined ? undefined : readRgb(colour, theme.isDark);
  const foreground = read(style.foreground);
  const background = read(style.background);
  return style.isInverse === true
    ? { foreground: background ?? theme.background, background: foreground ?? theme.foreground }
    : { foreground, background };
}

/** The look of a span on this page. Every text is readable on its background. */
export function createSpanCss(style: SgrStyle, theme: LogTheme): SpanCss {
  const { foreground, background } = resolveColours(style, theme);
  const css: SpanCss = {};
  if (foreground !== undefined || background !== undefined) {
    css.color = toCss(readableColour(foreground ?? theme.foreground, background ?? theme.background));
  }
  if (background !== undefined) css.backgroundColor = toCss(background);
  if (style.isBold === true) css.fontWeight = 700;
  if (style.isItalic === true) css.fontStyle = 'italic';
  const lines = [style.isUnderlined === true ? 'underline' : '', style.isStruck === true ? 'line-through' : ''];
  const decoration = lines.filter((line) => line !== '').join(' ');
  if (decoration !== '') css.textDecoration = decoration;
  if (style.isDim === true) css.opacity = 0.7;
  if (style.isConcealed === true) css.visibility = 'hidden';
  return css;
}
