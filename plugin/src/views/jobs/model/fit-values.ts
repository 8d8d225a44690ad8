/** The width of a sign of small text, rather more than less. */
const [SIGN_PX, WIDE_SIGN_PX, FULL_SIGN_PX] = [6.3, 9.5, 12.5];
const FIRST_FULL_SIGN = 0x1100;

/** About how wide a small text is drawn. */
export function estimateTextPx(text: string): number {
  let width = 0;
  for (const sign of text) {
    if ((sign.codePointAt(0) ?? 0) >= FIRST_FULL_SIGN) width += FULL_SIGN_PX;
    else width += /[A-Zmw@%_]/.test(sign) ? WIDE_SIGN_PX : SIGN_PX;
  }
  return width;
}

export interface FittedValues {
  readonly shown: readonly string[];
  /** How many more there are. */
  readonly more: number;
}

/**
 * As many of the values, `key value` each, as fit whole beside each other and the number of the others. One is always
 * shown. Where some have no room, the value of the main key comes first.
 */
export function fitValues(values: readonly string[], roomPx: number, mainKey?: string): FittedValues {
  const fitted = cutValues(values, roomPx);
  if (fitted.more === 0 || mainKey === undefined) return fitted;
  const isMain = (value: string): boolean => value.startsWith(`${mainKey} `);
  return cutValues([...values.filter(isMain), ...values.filter((value) => !isMain(value))], roomPx);
}

function cutValues(values: readonly string[], roomPx: number): FittedValues {
  const widths = values.map((value) => estimateTextPx(`${value}, `));
  const moreOf = (count: number): number => (count < values.length ? estimateTextPx(`+${values.length - count}`) : 0);
  const widthOf = (count: number): number => widths.slice(0, count).reduce((sum, px) => sum + px, 0);
  let count = values.length;
  while (count > 1 && widthOf(count) + moreOf(count) > roomPx) count -= 1;
  return { shown: values.slice(0, count), more: values.length - count };
}
