import type { ScopedVars } from '@grafana/data';

/** The part of Grafana's TemplateSrv that is used here, in the shape of 9.5. */
export interface TemplateSource {
  replace(text: string, scopedVars?: ScopedVars, format?: (value: unknown) => string): string;
  getVariables(): ReadonlyArray<object>;
}

/** More combinations of multi-value variables in one field are a mistake, and would freeze the page. */
const MAX_VALUES = 10_000;
const MARK = '\u0000';

/**
 * The values of a query field with its template variables filled in. `$job` and `a/$job` with two values selected
 * give two. No values mean all: for an empty field, and for a field that is one variable set to "All". The values are
 * the users' own names: whoever prints them into a query quotes them.
 */
export function interpolateValues(
  text: string | undefined,
  scopedVars: ScopedVars,
  templates: TemplateSource
): string[] {
  if (text === undefined || text.trim() === '' || isAllSelected(text, scopedVars, templates)) return [];
  const found: string[][] = [];
  const marked = templates.replace(text, scopedVars, (value) => {
    found.push(toValues(value));
    return `${MARK}${found.length - 1}${MARK}`;
  });
  const parts = marked.split(MARK);
  const values = parts.reduce<string[]>(
    (prefixes, part, index) => {
      const choices = index % 2 === 1 ? (found[Number(part)] ?? []) : [part];
      if (prefixes.length * choices.length > MAX_VALUES)
        throw new RangeError(`${text} has more than ${MAX_VALUES} values`);
      return prefixes.flatMap((prefix) => choices.map((choice) => prefix + choice));
    },
    ['']
  );
  return [...new Set(values)].filter((value) => value !== '');
}

/** A variable's value as a list of strings; Grafana hands out strings, numbers, booleans and arrays of them. */
export function toValues(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(toValues);
  if (typeof value === 'string') return [value];
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

const VARIABLE = /^(?:\$(\w+)|\$\{(\w+)(?::\w+)?\}|\[\[(\w+)(?::\w+)?\]\])$/;

/** The variable that a text consists of; undefined where it is anything else. */
export function readVariableName(text: string): string | undefined {
  return VARIABLE.exec(text.trim())?.slice(1).find(Boolean);
}

/** "All" as a list of every value would be a long chain of OR. No condition means the same. */
function isAllSelected(text: string, scopedVars: ScopedVars, templates: TemplateSource): boolean {
  const name = readVariableName(text);
  if (name === undefined || name in scopedVars) return false;
  const variable = templates.getVariables().find((candidate) => readPart(candidate, 'name') === name);
  const hasOwnAll = toValues(readPart(variable, 'allValue')).some((value) => value !== '');
  return !hasOwnAll && toValues(readPart(readPart(variable, 'current'), 'value')).includes('$__all');
}

/** A part of an object of Grafana's, whose form differs from version to version. */
export function readPart(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
