/** What stands before and behind an equals sign. */
export interface Equation {
  readonly name: string;
  readonly value: string;
}

/**
 * The `name = value` of a text, from left to right. `name` ends with `$` and captures what it finds at the end of the
 * text before an equals sign and its spaces; `value` is sticky and captures what it finds behind it. Each part of the
 * text is looked at once, which one expression for both cannot promise.
 */
export function findEquations(text: string, name: RegExp, value: RegExp): Equation[] {
  const found: Equation[] = [];
  let from = 0;
  for (let sign = text.indexOf('='); sign >= 0; sign = text.indexOf('=', from)) {
    const before = name.exec(text.slice(from, sign).trimEnd())?.[1];
    value.lastIndex = sign + 1;
    const behind = before === undefined ? undefined : value.exec(text)?.[1];
    if (before !== undefined && behind !== undefined) found.push({ name: before, value: behind });
    from = behind === undefined ? sign + 1 : value.lastIndex;
  }
  return found;
}
