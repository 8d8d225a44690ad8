/** A bar's colour, and that of the words on it. */
export interface BarLook {
  readonly fill: string;
  readonly text: string;
}

type Rgb = readonly [red: number, green: number, blue: number];

function readHex(colour: string): Rgb | undefined {
  const [, long] = /^#([\da-f]{6})$/i.exec(colour) ?? [];
  const [, short] = /^#([\da-f]{3})$/i.exec(colour) ?? [];
  const digits = long ?? short?.replace(/./g, '$&$&');
  if (digits === undefined) return undefined;
  const read = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  return [read(0), read(2), read(4)];
}

/** WCAG's relative luminance, from 0 to 1. */
function measureLuminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function measureContrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [measureLuminance(a), measureLuminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** Below this luminance, a background is a dark one. */
const DARK_BELOW = 0.18;
/** A paler colour is lost on a light background, a darker one on a dark background. */
const [LEAST_ON_LIGHT, LEAST_ON_DARK] = [2, 3];

/** The hues of orange and yellow, in degrees, and the lightness below which they are brown. */
const [ORANGE_FROM, YELLOW_TO, BROWN_BELOW] = [5, 70, 0.44];

function isBrown([red, green, blue]: Rgb): boolean {
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const hue = most === red ? (60 * (green - blue)) / (most - least) : Number.NaN;
  return hue >= ORANGE_FROM && hue <= YELLOW_TO && (most + least) / 510 < BROWN_BELOW;
}

function isLost(rgb: Rgb, background: Rgb): boolean {
  const isDark = measureLuminance(background) < DARK_BELOW;
  // Browns beside each other on a dark page are taken for one colour that is dirty.
  if (isDark && isBrown(rgb)) return true;
  return measureContrast(rgb, background) < (isDark ? LEAST_ON_DARK : LEAST_ON_LIGHT);
}

/** The colours of a palette that stand out from the background, each with words that can be read on it. */
export function chooseBarLooks(palette: readonly string[], background: string): readonly BarLook[] {
  const behind = readHex(background) ?? WHITE;
  const looks = [...new Set(palette)].flatMap((fill) => {
    const rgb = readHex(fill);
    if (rgb === undefined || isLost(rgb, behind)) return [];
    return [{ fill, text: measureContrast(rgb, BLACK) >= measureContrast(rgb, WHITE) ? '#000000' : '#ffffff' }];
  });
  return looks.length > 0 ? looks : [{ fill: '#808080', text: '#000000' }];
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Gives each name one of `count` colours: that of its own letters, so that it is the same on every page, or the next
 * one that no other name has. `known` holds what was given before, and keeps it: a name that comes changes no colour.
 */
export function assignColours(names: readonly string[], count: number, known: Map<string, number>): readonly number[] {
  const taken = new Set(known.values());
  for (const name of names.filter((each) => !known.has(each)).sort()) {
    const own = hashText(name) % count;
    let colour = own;
    while (taken.size < count && taken.has(colour)) colour = (colour + 1) % count;
    taken.add(colour);
    known.set(name, colour);
  }
  return names.map((name) => known.get(name) ?? 0);
}
