import { readPart, type TemplateSource, toValues } from './template.js';

const ALL = '$__all';

/** The values that a dashboard's variable has; none means all. `undefined` where there is no such variable. */
export function readVariable(name: string, templates: TemplateSource): readonly string[] | undefined {
  const variable = templates.getVariables().find((candidate) => readPart(candidate, 'name') === name);
  if (variable === undefined) return undefined;
  const values = toValues(readPart(readPart(variable, 'current'), 'value'));
  return values.includes(ALL) ? [] : values.filter((value) => value !== '');
}

/** How the address has these values: none means all. */
export function toAddressValue(values: readonly string[]): string[] {
  return values.length === 0 ? [ALL] : [...values];
}
